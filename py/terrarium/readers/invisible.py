"""Characters that nobody sees: taken out where they split words or carry a text of their own, else left.

Left: joiners in scripts whose letters join and in emoji, one variation selector behind a character that has variants,
tags in the flags of regions, breaks of scripts without spaces, direction marks at the edges of words, soft hyphens.
What is text of its own in them is spelled out (Unicode's tags are ASCII, variation selectors are used as bytes).
Letters that merely look like others are not looked at.
"""

from __future__ import annotations

import re

TAGS = "\U000e0000-\U000e007f"
SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
MARKS = "\u061c\u200e\u200f"
JOINING = (  # Hebrew, Arabic, Syriac, the Indic scripts, Tibetan, Burmese, Khmer, Mongolian, and what was added to them
    "\u0590-\u109f\u1700-\u18af\u1900-\u1aaf\u1b00-\u1c4f\ua840-\ua87f\ua8e0-\ua8ff\ua930-\uabff\U00010a00-\U00011fff"
)
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u1950-\u1aaf"
EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
UNSEEN = (
    "\u034f\u115f\u1160\u180e\u200b-\u200d\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    f"{MARKS}{SELECTORS}{TAGS}"
)
KEPT = (
    f"(?<=[{JOINING}])[\u200c\u200d](?![\u200c\u200d])",
    f"(?<=[{EMOJI}\ufe0f])\u200d(?=[{EMOJI}])",
    f"(?<=[{UNSPACED}])\u200b|\u200b(?=[{UNSPACED}])",
    f"(?<=[{HAN}{JOINING}{EMOJI}#*0-9])[{SELECTORS}](?![{SELECTORS}])",
    rf"(?<!\w)[{MARKS}]|[{MARKS}](?!\w)",
    "(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",
)
FOUND = re.compile(f"(?P<kept>{'|'.join(KEPT)})|(?P<carrier>[{TAGS}]+|[{SELECTORS}]{{2,}})|[{UNSEEN}]")
SUSPECT = re.compile(f"[{UNSEEN}]")


def without_invisible(text: str) -> tuple[str, str]:
    """(the text without them, what they spelled out or "")."""
    if text.isascii() or not SUSPECT.search(text):
        return text, ""
    carried: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        if match["carrier"]:
            carried.append(spelled(match[0]))
        return match["kept"] or ""

    return FOUND.sub(replaced, text), " ".join(filter(None, carried))


def spelled(carrier: str) -> str:
    """Tags stand for ASCII; variation selectors 1–256 for the bytes 0–255, read as UTF-8."""
    codes = [ord(character) for character in carrier]
    if codes[0] >> 7 == 0xE0000 >> 7:
        text = "".join(chr(code & 0x7F) for code in codes)
    else:
        numbers = (code - 0xFE00 if code < 0xE0100 else code - 0xE0100 + 16 for code in codes)
        text = bytes(numbers).decode("utf-8", "replace").replace("\ufffd", "")
    return "".join(character for character in text if character.isprintable())
