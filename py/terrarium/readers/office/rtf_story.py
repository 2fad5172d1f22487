"""One run of text in an RTF (the body, a note, a text box) → paragraphs, headings, list items, rows of tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from terrarium.model import Block
from terrarium.readers.rows import row_blocks

HEADING = re.compile(r"\s*(?:heading|überschrift|titre|título|titolo|заголовок|标题)\s*([1-9])\b", re.IGNORECASE)
BODY_LEVEL = 9  # the outline level of what is no heading
SYMBOLS = re.compile("[\ue000-\uf8ff]")  # of fonts like Wingdings


@dataclass(slots=True)
class Styles:
    """Outline levels of the style sheet's entries."""

    levels: dict[int, int] = field(default_factory=dict)
    _style: int = 0

    def word(self, word: str, number: int | None) -> None:
        if word == "s":
            self._style = number or 0
        elif word in {"cs", "ds", "ts"}:
            self._style = -1
        elif word == "outlinelevel" and number is not None:
            self.levels[self._style] = number

    def named(self, name: str) -> None:
        if found := HEADING.match(name):
            self.levels.setdefault(self._style, int(found[1]) - 1)
            self._style = 0


@dataclass(slots=True)
class Story:
    styles: Styles = field(default_factory=Styles)
    blocks: list[Block] = field(default_factory=list)
    hanging: list[Block] = field(default_factory=list)  # notes, comments, boxes of the present paragraph
    label: str = ""  # "1." or a bullet, where the paragraph is an item of a list
    sign: str = ""  # of a note
    _seen: list[str] = field(default_factory=list)
    _unseen: list[str] = field(default_factory=list)
    _outline: int = BODY_LEVEL
    _listed: bool = False
    _level: int = 0
    _in_table: bool = False
    _cells: list[str] = field(default_factory=list)
    _grid: list[list[str]] = field(default_factory=list)
    _heads: bool = False  # whether the row that is being defined is a header
    _headed: bool = False  # whether the table's first row is one

    def add(self, text: str, hidden: bool | None) -> None:
        """`hidden` is None for what was deleted."""
        if hidden is not None:
            (self._unseen if hidden else self._seen).append(text)

    def word(self, word: str, number: int | None) -> bool:
        """Whether the word says anything of paragraphs or tables."""
        match word:
            case "pard":
                self._outline, self._listed, self._level, self._in_table = BODY_LEVEL, False, 0, False
            case "s":
                self._outline = self.styles.levels.get(number or 0, BODY_LEVEL)
            case "outlinelevel":
                self._outline = number if number is not None else BODY_LEVEL
            case "ls":
                self._listed = bool(number)
            case "ilvl":
                self._level = max(0, min(number or 0, 8))
            case "intbl":
                self._in_table = True
            case "trowd":
                self._heads = False
            case "trhdr":
                self._heads = True
            case "cell":
                seen, unseen = self._taken()
                self._cells.append(" ".join(seen.split()))
                self.hanging += [Block("paragraph", unseen, hidden=True)] if unseen else []
            case "nestcell" | "nestrow":
                self._seen.append(" ")
            case "row":
                self._headed = self._heads if not self._grid else self._headed
                self._grid.append(self._cells)
                self._cells = []
            case "line":
                self._seen.append("\n")
            case _:
                return False
        return True

    def end(self) -> None:
        """Of a paragraph; in a table it goes on in the same cell."""
        if self._in_table:
            self._seen.append(" ")
            return
        self._end_table()
        seen, unseen = self._taken()
        if seen and self.sign:
            seen, self.sign = f"{self.sign} {seen}", ""
        if seen and 0 <= self._outline < BODY_LEVEL:
            self.blocks.append(Block("heading", seen, level=min(self._outline + 1, 6)))
        elif seen:
            listed = self._listed or bool(self.label)
            self.blocks.append(Block("list_item", seen, level=self._level) if listed else Block("paragraph", seen))
        if unseen:
            self.blocks.append(Block("paragraph", unseen, hidden=True))
        self.blocks += self.hanging
        self.label, self.hanging = "", []

    def _taken(self) -> tuple[str, str]:
        """(what is seen, what is not) of the text so far, which begins anew; a list's number stands before it."""
        seen, unseen = tidied("".join(self._seen)), tidied("".join(self._unseen))
        self._seen, self._unseen = [], []
        label = SYMBOLS.sub("", self.label).strip()
        return f"{label} {seen}" if seen and any(map(str.isalnum, label)) else seen, unseen

    def _end_table(self) -> None:
        grid = [row for row in self._grid if any(row)]
        width = max(map(len, grid), default=0)
        # A frame of one cell around a text is no table.
        self.blocks += row_blocks(grid, self._headed) if width > 1 else [Block("paragraph", row[0]) for row in grid]
        self._grid, self._headed = [], False

    def close(self) -> None:
        self._in_table = False
        if self._cells:
            self._grid.append(self._cells)
            self._cells = []
        self.end()


def tidied(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()
