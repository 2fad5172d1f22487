"""What was read as rows of a table: their order, what of them is shown, what they come to in words.

Plain logic, nothing of the page.
"""

from ui import words

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

FAILED = "failed"  # stands beside the kinds of warnings as a thing to filter by
LABELS = {
    FAILED: "Not read",
    "no text": "Pages without text",
    "recognised": "Text recognised",
    "hidden": "Hidden text or parts",
    "left out": "Parts left out",
    "damaged": "Damaged parts",
    "letters": "Doubtful letters",
    "cut short": "Cut short",
    "not calculated": "Not calculated",
    "other": "Other notes",
}
NAMED = 8  # warnings of a row that are drawn
# (key of a row, heading, whether it is a number)
COLUMNS = (
    ("name", "Document", False),
    ("kind", "Kind", False),
    ("pages", "Pages", True),
    ("words", "Words", True),
    ("tables", "Tables", True),
    ("language", "Language", False),
    ("chunks", "Passages", True),
    ("size", "Size", True),
    ("added", "Added", True),
    ("collection", "Collection", False),
)


def failed_row(name: str, size: int, reason: str) -> "dict[str, Any]":
    """A file that could not be read, as a row of the table."""
    return {"id": "", "name": name, "size": size, "reason": reason, "kinds": [FAILED], "warnings": [], "within": []}


def failed(row: "dict[str, Any]") -> bool:
    return bool(row.get("reason"))


def counted(rows: "list[dict[str, Any]]", order: "list[str]") -> "list[tuple[str, str]]":
    """(kind, label with the number of its rows), for kinds that come up, failed files first."""
    counts: dict[str, int] = {}
    for row in rows:
        for kind in row["kinds"]:
            counts[kind] = counts.get(kind, 0) + 1
    known = [FAILED] + [kind for kind in order if kind != FAILED]
    return [(kind, f"{LABELS.get(kind, kind)} ({counts[kind]:,})") for kind in known if kind in counts]


def shown(rows: "list[dict[str, Any]]", chosen: "list[str]", typed: str) -> "list[dict[str, Any]]":
    """Those of any of the chosen kinds (none: all) whose names hold what was typed."""
    wanted = " ".join(typed.lower().split())
    return [
        row
        for row in rows
        if (not chosen or [kind for kind in row["kinds"] if kind in chosen]) and wanted in row["name"].lower()
    ]


def ordered(rows: "list[dict[str, Any]]", order: "dict[str, list[int]]", down: bool) -> "list[dict[str, Any]]":
    """By one column, in the order that the engine gave; rows without a value stand last in either direction."""
    valued = reversed(order["valued"]) if down else order["valued"]
    return [rows[number] for number in valued] + [rows[number] for number in order["missing"]]


def totals(rows: "list[dict[str, Any]]") -> str:
    """ "19 read, 1 failed; 312 pages, 4 without text"."""
    read = [row for row in rows if not failed(row)]
    parts = [f"{len(read):,} read"]
    if len(rows) > len(read):
        parts.append(f"{len(rows) - len(read):,} failed")
    pages = sum((row.get("pages") or 0) for row in read)
    without = sum(row.get("without_text") or 0 for row in read)
    recognised = sum(row.get("recognised") or 0 for row in read)
    of_pages = [words.count(pages, "page")] if pages else []
    if without:
        of_pages.append(f"{without:,} without text")
    if recognised:
        of_pages.append(f"{recognised:,} recognised")
    return "; ".join(part for part in (", ".join(parts), ", ".join(of_pages)) if part)


def cell(row: "dict[str, Any]", key: str) -> str:
    """What stands in a cell; times are the page's own to write."""
    value = row.get(key)
    if value is None or value == "":
        return ""
    if key == "kind":
        return words.KINDS.get(value, value.upper())
    if key == "size":
        return words.size(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def notes(row: "dict[str, Any]") -> "list[str]":
    """What stands below a name: the folder, the file around it, why it failed or what was left out."""
    folder, _ = words.split_name(row["name"])
    inside = [f"inside of {name}" for name in row["within"]]
    if folder in row["within"]:
        folder = ""
    said = row["warnings"]
    more = [f"and {len(said) - NAMED} more, in the saved table"] if len(said) > NAMED else []
    return [text for text in [folder] + inside + [row.get("reason") or ""] if text] + said[:NAMED] + more
