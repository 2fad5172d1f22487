"""Subtitles (SubRip, WebVTT) → blocks: cues joined to whole sentences, with the time as the heading of each minute.

Formatting, positions and notes to the translator are left out; names of speakers stay.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from terrarium.model import Block
from terrarium.readers.looks import TIMES

SPEAKER = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
MARKUP = re.compile(r"</?[a-zA-Z0-9:.][^<>\n]*>|\{\\[^{}\n]*\}")
ENDS = re.compile(r"[.!?…。！？][\"'”’»)\]♪]*$|♪$")
SECTION = 60  # seconds after which the next sentence gets a heading
PAUSE = 4  # seconds of silence that end what has no full stop
LONGEST = 600  # characters of a paragraph: captions of machines have no full stops at all


@dataclass(frozen=True, slots=True)
class Cue:
    start: int  # seconds
    end: int
    text: str


def subtitle_blocks(text: str) -> tuple[list[Block], str]:
    """(blocks, "")."""
    blocks: list[Block] = []
    headed = -SECTION
    for start, said in utterances(cues(text)):
        if start >= headed + SECTION:
            blocks.append(Block("heading", clock(start), level=1))
            headed = start
        blocks.append(Block("paragraph", said))
    return blocks, ""


def cues(text: str) -> Iterator[Cue]:
    """A cue's number or name stands before its times, behind the empty line that ends the cue before."""
    found = list(TIMES.finditer(text))
    last = ""
    for times, following in zip_longest(found, found[1:]):
        body = text[times.end() : following.start() if following else len(text)].lstrip("\n")
        lines = re.split(r"\n[ \t]*(?:\n|\Z)", body, maxsplit=1)[0].split("\n")
        if following and len(lines) > 1 and lines[-1].strip().isdigit() and "\n\n" not in body.rstrip():
            lines.pop()  # without an empty line between, the number of the next cue
        shown = [clean(line) for line in lines]
        if shown and shown[0] == last:
            del shown[0]  # captions that roll show each line twice
        last = shown[-1] if shown else last
        hours, minutes, seconds, *end = (int(group or 0) for group in times.groups())
        if said := " ".join(filter(None, shown)):
            yield Cue(3600 * hours + 60 * minutes + seconds, 3600 * end[0] + 60 * end[1] + end[2], said)


def clean(line: str) -> str:
    named = SPEAKER.sub(r"\1: ", line)
    return " ".join(html.unescape(MARKUP.sub("", named)).split())


def utterances(found: Iterator[Cue]) -> Iterator[tuple[int, str]]:
    """(start in seconds, cues up to the end of a sentence)."""
    start = end = 0
    parts: list[str] = []
    for cue in found:
        if parts and (cue.start > end + PAUSE or ENDS.search(parts[-1]) or sum(map(len, parts)) > LONGEST):
            yield start, " ".join(parts)
            parts = []
        if not parts:
            start = cue.start
        parts.append(cue.text)
        end = cue.end
    if parts:
        yield start, " ".join(parts)


def clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
