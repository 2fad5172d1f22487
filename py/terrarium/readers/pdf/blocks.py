"""Lines of a PDF → headings, paragraphs, list items, table rows and code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from terrarium.model import Block
from terrarium.readers.pdf.joining import WORD, join_lines
from terrarium.readers.pdf.lines import Line
from terrarium.readers.pdf.rules import Box
from terrarium.readers.pdf.table_rows import LEADERS, Tables
from terrarium.readers.pdf.tables import Table, table_stretches, unruled_table

BULLET = re.compile(r"^\s*(?:[•‣◦▪▫■□●○∙·–—*✓➢\uf0b7\uf0a7-]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+(?=\S)")
SYMBOL_BULLET = re.compile("^[\uf000-\uf0ff]")
A_SENTENCE = 8  # words: what is as long and ends with a full stop is no heading, however large it is set
NUMBERED = re.compile(
    r"^(?:(?:chapter|section|appendix|part|kapitel|abschnitt|anhang|teil)\s+)?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?\s",
    re.IGNORECASE,
)
CAPTION = re.compile(
    r"^(?:table|figure|fig\.|tabelle|abbildung|abb\.|tableau|tabla|figura)\s+\d"
    r"|^(?:note|warning|tip|caution|important|example|hinweis|anmerkung|warnung|achtung|tipp|wichtig|beispiel)\b[\s\d.:!-]*$",
    re.IGNORECASE,
)
IN_PROSE = re.compile(r"^\((?:\d{1,3}|[a-zA-Z])\)\s+[^\W\d_A-Z]")  # “(c) and”, lower case behind the sign
ENDS_CLAUSE = re.compile(r"[.!?:;,。！？；：][\"'”’)\]]*$|[;,]\s*(?:and|or|und|oder|et|ou|y|o)$")
ENDS_SENTENCE = re.compile(r"[.!?:。！？][\"'”’)\]]*$")


@dataclass(slots=True)
class Layout:
    """What holds for the whole document."""

    body: float  # font size of most letters, points
    pitch: float  # usual distance of two lines of a paragraph, in font sizes
    bold: bool  # most of the text is bold, so boldness says nothing
    words: Counter[str]
    outline: dict[int, list[tuple[str, int]]]  # page → (folded title, level)
    levels: dict[float, int]  # font size of a heading → its level


def survey(
    regions: Iterable[Sequence[Line]], outline: Sequence[Mapping[str, Any]], tables: Iterable[Table] = ()
) -> Layout:
    """Look over all lines once: body size, line pitch, vocabulary (for hyphens), sizes of headings."""
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    words: Counter[str] = Counter()
    pitches: list[float] = []
    for region in regions:
        for i, line in enumerate(region):
            sizes[round(line.size * 2) / 2] += len(line.text)
            bold[line.bold] += len(line.text)
            if i and abs(line.size - region[i - 1].size) < 0.2:
                pitches.append((line.y - region[i - 1].y) / line.size)
        words.update(WORD.findall("\n".join([line.text for line in region]).casefold()))
    for table in tables:
        words.update(WORD.findall(" ".join(cell for row in table.rows for cell in row.cells).casefold()))
    body = max(sizes, key=lambda size: sizes[size], default=10.0)
    larger = sorted((size for size in sizes if size > 1.12 * body), reverse=True)
    entries: dict[int, list[tuple[str, int]]] = {}
    for entry in outline:
        entries.setdefault(entry["page"], []).append((fold(entry["title"]), entry["level"]))
    close = [pitch for pitch in pitches if 0.8 < pitch < 2]
    return Layout(
        body, median(close) if close else 1.2, bold[True] > bold[False], words, entries,
        {size: min(rank, 5) for rank, size in enumerate(larger, 1)},
    )  # fmt: skip


@dataclass(slots=True)
class Part:
    """A block with the lines that it was made of; rows of tables have none."""

    block: Block
    lines: Sequence[Line] = ()
    full: bool = False  # its last line reaches the right side of its column


@dataclass(slots=True)
class Sheet:
    """What is known of a page beside its lines."""

    number: int
    rules: Sequence[Box] = ()
    tables: Sequence[Table] = ()  # inside of ruled lines
    placed: set[int] = field(default_factory=set)  # those of them that are among the blocks already
    empty: bool = True  # nothing but tables was seen on it


def column_parts(region: list[Line], sheet: Sheet, layout: Layout, tables: Tables) -> list[Part]:
    """Parts of one column or band of a page."""
    if not region:
        return []
    right = max(line.x1 for line in region)
    width = right - min(line.x0 for line in region)
    parts: list[Part] = []
    start = 0
    for first, end in [*table_stretches(region), (len(region), len(region))]:
        table = unruled_table(region[first:end]) if end > first else None
        if end > first and table is None:
            continue
        for place in range(start, first + 1):
            if place == first or region[place].table >= 0:
                parts += text_parts(region[start:place], right, width, sheet, layout, tables)
                start = place + 1
            if place < first and 0 <= region[place].table not in sheet.placed:
                sheet.placed.add(region[place].table)
                parts += table_parts(sheet.tables[region[place].table], sheet, tables)
        start = end
        if table:
            parts += table_parts(table, sheet, tables)
    return parts


def table_parts(table: Table, sheet: Sheet, tables: Tables) -> list[Part]:
    if table.mono:
        return [Part(Block("code", "\n".join("\t".join(row.cells) for row in table.rows), sheet.number))]
    return [Part(block) for block in tables.blocks(table, sheet.number, sheet.rules, sheet.empty)]


def text_parts(
    lines: list[Line], right: float, width: float, sheet: Sheet, layout: Layout, tables: Tables
) -> list[Part]:
    """Parts of lines between tables."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and continues(groups[-1], line, layout, right, width):
            groups[-1].append(line)
        else:
            groups.append([line])
    made = [(make_block(group, sheet.number, layout), group) for group in groups]
    parts = [Part(block, group, group[-1].x1 > right - 0.25 * width) for block, group in made if block.text]
    if any(part.block.text.strip("- \t").isdigit() is False for part in parts):  # more than the page's number
        sheet.empty = False
        tables.end()
    return parts


