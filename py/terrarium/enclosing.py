"""Which documents of a library are inside of which: what goes with a file that is removed, what is asked with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from terrarium.model import DocumentInfo


def only_inside(infos: Iterable[DocumentInfo], document_id: str) -> list[str]:
    """The ids of those that would go with this one, itself the first: all that is in it, however deep, but for what
    was added itself or is also inside of a file that stays."""
    held: Mapping[str, list[DocumentInfo]] = by_outer(infos)
    going = {document_id: None}
    waiting = [document_id]
    for outer in waiting:
        for info in held.get(outer, ()):
            if info.id not in going and not info.alone and going.keys() >= set(info.within):
                going[info.id] = None
                waiting.append(info.id)
    return list(going)


def with_inside(infos: Iterable[DocumentInfo], ids: Iterable[str]) -> frozenset[str]:
    """These, and all that is inside of them, however deep."""
    return below(by_outer(infos), ids)


def below(held: Mapping[str, Sequence[DocumentInfo]], ids: Iterable[str]) -> frozenset[str]:
    """As `with_inside`, of what `by_outer` gave."""
    found = dict.fromkeys(ids)
    waiting = list(found)
    for outer in waiting:
        new = [info.id for info in held.get(outer, ()) if info.id not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return frozenset(found)


def by_outer(infos: Iterable[DocumentInfo]) -> dict[str, list[DocumentInfo]]:
    """What is directly inside of each file that has something in it."""
    held = defaultdict(list)
    for info in infos:
        for outer in info.within:
            held[outer].append(info)
    return dict(held)
