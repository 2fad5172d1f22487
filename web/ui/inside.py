"""Files inside of files, as the list of documents shows them. Plain logic over DocumentInfos, nothing of the page.

A document that was added itself stands by itself; one that came only inside of others stands below the first of them
that is there.
"""

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

UNFOLDED = 5  # files inside of one, up to which they are shown without being asked for


class Inside:
    """What is below what, of the documents of a library, the newest first."""

    def __init__(self, infos: "list[dict[str, Any]]") -> None:
        self._known = {info["id"]: info for info in infos}
        self._below: "dict[str, list[str]]" = {}  # directly inside of each, whether shown there or not
        for info in infos:
            for outer in info.get("within") or []:
                self._below.setdefault(outer, []).append(info["id"])
        self.tops = [info for info in infos if not self.above(info)]

    def above(self, info: "dict[str, Any]") -> "dict[str, Any] | None":
        """The file below which a document stands; None for one that stands by itself."""
        if not info.get("alone", True):
            for outer in info["within"]:
                if outer in self._known:
                    return self._known[outer]
        return None

    def below(self, document_id: str) -> "list[dict[str, Any]]":
        """The documents that stand directly below it, in the order in which they lie in it."""
        found = [self._known[one] for one in self._below.get(document_id, [])[::-1]]
        return [info for info in found if (self.above(info) or {}).get("id") == document_id]

    def count(self, document_id: str) -> int:
        """How many files are in it, however deep."""
        return len(self._all_in(document_id))

    def going(self, document_id: str) -> "list[str]":
        """The ids of what goes when it is removed, itself the first: see terrarium.enclosing.only_inside."""
        going, waiting = {document_id}, [document_id]
        for outer in waiting:
            for one in self._below.get(outer, []):
                info = self._known[one]
                if one not in going and not info.get("alone", True) and all(o in going for o in info["within"]):
                    going.add(one)
                    waiting.append(one)
        return waiting

    def with_inside(self, ids: "set[str]") -> "set[str]":
        """These, and all that is in them: see terrarium.enclosing.with_inside."""
        found = set(ids)
        for one in ids:
            found.update(self._all_in(one))
        return found

    def _all_in(self, document_id: str) -> "set[str]":
        found: "set[str]" = set()
        waiting = [document_id]
        while waiting:
            new = [one for one in self._below.get(waiting.pop(), []) if one not in found]
            found.update(new)
            waiting += new
        return found

    def where(self, info: "dict[str, Any]") -> str:
        """Its folder, and the files that it is inside of: "in offer.eml and 1 other file"."""
        folder, _, _ = info["name"].rpartition("/")
        names = [self._known[one]["name"] for one in info.get("within") or [] if one in self._known]
        inside = [name.rpartition("/")[2] for name in names]
        above = self.above(info)
        if above is None:
            also = f"also in {inside[0]}{others(len(inside) - 1)}" if inside else ""
            return " · ".join(part for part in (folder, also) if part)
        below = folder[len(above["name"]) :] if folder.startswith(above["name"]) else ""
        short = above["name"].rpartition("/")[2]
        return f"in {short}{below}{others(len(inside) - 1)}"

    def rows(self, infos: "list[dict[str, Any]]", folded: "dict[str, bool]") -> "list[tuple[dict[str, Any], int]]":
        """(document, how deep it stands) of all that are shown of these, in their order. `folded` are the person's
        choices by id; without one a file is folded when much is in it."""
        shown: "list[tuple[dict[str, Any], int]]" = []
        waiting = [(info, 0) for info in reversed(infos)]
        while waiting:
            info, depth = waiting.pop()
            shown.append((info, depth))
            below = self.below(info["id"])
            if below and not is_folded(info["id"], len(below), folded):
                waiting += [(one, depth + 1) for one in reversed(below)]
        return shown


def is_folded(document_id: str, below: int, folded: "dict[str, bool]") -> bool:
    return folded.get(document_id, below > UNFOLDED)


def others(number: int) -> str:
    return "" if number < 1 else f" and {number} other file" + ("" if number == 1 else "s")
