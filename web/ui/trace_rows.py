"""A trace taken apart for drawing: every passage with its place in each list, every stage with its place in time."""

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

FAR = 1_000_000

# The lists of the funnel, in the order in which they are made. Pairs: MicroPython's dicts have no order.
LISTS = (
    ("lexical", "Words"),
    ("dense", "Meaning"),
    ("exact", "Names"),
    ("phrase", "Quotation"),
    ("fusion", "Both"),
    ("rerank", "Reranker"),
    ("blend", "All together"),
    ("complement", "Beside the best"),
    ("merged", "Later searches"),
)


def _key(entry: "dict[str, Any]") -> "tuple[str, int]":
    return (entry["document"], entry["chunk"])


class Rows:
    """What the record says of each passage. `lists` are the names of the lists, in their order."""

    def __init__(self, record: "dict[str, Any]") -> None:
        every = dict(record.get("retrieval") or {})
        every.update(record.get("corrected") or {})
        known = [name for name, _ in LISTS]
        self.lists = [name for name in known if every.get(name)]
        self.lists += sorted([name for name in every if every[name] and name not in known])
        places: dict[tuple[str, int], dict[str, Any]] = {}  # key → {list: entry}
        for name in self.lists:
            for entry in every[name]:
                places.setdefault(_key(entry), {})[name] = entry
        self.places = places
        self.shown = {_key(one): one["number"] for one in record.get("passages") or [] if isinstance(one, dict)}
        self.flagged = [_key(one) for one in record.get("passages") or [] if isinstance(one, dict) and one.get("flags")]
        read = [one["number"] for text in texts(record) for one in text["sources"]]
        self.read = [key for key, number in self.shown.items() if number in read]
        found = record.get("found") or {}
        self.names = found.get("documents") or {}
        self.texts = {_key(one): one for one in found.get("chunks") or []}
        self.folded = {_key(one) for one in record.get("folded") or []}

    def rank(self, key: "tuple[str, int]", name: str) -> int:
        entry = self.places[key].get(name)
        return entry["rank"] if entry else FAR

    def ordered(self, by: str) -> "list[tuple[str, int]]":
        """The keys by their rank in a list; by "" as they were shown. Then by the last list that knows them."""

        def place(key: "tuple[str, int]") -> "tuple[int, tuple[int, int]]":
            return (self.rank(key, by) if by else self.shown.get(key, FAR), self._last(key))

        return sorted(self.places, key=place)

    def _last(self, key: "tuple[str, int]") -> "tuple[int, int]":
        for depth, name in enumerate(reversed(self.lists)):
            if name in self.places[key]:
                return (depth, self.rank(key, name))
        return (FAR, FAR)


def texts(record: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Every text that the model wrote for the answer: {question, sources, prompt, generation}, one for each part."""
    if not record.get("generation"):
        return []
    only = {"question": "", "sources": record.get("sources") or []}
    only.update({"prompt": record.get("prompt") or "", "generation": record["generation"]})
    return record.get("writings") or [only]


def way(record: "dict[str, Any]") -> "list[tuple[str, int, float, float | None]]":
    """(name, depth, start, seconds) of each stage in the order of the starts; a mark has None for its seconds."""
    found = []
    for one in record.get("stages") or []:
        found.append((one["name"], one["start"], one.get("seconds", 0)))
        if one["name"] == "generation":
            at = one["start"]
            for text in texts(record):
                for name in ("reading", "writing"):
                    seconds = text["generation"]["prefill_seconds" if name == "reading" else "decode_seconds"]
                    found.append((name, at, seconds))
                    at += seconds
    found.sort(key=lambda one: (one[1], -one[2]))
    open_until: list[float] = []
    placed: list[tuple[str, int, float, float | None]] = []
    for name, start, seconds in found:
        while open_until and open_until[-1] < start + seconds - 0.001:
            open_until.pop()
        placed.append((name, len(open_until), start, seconds))
        open_until.append(start + seconds)
    marks = record.get("marks") or {}
    placed += [(name, 0, at, None) for name, at in marks.items()]
    return sorted(placed, key=lambda one: (one[2], one[3] is None))
