"""The language of a document by counting its commonest words; Chinese, Japanese and Korean by script.

It says "" rather than guess: of mixed, short or other-language text it knows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from terrarium.model import Block

SAMPLE = 20_000  # characters, taken from the middle: covers and tables of contents mislead
WORD = re.compile(r"[^\W\d_]+")
COMMON = {
    "en": {"the", "of", "and", "to", "is", "that", "for", "with", "this", "are", "be", "it", "as", "not", "you"},
    "de": {"der", "die", "und", "das", "ist", "nicht", "den", "mit", "für", "werden", "ein", "auf", "sie", "von", "im"},
    "fr": {"le", "la", "les", "et", "des", "est", "une", "dans", "pour", "que", "qui", "sur", "pas", "du", "vous"},
    "es": {"el", "los", "las", "y", "que", "es", "una", "por", "para", "con", "del", "se", "como", "más", "no"},
}


def guess_language(blocks: Sequence[Block]) -> str:
    """ISO 639-1 code, or ""."""
    text = "\n".join(block.text for block in blocks if not block.hidden and block.kind != "code")
    start = max(0, len(text) // 2 - SAMPLE // 2)
    sample = text[start : start + SAMPLE].lower()
    han = len(re.findall("[\u4e00-\u9fff]", sample))
    if len(re.findall("[\u3040-\u30ff]", sample)) > 0.1 * len(sample):
        return "ja"
    if len(re.findall("[\uac00-\ud7af]", sample)) > 0.2 * len(sample):
        return "ko"
    if han > 0.2 * len(sample):
        return "zh"
    words = WORD.findall(sample)
    counts = sorted(((sum(word in common for word in words), code) for code, common in COMMON.items()), reverse=True)
    (first, code), (second, _) = counts[:2]
    return code if first > 0.08 * len(words) and first > 1.5 * second else ""
