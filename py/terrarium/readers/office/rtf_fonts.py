"""The code pages of an RTF: the document's own, and those of its fonts."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from striprtf.striprtf import charset_map

ANSI, DEFAULT, SYMBOL = 0, 1, 2  # character sets that say no more than the document's own code page
MACHINES = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


@dataclass(slots=True)
class Fonts:
    WORDS = {*MACHINES, "ansicpg", "deff", "f"}

    encoding: str = "cp1252"
    default: str = ""
    _encodings: dict[str, str] = field(default_factory=dict)
    _font: str = ""  # that the table is speaking of

    def word(self, word: str, number: int | None, in_table: bool) -> None:
        if word in MACHINES:
            self.encoding = MACHINES[word]
        elif word == "ansicpg":
            self.encoding = known(f"cp{number}", self.encoding)
        elif word == "deff":
            self.default = str(number)
        elif in_table and word == "f":
            self._font = str(number)
        elif word == "fcharset" and number not in {ANSI, DEFAULT, SYMBOL, None}:
            self._encodings[self._font] = known(charset_map.get(number, self.encoding), self.encoding)
        elif word == "cpg":
            self._encodings[self._font] = known(f"cp{number}", self.encoding)

    def decode(self, data: bytes, font: str) -> str:
        return data.decode(self._encodings.get(font, self.encoding), "replace")


def known(encoding: str, otherwise: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return otherwise
