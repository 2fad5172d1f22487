"""How much stands in a document, as the report says it: words, tables, pages that were recognised.

Hidden text is not counted. Words are what white space separates and a letter or a digit stands in. In scripts without
spaces each Han, Hiragana or Katakana character is one, as office programs count them, and in Thai, Lao, Burmese and
Khmer five letters are, about their words' length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from terrarium.model import Block, Document

_CHARACTER = re.compile("[\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_RUN = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
_LETTERS = 5  # of a run that make a word
_WORD = re.compile(r"[^\W_]\S*")


@dataclass(frozen=True, slots=True)
class Counts:
    words: int
    tables: int
    recognised: int  # pages


def counts_of(document: Document) -> Counts:
    seen = [block for block in document.blocks if not block.hidden]
    pages = {word.page for word in document.recognised}
    return Counts(sum(words_of(block.text) for block in seen), tables_of(seen), len(pages))


def words_of(text: str) -> int:
    if text.isascii():
        return len(_WORD.findall(text))
    text, single = _CHARACTER.subn(" ", text)
    joined = sum(max(1, round(len(run) / _LETTERS)) for run in _RUN.findall(text))
    return single + joined + len(_WORD.findall(_RUN.sub(" ", text)))


def tables_of(blocks: Iterable[Block]) -> int:
    """Runs of rows: a page's end divides no table, a row's number that does not rise does."""
    tables, before = 0, None
    for block in blocks:
        if block.kind == "table_row":
            tables += before is None or 0 < block.row <= before
            before = block.row
        else:
            before = None
    return tables
