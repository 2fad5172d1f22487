"""A written text → its sentences, their [n] taken out of the words, each with what stood before it on the page.

The pieces of a list, the rows of a table, headings and listings stay what they are: each is a sentence with its mark in
`lead`. Nothing inside code is taken for a sentence's end or for a citation.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from terrarium.model import Sentence
from terrarium.sentences import sentence_spans

_CITATION = re.compile(r"\s*\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]")
_CITATION_AFTER_STOP = re.compile(r"([.!?。！？])((?:\s*\[[\d,\s]+\])+)")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_MARK = re.compile(r"(?:#{1,6}|>|[-*+•]|\d{1,3}[.)])[ \t]+")
_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*$")  # between a table's head and its rows
_FILLER = "x"  # stands for code while sentences are sought: no stop, no bracket


def split_answer(text: str) -> list[Sentence]:
    """The sentences in order. What says nothing ("[1]", "---") is none, but stays in the next one's lead."""
    text = _outside_code(text, lambda part: _CITATION_AFTER_STOP.sub(lambda m: m[2] + m[1], part))
    hidden = _CODE.sub(lambda m: _FILLER * len(m.group()), text)
    found: list[Sentence] = []
    lead, after = "", 0
    for start, end in _spans(hidden):
        between, begin = hidden[after:start], start
        if after == 0 or "\n" in between:
            mark = _MARK.match(hidden, start, end)
            # Blanks before a mark say how deep its list is nested.
            lead += between + mark.group() if mark else "\n" * between.count("\n")
            begin = mark.end() if mark else start
        after = end
        numbers = [int(n) for group in _CITATION.findall(hidden[begin:end]) for n in group.split(",")]
        words = _balanced(_outside_code(text[begin:end], lambda part: _CITATION.sub("", part)).strip())
        if re.search(r"\w", words) and not _RULE.fullmatch(words):
            found.append(Sentence(words, tuple(dict.fromkeys(numbers)), lead=lead))
            lead = ""
        elif _RULE.fullmatch(words):
            lead += words
    return found


def plain(sentence: str) -> str:
    """Its words without marks of emphasis, code and table cells: what is held against a passage."""
    text = re.sub(r"^```\w*\n?|```$", "", sentence)
    return re.sub(r"\*\*|__|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)|^\||\|$", "", text).replace("|", " ").strip()


def _spans(hidden: str) -> list[tuple[int, int]]:
    """Sentences; a table's row and a listing are one each."""
    found: list[tuple[int, int]] = []
    start = 0
    for line in hidden.splitlines(keepends=True):
        end = start + len(line)
        if line.lstrip().startswith("|"):
            found.append((start + len(line) - len(line.lstrip()), start + len(line.rstrip())))
        else:
            found += [(start + a, start + b) for a, b in sentence_spans(line)]
        start = end
    return found


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    pieces, at = [], 0
    for code in _CODE.finditer(text):
        pieces += [change(text[at : code.start()]), code.group()]
        at = code.end()
    return "".join([*pieces, change(text[at:])])


def _balanced(words: str) -> str:
    """Without a mark of emphasis or code whose other half stands in another sentence."""
    for mark in ("**", "__", "`"):
        if words.count(mark) % 2:
            words = words.replace(mark, "")
    return words
