"""RTF cut into control words, signs, groups and text, and where a group ends."""

from __future__ import annotations

import re

# Word and argument, \'xx, sign, brace, text; line ends mean nothing.
TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n\0]+)|[\r\n\0]+",
    re.DOTALL,
)
BINARY = "bin"
PASSED = re.compile(r"\\bin(\d{1,9}) ?|\\.|[{}]", re.DOTALL)


def after_group(text: str, place: int) -> int:
    """Behind the brace that ends the group around `place`; megabytes of pictures are passed over at once."""
    depth = 1
    while found := PASSED.search(text, place):
        place = found.end() + int(found[1] or 0)
        depth += (found[0] == "{") - (found[0] == "}")
        if not depth:
            return place
    return len(text) + 1
