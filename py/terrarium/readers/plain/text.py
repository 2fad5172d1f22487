"""Plain text → blocks: paragraphs by blank lines, with headings, lists, tables and listings told by their looks.

Hard-wrapped lines are joined to paragraphs; lines that stand for themselves (tables, logs, verse) stay lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from terrarium.model import Block
from terrarium.sentences import sentence_spans

LONGEST = 2000  # characters of one block; more is cut at sentences, then at lines
LINE_GROUP = 10  # lines of a listing in one block
RULE = re.compile(r"^\s*([=\-~^*_#+])\1{2,}\s*$")
UNDERLINE_LEVELS = {"=": 1, "*": 1, "#": 1, "-": 2, "~": 3, "^": 4, "+": 4}
NUMBER = re.compile(
    r"^\s*(?:(?:chapter|section|appendix|article|kapitel|abschnitt|chapitre)\s+)?"
    r"(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
CHINESE_NUMBER = re.compile(r"^\s*第[0-9一二三四五六七八九十百零]+[章节節条條篇编編部]")
ITEM = re.compile(r"^\s*(?:[-*+•◦‣–]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]+)[.)])\s+\S")
CELLS = re.compile(r"\S(?:\t+| {3,}|\s*\|\s*)(?=\S)")


def text_blocks(text: str) -> tuple[list[Block], str]:
    """(blocks, title: the first line where it is set apart from the margin)."""
    blocks: list[Block] = []
    groups = list(paragraphs(text))
    section = ""  # number of the last numbered heading
    for i, lines in enumerate(groups):
        following = groups[i + 1] if i + 1 < len(groups) else []
        for block in group_blocks(lines, following):
            number = NUMBER.match(block.text)
            found = [block]
            if number and block.kind == "list_item" and follows(number[1], section):
                found = run_in_heading(block, number.end(), number[1].count(".") + 1)
            blocks += found
            if number and found[0].kind == "heading":
                section = number[1]
    centred = groups and len(groups[0]) <= 3 and min(map(indent, groups[0])) >= 8
    return blocks, squeeze(groups[0][0]) if centred else ""


def follows(number: str, before: str) -> bool:
    """Whether "2.4" comes after "2.3"."""
    *parents, last = number.split(".")
    return last.isdigit() and before == ".".join([*parents, str(int(last) - 1)])


def run_in_heading(block: Block, start: int, level: int) -> list[Block]:
    """The title that opens "2. Grant of Licence. Subject to …" as a heading, the rest as a paragraph."""
    spans = sentence_spans(block.text[start:])
    end = start + spans[0][1] if spans else start
    if len(spans) < 2 or end - start > 60 or not block.text[start].isupper():
        return [block]
    return [Block("heading", block.text[:end], level=min(level, 6)), Block("paragraph", block.text[end:].strip())]


def paragraphs(text: str) -> Iterator[list[str]]:
    """Groups of lines between blank lines and rules; a heading keeps the rule under it."""
    group: list[str] = []
    for line in text.split("\n"):
        rule = RULE.match(line)
        title = len(group[0].strip()) if len(group) == 1 else 0
        if rule and 0 < title <= 100 and len(line.strip()) >= 0.6 * title:
            yield [group[0], line]
            group = []
        elif not line.strip() or rule:
            if group:
                yield group
            group = []
        else:
            group.append(line)
    if group:
        yield group


def group_blocks(lines: Sequence[str], following: Sequence[str]) -> list[Block]:
    if len(lines) == 2 and (rule := RULE.match(lines[1])):
        return [Block("heading", squeeze(lines[0]), level=UNDERLINE_LEVELS.get(rule[1], 3))]
    level = heading_level(lines, following)
    if level:
        return [Block("heading", squeeze(" ".join(lines)), level=level)]
    if sum(bool(CELLS.search(line)) for line in lines) > 0.6 * len(lines) and len(lines) > 1:
        return [Block("table_row", squeeze_cells(line)) for line in lines]
    if ITEM.match(lines[0]) or (len(lines) > 2 and sum(bool(ITEM.match(line)) for line in lines) > 0.3 * len(lines)):
        return list_blocks(lines)
    if len(lines) > 1 and not is_wrapped(lines):
        return line_blocks(lines)
    return cut(squeeze(" ".join(lines)))


def heading_level(lines: Sequence[str], following: Sequence[str]) -> int:
    """1–6, or 0. Numbered titles stand alone; a run of numbered lines is a list."""
    text = squeeze(" ".join(lines))
    if len(lines) > 3 or len(text) > 160 or not following:
        return 0
    if CHINESE_NUMBER.match(text) and len(text) <= 40:
        return 2
    numbers = [NUMBER.match(line) for line in lines]
    if numbers[0] and sum(map(bool, numbers)) == 1:
        depth = numbers[0][1].count(".") + 1
        title = text[len(squeeze(numbers[0][0])) :].strip()
        next_number = NUMBER.match(following[0])
        listed = depth == 1 and next_number and next_number[1].count(".") == 0
        whole = len(sentence_spans(title)) == 1 or title.endswith("?")
        plain = title[:1].isupper() and not title.endswith((",", ";", ":")) and whole
        if plain and not listed and (depth > 1 or len(text) <= 90):
            return min(depth, 6)
    capitals = text == text.upper() != text.lower() and sum(map(str.isalpha, text)) >= 4
    alone = len(lines) == 1 and len(text) <= 80 and text[-1] not in ".,;|"
    return 2 if capitals and alone and not ITEM.match(text) and not CELLS.search(lines[0].strip()) else 0


def list_blocks(lines: Sequence[str]) -> list[Block]:
    """One block an item; lines that begin none go on with the item before."""
    items: list[list[str]] = []
    for line in lines:
        if items and not ITEM.match(line):
            items[-1].append(line)
        else:
            items.append([line])
    indents = sorted({indent(item[0]) for item in items})
    return [
        Block(block.kind if i else "list_item", block.text, level=min(indents.index(indent(item[0])), 5))
        for item in items
        for i, block in enumerate(cut(squeeze(" ".join(item))))
    ]


def is_wrapped(lines: Sequence[str]) -> bool:
    """Whether the lines are one paragraph, broken where the margin was."""
    widths = [len(line.rstrip()) for line in lines]
    widest = max(widths)
    if widest > 200:
        return False  # an editor's long lines: each one is a paragraph
    full = sum(width > 0.7 * widest for width in widths[:-1])
    return widest >= 40 and full >= 0.7 * (len(lines) - 1)


def line_blocks(lines: Sequence[str]) -> list[Block]:
    """Lines that stand for themselves: long ones each a paragraph, short ones in groups."""
    if max(map(len, lines)) > 200:
        return [block for line in lines for block in cut(squeeze(line))]
    left = min(map(indent, lines))
    shown = [line.expandtabs(4)[left:].rstrip() for line in lines]
    return [Block("paragraph", "\n".join(shown[i : i + LINE_GROUP])) for i in range(0, len(shown), LINE_GROUP)]


def cut(text: str) -> list[Block]:
    """A paragraph, in pieces of whole sentences when it is very long."""
    if len(text) <= LONGEST:
        return [Block("paragraph", text)]
    pieces: list[Block] = []
    start = end = 0
    for first, last in sentence_spans(text):
        if last - start > LONGEST and end > start:
            pieces.append(Block("paragraph", text[start:end]))
            start = first
        end = last
    return [*pieces, Block("paragraph", text[start:])]


def indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def squeeze(text: str) -> str:
    return " ".join(text.split())


def squeeze_cells(line: str) -> str:
    return "\t".join(part.strip() for part in re.split(r"\t+| {3,}", line.strip()))
