"""The line that says where a chunk stands: "Title › Heading › Subheading".

Its length is estimated, so that it can be made again without a tokenizer; who must know its tokens counts them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

PATH_SEPARATOR = " › "
WIDE = (
    "\u2e80"  # from here on (CJK) a character is about a token, before it about a third of one (German is the measure)
)


def path_line(document_title: str, headings: Sequence[str], budget: int = 40) -> str:
    """Title and headings in about `budget` tokens at most: the title comes first, then the innermost headings."""
    title = shorten(unicodedata.normalize("NFKC", document_title).strip(), budget * 6 // 10)
    left = budget - weight(title)
    path: list[str] = []
    for heading in reversed([heading for heading in headings if heading != document_title]):
        shown = shorten(unicodedata.normalize("NFKC", heading), left)
        if not shown:
            break
        path.insert(0, shown)
        left -= weight(shown) + 1
    return PATH_SEPARATOR.join(part for part in [title, *path] if part)


def weight(text: str) -> int:
    """About how many tokens a text has."""
    wide = sum(character >= WIDE for character in text)
    return wide + -(-(len(text) - wide) // 3)


def shorten(text: str, tokens: int) -> str:
    """The beginning of the text that weighs at most `tokens`, cut between words, or "" when none fits."""
    if weight(text) <= tokens:
        return text
    if tokens < 3:
        return ""
    room = tokens if text[0] >= WIDE else tokens * 3
    cut = text[:room]
    return (cut.rpartition(" ")[0] or cut) if " " in text[: room + 1] else cut
