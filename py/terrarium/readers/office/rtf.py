"""RTF → blocks (Microsoft's specification 1.9.1).

Paragraphs, headings, lists with their numbers, tables, notes, comments and text boxes behind the paragraph that they
hang on, heads and feet once at the end, the final view of tracked changes. Text that is switched off, or below two
points, is hidden text. Code pages, destinations and signs are striprtf's, whose own function gives one string in which
notes, boxes and heads are gone and rows and hidden text cannot be told; what is made of the tokens is ours.

Not read: pictures, objects but for the text that stands for them, drawings of old Word (\\do), text of the colour of
paper.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from striprtf.striprtf import destinations, specialchars

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.content import Content, Source
from terrarium.readers.office.rtf_fonts import Fonts
from terrarium.readers.office.rtf_story import Story
from terrarium.readers.office.rtf_tokens import BINARY, TOKEN, after_group

DEEPEST = 2000  # groups inside of groups; Word's own files stay below a hundred
MARGINS = {"header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"}
STORIES = {*MARGINS, "footnote", "annotation", "shptxt", "title", "pntext", "listtext", "atnauthor"}
OPENED = {*STORIES, "info", "fonttbl", "stylesheet", "shp", "shpgrp", "shpinst", "object", "result", "ud"}
SKIPPED = {*destinations} - OPENED
BREAKS = {"par", "sect", "page", "column"}
SMALLEST = 4  # half points


@dataclass(slots=True)
class State:
    """What a group's end takes back."""

    story: Story
    kind: str = ""  # of the destination that the group, or one around it, is
    font: str = ""
    fallback: int = 1  # characters that stand behind \\u for programs that do not know it
    hidden: bool = False
    small: bool = False
    deleted: bool = False


async def rtf_content(source: Source) -> Content:
    """Raises UnreadableFile for groups that nest without end."""
    reader = Reader(source.name)
    reader.read(source.data.decode("latin-1"))
    blocks = reader.body.blocks
    seen = {block.text for block in blocks}
    for block in reader.margins:
        if block.text not in seen and any(map(str.isalpha, block.text)):  # more than a page's number
            seen.add(block.text)
            blocks.append(replace(block, kind="paragraph", level=0))
    left = reader.objects
    warnings = [f"left out: {left} {'object' if left == 1 else 'objects'} inside of the text"] if left else []
    return Content(blocks, reader.title, warnings)


