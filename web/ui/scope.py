"""Which documents the questions of a conversation go to, as the person chose them, and as the engine's filter.

Every condition that is set must hold; one that is empty holds for all. Plain logic, nothing of the page.
"""

DAY = 86_400  # seconds
ADDED = (("", "Any time"), ("1", "Past day"), ("7", "Past week"), ("31", "Past month"), ("366", "Past year"))
NO_COLLECTION = "In no collection"

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any


class Scope:
    """`chosen` holds a set for "documents" (ids), "collections" and "kinds" (names); `days` is "" or one of `ADDED`."""

    def __init__(self) -> None:
        self.chosen: "dict[str, set[str]]" = {"documents": set(), "collections": set(), "kinds": set()}
        self.days = ""

    @property
    def everything(self) -> bool:
        return not self.days and not any(self.chosen.values())

    def clear(self) -> None:
        for names in self.chosen.values():
            names.clear()
        self.days = ""

    def choose(self, group: str, name: str, wanted: bool) -> None:
        """Tick or untick one; of "added" only one holds."""
        if group == "added":
            self.days = name
        elif wanted:
            self.chosen[group].add(name)
        else:
            self.chosen[group].discard(name)

    def forget_missing(self, infos: "list[dict[str, Any]]") -> None:
        """Drop what the library has no more; a scope that named only such things would find nothing for ever."""
        present = {
            "documents": {info["id"] for info in infos},
            "collections": {info.get("collection") or "" for info in infos},
            "kinds": {info["kind"] for info in infos},
        }
        for group, names in self.chosen.items():
            names.intersection_update(present[group])

    def admits(self, info: "dict[str, Any]", now: float, named: "set[str]") -> bool:
        """`now` in seconds since the epoch, as `info["added"]`; `named` are the chosen documents with all in them."""
        chosen = self.chosen
        return (
            (not chosen["documents"] or info["id"] in named)
            and (not chosen["collections"] or (info.get("collection") or "") in chosen["collections"])
            and (not chosen["kinds"] or info["kind"] in chosen["kinds"])
            and (not self.days or (info.get("added") or 0) >= self._since(now))
        )

    def _since(self, now: float) -> float:
        return now - int(self.days) * DAY

    def filter(self, now: float) -> "dict[str, Any] | None":
        """As the engine's `ask` takes it; None for all documents."""
        if self.everything:
            return None
        given: "dict[str, Any]" = {group: sorted(names) for group, names in self.chosen.items() if names}
        if self.days:
            given["added_from"] = self._since(now)
        return given
