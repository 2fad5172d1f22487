"""Which documents a question is put to: named ones, those of some collections or kinds, those added in some time.

A filter is applied before the best passages are picked, never after: a passage that passes it is found however many
better ones do not. What it does not do: look into texts (quoted words of a question do that), or combine by "or" and
"not". Every condition that is given must hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from terrarium.errors import TerrariumError
from terrarium.model import DocumentInfo

_SETS = ("documents", "collections", "kinds")
_TIMES = ("added_from", "added_to")


@dataclass(frozen=True, slots=True)
class Filter:
    """None means any. An empty set admits nothing."""

    documents: frozenset[str] | None = None  # ids
    collections: frozenset[str] | None = None  # "" stands for documents in none
    kinds: frozenset[str] | None = None  # as in `Document.kind`
    added_from: float | None = None  # seconds since the epoch, inclusive
    added_to: float | None = None  # likewise

    @classmethod
    def of(cls, given: Mapping[str, Any] | None) -> Filter | None:
        """From JSON: lists of names, seconds as numbers. Raises TerrariumError for anything else."""
        if given is None:
            return None
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name in _SETS and isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
                values[name] = frozenset(value)
            elif name in _TIMES and isinstance(value, int | float):
                values[name] = float(value)
            elif value is not None or name not in _SETS + _TIMES:
                raise TerrariumError(
                    f"The filter “{name}: {value}” is not understood. There are {', '.join(_SETS)} (lists of names), "
                    f"{' and '.join(_TIMES)} (seconds)."
                )
        return cls(**values)

    def admits(self, info: DocumentInfo) -> bool:
        return (
            (self.documents is None or info.id in self.documents)
            and (self.collections is None or info.collection in self.collections)
            and (self.kinds is None or info.kind in self.kinds)
            and (self.added_from is None or info.added >= self.added_from)
            and (self.added_to is None or info.added <= self.added_to)
        )