def continues(group: Sequence[Line], line: Line, layout: Layout, right: float, width: float) -> bool:
    """Whether the line goes on with the paragraph."""
    last, size = group[-1], max(group[-1].size, line.size)
    if line.note or line.mono != last.mono or abs(line.size - last.size) > 0.08 * size:
        return False
    large = size > 1.12 * layout.body
    apart = 1.6 if large else 2.2 if line.mono else 1.3 * layout.pitch
    if not 0 < line.y - last.y <= apart * size:
        return False
    if line.mono:
        return True
    if LEADERS.search(last.text):
        return False  # entries of a table of contents
    step = line.x0 - last.x0
    full = last.x1 > right - 0.1 * width
    marked = BULLET.match(group[0].text)
    # A line of prose may begin with “(c) and”, that no new item begins there.
    inside = full and abs(step) < 0.3 * size and IN_PROSE.match(line.text) and not ENDS_CLAUSE.search(last.text)
    inside = inside and not (marked and len(group) == 1)
    if (line.bold != last.bold and not layout.bold) or (BULLET.match(line.text) and not inside):
        return False
    if large:
        return True
    if marked and line.x0 > group[0].x0 + 0.3 * size:
        return True
    if marked and len(group) == 1:  # numbered paragraphs whose first line is indented, as laws have them
        return full and not ENDS_SENTENCE.search(last.text) and not last.text.endswith(";")
    if marked and group[1].x0 > group[0].x0 + 0.3 * size:
        return False
    hanging = len(group) == 1 and full and not ENDS_SENTENCE.search(last.text)
    if (step > 0.8 * size and not hanging) or (step < -0.8 * size and len(group) > 1):
        return False
    short = last.x1 < right - 0.25 * width and ENDS_SENTENCE.search(last.text)
    return not (short and (line.text[:1].isupper() or line.text[:1].isdigit()))


def make_block(group: Sequence[Line], page: int, layout: Layout) -> Block:
    first = group[0]
    if first.mono and not heading_level("".join(line.text for line in group), group, page, layout):
        return Block("code", code_text(group), page=page)
    text = LEADERS.sub(" … ", join_lines([line.text.replace("\t", " ") for line in group], layout.words))
    level = heading_level(text, group, page, layout)
    if level:
        return Block("heading", text, page=page, level=level)
    if SYMBOL_BULLET.match(text):
        text = "• " + text[1:].lstrip()
    listed = BULLET.match(text) or LEADERS.search(first.text)
    return Block("list_item" if listed else "paragraph", text, page=page)


def heading_level(text: str, group: Sequence[Line], page: int, layout: Layout) -> int:
    """1–6, or 0 for text that is no heading. The outline knows best, then numbering, size and boldness."""
    first = group[0]
    if len(text) > 200 or len(group) > 4 or not any(map(str.isalpha, text)):
        return 0
    folded = fold(text)
    for title, level in layout.outline.get(page, ()):
        numbered = folded.endswith(title) and len(folded) - len(title) <= 12 and NUMBERED.match(text)
        if title and (folded == title or numbered):
            layout.levels[round(first.size * 2) / 2] = min(level, 6)
            return min(level, 6)
    if CAPTION.match(text) or (len(text.split()) >= A_SENTENCE and text.endswith((".", "。"))):
        return 0
    level = 0
    size = round(first.size * 2) / 2
    if first.size > 1.12 * layout.body:
        level = layout.levels.get(size, 1)
    elif first.bold and not layout.bold and first.size > 0.9 * layout.body and is_title(text):
        level = layout.levels.get(size, min(max(layout.levels.values(), default=0) + 1, 6))
    if level and not layout.outline and (numbered := NUMBERED.match(text)):
        level = min(numbered[1].count(".") + 1, 6)
    return level


def is_title(text: str) -> bool:
    return len(text.split()) <= 14 and not text.endswith((".", ",", ";"))


def fold(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def code_text(group: Sequence[Line]) -> str:
    """Lines kept, indentation rebuilt from the places of the lines."""
    left = min(line.x0 for line in group)
    widths = [(line.x1 - line.x0) / len(line.text) for line in group if line.text]
    width = median(widths) if widths else 1.0
    indents = (" " * round((line.x0 - left) / max(width, 1.0)) for line in group)
    return "\n".join(indent + line.text.replace("\t", "    ") for indent, line in zip(indents, group, strict=True))
