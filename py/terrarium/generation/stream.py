"""What may be painted of a text that is still being written: the answer, and no debris around it.

Taken out: control tokens of the pinned generators and of common chat templates (they end the answer), thoughts between
think tags, names of roles, half characters, and a sentence that was written before (the text runs in a circle).

A few steps, each from a text to the part of it that is certain by now. What a step holds back may still become
something that it takes out. So the painted text only grows, and how it was cut into pieces makes no difference.

Only text is looked at: tokens that end an answer and circles of tokens are `generator.py`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Literal

Cut = Literal["control", "stop_string", "loop"]

REPLACEMENT = "\ufffd"
# Each is one token of a pinned generator. As text, whatever has this form is known by it.
BAR_TOKENS = tuple(
    f"<|{name}|>"
    for name in """endoftext im_start im_end object_ref_start object_ref_end box_start box_end quad_start quad_end
    vision_start vision_end vision_pad image_pad video_pad fim_prefix fim_middle fim_suffix fim_pad repo_name
    file_sep""".split()
)
CHAT_TOKENS = tuple(
    """<s> </s> [INST] [/INST] <<SYS>> <</SYS>> <start_of_turn> <end_of_turn> <tool_call> </tool_call> </think>
    </thinking>""".split()
)
# One generator's own, in whose texts they are debris. To another, "<filename>" may be a word.
OWN_TOKENS = tuple(
    """<repo_name> <reponame> <file_sep> <filename> <gh_stars> <issue_start> <issue_comment> <issue_closed>
    <jupyter_start> <jupyter_text> <jupyter_code> <jupyter_output> <jupyter_script> <empty_output>""".split()
)
CONTROL_TOKENS = (*BAR_TOKENS, *CHAT_TOKENS, *OWN_TOKENS)
LEAST_REPEATED = 12  # characters without white space: "Yes." may stand twice

_THOUGHT, _THOUGHT_ENDS = ("<think>", "<thinking>"), ("</think>", "</thinking>")
_BAR_TOKEN = r"<\|[A-Za-z0-9_.-]{1,32}\|>"
_BAR_TOKEN_BEGUN = re.compile(r"<(?:\|(?:[A-Za-z0-9_.-]{1,32}\|?)?)?")
_LONGEST_TOKEN = 40
_ROLES = ("assistant", "user", "system")
_SPEAKERS = (*_ROLES, "human", "answer")
_TURNS = (*_ROLES, "human", "question", "sources")
_ALONE = rf"(?:{'|'.join(_ROLES)})[ \t]*\n"
_SPEAKER = re.compile(rf"(?:(?ai:{'|'.join(_SPEAKERS)})[ \t]*:|{_ALONE})\s*")
_TURN = re.compile(rf"\n[ \t]*(?:(?ai:{'|'.join(_TURNS)})[ \t]*:|{_ALONE})")
_LINE_ENDS = re.compile(r"\n\s*\Z")
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_LIST_MARK = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s")
_LIST_MARK_BEGUN = re.compile(r"(?:[-*+•]|\d{1,2}[.)]?)?")
_OPEN_ITEM = re.compile(r"\n[ \t]*(?:[-*+•]|\d{1,2}[.)]?)?\s*\Z")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n\s*")
_CITATION = re.compile(r"\[[\d,\s]*(?:\]|\Z)")
_FENCE = "```"


def visible_text(raw: str, *, final: bool = False, tokens: Sequence[str] = CONTROL_TOKENS) -> tuple[str, Cut | None]:
    """The part of a text that may be painted, and what ended the text there, if anything did.

    `final`: nothing more is coming, so what was held back is shown, unless it is the beginning of a control token.
    `tokens` are taken for control tokens, besides everything of the form <|…|>.
    """
    text, ended = _spoken(raw.rstrip(REPLACEMENT).replace(REPLACEMENT, "").lstrip(), tuple(tokens))
    cut: Cut | None = "control" if ended else None
    for step, name in _STEPS:
        whole = final or cut is not None
        text, ended = step(text.rstrip() + "\n" if whole else text, whole)  # the line end decides what was undecided
        cut = name if ended else cut
    if cut == "loop" or not (final or cut):
        text = _OPEN_ITEM.sub("", text)
    return text.rstrip(), cut


@lru_cache
def _marks(tokens: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join((_BAR_TOKEN, *map(re.escape, (*_THOUGHT, *tokens)))))


def _spoken(raw: str, tokens: tuple[str, ...]) -> tuple[str, bool]:
    """The text before the first control token, without thoughts; one that is not closed hides the rest."""
    kept, at = "", 0
    while found := _marks(tokens).search(raw, at):
        kept += raw[at : found.start()]
        if found[0] not in _THOUGHT:
            return kept, True
        inside = [mark for mark in _marks(tokens).finditer(raw, found.end()) if mark[0] not in _THOUGHT]
        if not inside or inside[0][0] not in _THOUGHT_ENDS:
            return kept, bool(inside)
        kept += " " if kept and not kept[-1].isspace() else ""
        at = len(raw) - len(raw[inside[0].end() :].lstrip())
    rest = raw[at:]
    for place in range(max(0, len(rest) - _LONGEST_TOKEN), len(rest)):
        if rest[place] in "<[" and _token_begun(rest[place:], tokens):
            return kept + rest[:place], False
    return kept + rest, False


def _token_begun(text: str, tokens: tuple[str, ...]) -> bool:
    return bool(_BAR_TOKEN_BEGUN.fullmatch(text)) or any(one.startswith(text) for one in (*_THOUGHT, *tokens))


def _own_turn(text: str, whole: bool) -> tuple[str, bool]:
    """Without the name of who speaks before it, and up to the turn of somebody else."""
    while found := _SPEAKER.match(text):
        text = text[found.end() :]
    if not whole and _may_name(text, _SPEAKERS):
        return "", False
    if found := _TURN.search(text):
        return text[: found.start()], True
    before, line_end, line = text.rpartition("\n")
    held = not whole and line_end and _may_name(line, _TURNS)
    return (_LINE_ENDS.sub("", before + line_end) if held else text), False


def _may_name(text: str, names: Collection[str]) -> bool:
    """Whether a line that is not finished may become one of the names."""
    return any(name.startswith(text.strip(" \t").lower()) for name in names)


def _first_paragraph(text: str, whole: bool) -> tuple[str, bool]:
    """Up to the first blank line that leads into no list and stands in no code.

    What small generators write behind it is another question and its answer, or the same once more.
    """
    for found in _BLANK_LINE.finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        if before.rstrip().endswith((":", "：")) or before.count(_FENCE) % 2 or _LIST_MARK.match(after):
            continue
        return before, whole or not _LIST_MARK_BEGUN.fullmatch(after)
    return text, False


def _said_once(text: str, whole: bool) -> tuple[str, bool]:
    """Up to a sentence that was said before; what may become one is held back until it differs."""
    said: set[str] = set()
    start = 0
    for found in _SENTENCE_END.finditer(text):
        sentence = _key(text[start : found.start()])
        in_code = text.count(_FENCE, 0, start) % 2
        if sentence in said and not in_code:
            return text[:start], True
        if len(sentence) >= LEAST_REPEATED:
            said.add(sentence)
        start = found.end()
    if whole or not text[start:].strip() or text.count(_FENCE, 0, start) % 2:
        return text, False
    begun = _key(text[start:])
    return (text[:start] if any(one.startswith(begun) for one in said) else text), False


def _key(sentence: str) -> str:
    """What two copies of a sentence share: neither white space nor citations nor capitals count."""
    return "".join(_CITATION.sub("", sentence).casefold().split())


_STEPS: tuple[tuple[Callable[[str, bool], tuple[str, bool]], Cut], ...] = (
    (_own_turn, "stop_string"),
    (_first_paragraph, "stop_string"),
    (_said_once, "loop"),
)
