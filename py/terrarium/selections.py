"""Sets of a library's documents, each made once and kept until the documents change: what a filter admits, what the
embedder knows the language of. The indexes know the very same set again without looking into it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from terrarium.enclosing import with_inside
from terrarium.filters import Filter
from terrarium.model import DocumentInfo

_KEPT = 16


class Selections:
    """`infos` gives all documents there are."""

    def __init__(self, infos: Callable[[], Iterable[DocumentInfo]]) -> None:
        self._infos = infos
        self._kept: dict[object, frozenset[str]] = {}

    def clear(self) -> None:
        self._kept.clear()

    def matching(self, filter: Filter) -> frozenset[str]:
        """What a filter admits; of a file that it names also what is inside of it."""
        if filter.documents is None or filter in self._kept:
            return self.of(filter, filter.admits)
        wider = replace(filter, documents=with_inside(self._infos(), filter.documents))
        return self.of(filter, wider.admits)

    def of(self, key: object, admits: Callable[[DocumentInfo], bool]) -> frozenset[str]:
        if key not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[key] = frozenset(info.id for info in self._infos() if admits(info))
        return self._kept[key]
