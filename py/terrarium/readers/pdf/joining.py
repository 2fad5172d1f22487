"""Lines → one text: words that are hyphenated at a line's end are whole again, real hyphens stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
KEEP_HYPHEN = {"all", "cross", "ex", "half", "high", "long", "low", "non", "self", "short", "so", "well"}


def join_lines(lines: Sequence[str], words: Counter[str]) -> str:
    """Lines of a paragraph as one; words hyphenated at a line's end are whole again."""
    text = ""
    for line in lines:
        if not text:
            text = line
        elif text.endswith("\u00ad"):
            text = text[:-1] + line
        elif text.endswith(("-", "‐")) and line[:1].isalpha() and text[-2:-1].isalpha():
            text = text[:-1] + ("-" if keeps_hyphen(text, line, words) else "") + line
        elif text.endswith(("-", "‐", "/")) and text[-2:-1].isalnum() and line[:1].isalnum():
            text += line
        elif CJK.match(text[-1]) and CJK.match(line):
            text += line
        else:
            text += " " + line
    return text.replace("\u00ad", "")


def keeps_hyphen(before: str, after: str, words: Counter[str]) -> bool:
    """Whether "before-" + "after" is a compound. The document's own vocabulary decides, then a few prefixes."""
    first = WORD.findall(before.casefold())[-1]
    second = WORD.findall(after.casefold())[0]
    if words[first + second]:
        return False
    if words[f"{first}-{second}"]:
        return True
    return len(first) == 1 or first in KEEP_HYPHEN or "-" in first or not after[:1].islower()