@dataclass(slots=True)
class Reader:
    name: str
    body: Story = field(default_factory=Story)
    margins: list[Block] = field(default_factory=list)
    title: str = ""
    objects: int = 0
    _fonts: Fonts = field(default_factory=Fonts)
    _stack: list[State] = field(default_factory=list)
    _bytes: bytearray = field(default_factory=bytearray)  # of letters that are not decoded yet
    _left: int = 0  # characters still to be passed over behind \\u
    _author: str = ""
    _notes: int = 0

    def read(self, text: str) -> None:
        state = State(self.body)
        place, end = 0, len(text)
        opening = False  # whether the group has just begun, where a destination may be named
        while place < end:
            token = TOKEN.match(text, place)
            if token is None:  # a backslash at the very end
                break
            place = token.end()
            word, argument, letter, sign, brace, plain = token.groups()
            if letter:
                if self._left:
                    self._left -= 1
                elif state.kind not in {"fonttbl", "stylesheet"}:
                    self._bytes.append(int(letter, 16))
                continue
            if plain:
                kept = plain[self._left :]
                self._left = max(0, self._left - len(plain))
                if state.kind == "stylesheet":
                    self.body.styles.named(kept)
                elif state.kind not in {"fonttbl", "info", "shp", "shpgrp", "shpinst", "object"}:
                    self._bytes += kept.encode("latin-1", "replace")
                opening = opening and not kept.strip()
                continue
            self._flush(state)
            if brace == "{":
                if len(self._stack) >= DEEPEST:
                    raise UnreadableFile(
                        f"“{self.name}” was not read: its groups are nested too deep (over {DEEPEST} levels)."
                    )
                self._left = 0
                self._stack.append(state)
                state = replace(state)
                opening = True
            elif brace:
                self._left = 0
                if not self._stack:
                    break
                ended, state = state, self._stack.pop()
                if ended.story is not state.story:
                    self._hang(ended, state)
                opening = False
                if not self._stack:
                    break  # what stands behind the document is not shown either
            elif sign == "*":
                # Of destinations that are marked so, those not known here are to be passed over.
                following = TOKEN.match(text, place)
                if not following or following[1] not in OPENED:
                    place = after_group(text, place) - 1
            elif sign:
                if self._left:
                    self._left -= 1
                else:
                    state.story.add("" if sign in "\r\n" else specialchars.get(sign, ""), self._unseen(state))
                    if sign in "\r\n":
                        state.story.end()
            elif word == BINARY:
                place += max(0, int(argument or 0))
            elif word in SKIPPED and opening:
                place = after_group(text, place) - 1
            elif word == "upr":  # the same twice, in letters of the code page and in Unicode
                first = text.find("{", place)
                place = after_group(text, first + 1) if first >= 0 else end
            elif word:
                opening = opening and word not in OPENED
                self._word(word, argument, state)
        self._flush(state)
        for outer in reversed(self._stack):
            if state.story is not outer.story:
                self._hang(state, outer)
            state = outer
        self.body.close()

    def _unseen(self, state: State) -> bool | None:
        return None if state.deleted else state.hidden or state.small

    def _flush(self, state: State) -> None:
        if self._bytes:
            state.story.add(self._fonts.decode(bytes(self._bytes), state.font), self._unseen(state))
            self._bytes.clear()

    def _word(self, word: str, argument: str | None, state: State) -> None:
        number = int(argument) if argument else None
        story = state.story
        if word in OPENED:
            state.kind = word
            self.objects += word == "object"
            if word in STORIES:
                state.story = Story(styles=story.styles)
                state.hidden = state.small = False
        elif state.kind == "fonttbl" or word in Fonts.WORDS:
            self._fonts.word(word, number, state.kind == "fonttbl")
            state.font = str(number) if word == "f" and state.kind != "fonttbl" else state.font
        elif state.kind == "stylesheet":
            story.styles.word(word, number)
        elif word == "u" and number is not None:
            story.add(chr(number & 0xFFFF), self._unseen(state))
            self._left = state.fallback
        elif word == "uc":
            state.fallback = max(0, number or 0)
        elif word in {"v", "deleted"}:
            setattr(state, "hidden" if word == "v" else word, number != 0)
        elif word == "fs":
            state.small = 0 < (number or 0) < SMALLEST
        elif word == "plain":
            state.hidden = state.small = state.deleted = False
            state.font = self._fonts.default
        elif word == "chftn":
            if state.kind == "footnote":
                story.sign = str(self._notes)
            else:
                self._notes += 1
        elif word in BREAKS:
            story.end()
        elif not story.word(word, number) and word in specialchars:
            if self._left:
                self._left -= 1
            else:
                story.add(specialchars[word], self._unseen(state))

    def _hang(self, ended: State, outer: State) -> None:
        """What the story of a group that ends belongs to."""
        story = ended.story
        story.close()
        text = " ".join(block.text for block in story.blocks if not block.hidden)
        match ended.kind:
            case "title":
                self.title = text
            case "atnauthor":
                self._author = text
            case "pntext" | "listtext":
                outer.story.label = text
            case "annotation":
                named = f"Comment by {self._author}: " if self._author else "Comment: "
                outer.story.hanging += [Block("paragraph", named + text)] if text else []
            case kind if kind in MARGINS:
                self.margins += story.blocks
            case _:
                outer.story.hanging += story.blocks
