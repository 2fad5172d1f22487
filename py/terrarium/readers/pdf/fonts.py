"""Fonts of a PDF that do not say which letters they draw: their text is numbers of glyphs, and left out.

Such fonts count their glyphs from 1, so that much of their text is control characters; the rest only looks like
letters. A page with hardly any other text is a picture to a reader, as a scan is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

CONTROL = re.compile("[\x01-\x1f]")  # NUL alone stands for single glyphs without a letter
SHARE = 0.2  # of a font's characters
FEW = 20  # control characters that tell nothing of a font
MOSTLY = 0.8  # of a page's characters


def without_meaningless(pages: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[int]]:
    """(the pages without the text of such fonts, the numbers of those that had any)."""
    letters: Counter[str] = Counter()
    controls: Counter[str] = Counter()
    for page in pages:
        for item in page["items"]:
            letters[item["font"]] += len(item["str"])
            controls[item["font"]] += len(CONTROL.findall(item["str"]))
    bad = {font for font, count in controls.items() if count > max(FEW, SHARE * letters[font])}
    if not bad:
        return list(pages), []
    result: list[Mapping[str, Any]] = []
    touched: list[int] = []
    for page in pages:
        kept = [item for item in page["items"] if item["font"] not in bad]
        if len(kept) < len(page["items"]):
            touched.append(page["number"])
            whole, left = (sum(len(item["str"]) for item in items) for items in (page["items"], kept))
            kept = [] if left < (1 - MOSTLY) * whole else kept
        result.append({**page, "items": kept})
    return result, touched
