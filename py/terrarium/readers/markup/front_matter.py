"""What stands at the head of a Markdown file between "---" (YAML) or "+++" (TOML): fields as people and programs write
them there, read line by line.

Not a reader of YAML: anchors, types, and maps in lists are left as they stand.
"""

from __future__ import annotations

import re

from terrarium.model import Block

YAML = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"(\w[\w .-]{0,60}|\"[^\"]+\")[ \t]*[:=](?:[ \t]+(.*)|$)")
TABLE = re.compile(r"\[{1,2}([^\[\]]+)\]{1,2}$")
FOLDED = {"", "|", ">", "|-", ">-", "|+", ">+", '"""', "'''"}  # the value stands on the lines behind
TITLE = "title"


def split_front_matter(text: str) -> tuple[str, list[Block], str]:
    """(title, a block with the other fields where there are any, the text behind them)."""
    front = YAML.match(text) or TOML.match(text)
    fields = read_fields(front[1]) if front else {}
    if not front or (front[1].strip() and not fields):  # a text between two rules
        return "", [], text
    title = fields.pop(TITLE, "")
    lines = [f"{name}: {value}" for name, value in fields.items() if value]
    return title, [Block("table_row", "\n".join(lines))] if lines else [], text[front.end() :]


def read_fields(text: str) -> dict[str, str]:
    """Values by name, the names of the fields around before their own; {} when the first line is no field."""
    found: dict[str, str] = {}
    outer: list[tuple[int, str]] = []  # (indentation, name) of the fields around, and of the last one
    table, last = "", ""
    for line in text.split("\n"):
        said, indent = line.strip(), len(line) - len(line.lstrip())
        if not said or said.startswith("#"):
            continue
        field = FIELD.match(said)
        if named := TABLE.fullmatch(said):
            table, outer = named[1].strip(), []
        elif field and not said.startswith("- "):
            outer = [entry for entry in outer if entry[0] < indent] + [(indent, field[1].strip('" '))]
            last = " › ".join([table] * bool(table) + [name for _, name in outer])
            value = (field[2] or "").strip()
            found[last] = "" if value in FOLDED else plain(value)
        elif not last:
            return {}
        elif said not in FOLDED:  # an item of a list, or a line of a longer text
            between = (", " if said.startswith("- ") else " ") if found[last] else ""
            found[last] += between + plain(said.removeprefix("- "))
    return found


def plain(value: str) -> str:
    """Without quotes; a list in one line as its items."""
    if value[:1] + value[-1:] == "[]":
        return ", ".join(filter(None, (plain(item.strip()) for item in value[1:-1].split(","))))
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
