"""Bytes of a text file → text: byte order marks, UTF-8, UTF-16 without a mark, then charset-normalizer."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from charset_normalizer import from_bytes

from terrarium.errors import UnreadableFile
from terrarium.readers.plain.latin import latin_encoding
from terrarium.readers.plain.scripts import script_encoding

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
KOREAN_2022 = re.compile(rb"\x1b\$\)C")
JAPANESE = ("cp932", "euc_jp")
KANA = re.compile("[\u3041-\u30fe]")
HALF_WIDTH = re.compile("[\uff61-\uff9f]")  # what one of the two is when it is taken for the other
ISO_2022 = re.compile(rb"\x1b\$[@B]|\x1b\(J")
HZ = re.compile(rb"~\{(?:[!-w][!-~]){3,}~\}")  # Chinese in seven bits
CONTROL = re.compile(r"[\0-\x08\x0b\x0e-\x1f\x7f]")
ENOUGH = 20  # letters beyond ASCII, by which a guess is more than chance
SAMPLE = 64 * 1024  # bytes; charset-normalizer reads all it is given several times


def decode(data: bytes, name: str) -> tuple[str, list[str]]:
    """(text with "\\n" line ends, warnings). Raises UnreadableFile when the bytes are no text."""
    text, warnings = decode_known(data), list[str]()
    if text is None:
        encoding, exact = guess(data)
        text = data.decode(encoding, "replace")
        if not exact or "\ufffd" in text:
            warnings.append(f"the encoding of the text was guessed ({encoding}); some letters may be wrong")
    controls = len(CONTROL.findall(text))
    if controls > 0.1 * len(text):
        raise UnreadableFile(
            f"“{name}” is not text: {controls} of its {len(text)} characters are control codes. Is its ending right?"
        )
    text = CONTROL.sub("", text).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    return text.replace("\x85", "\n").replace("\u2028", "\n").replace("\u2029", "\n\n"), warnings


def decode_known(data: bytes) -> str | None:
    """Text of the encodings that can be told with certainty, else None."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if ISO_2022.search(data[:SAMPLE]):
        return data.decode("iso2022_jp", "replace")
    if KOREAN_2022.search(data[:SAMPLE]):
        return data.decode("iso2022_kr", "replace")
    if HZ.search(data[:SAMPLE]) and data.isascii():
        return data.decode("hz", "replace")
    wide = wide_encoding(data[:SAMPLE])
    if wide:
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def wide_encoding(sample: bytes) -> str | None:
    """UTF-32 and UTF-16 without a mark. Of the latter every other byte is one of two, zero (spaces, digits) and that of
    the script's letters; of the former two of four are zero."""
    if not len(sample) % 4 and sample:
        for high, encoding in ((sample[3::4], "utf-32-le"), (sample[::4], "utf-32-be")):
            middle = sample[2::4] if encoding == "utf-32-le" else sample[1::4]
            if not any(high) and middle.count(0) > 0.9 * len(middle):
                return encoding
    even, odd = sample[::2], sample[1::2]
    for high, low, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        common = sum(count for _, count in Counter(high).most_common(2))
        if 0 in high and low.count(0) < 0.02 * len(low) and common > 0.9 * len(high):
            return encoding
    return None


def guess(data: bytes) -> tuple[str, bool]:
    """(encoding, whether the guess is a sure one)."""
    if valid_share(data, "utf-8") > 0.999:
        return "utf-8", False  # UTF-8 with a few broken bytes
    sample = data[:SAMPLE]
    for encoding in JAPANESE:
        if is_japanese(sample, encoding):
            return encoding, True
    best = from_bytes(sample).best()
    guessed = best.encoding if best else "cp1252"
    encoding, explained = latin_encoding(sample, guessed)
    if explained is not None:
        return encoding, explained
    by_words = script_encoding(sample)
    letters = sum(c > "\x7f" and c.isalpha() for c in sample.decode(encoding, "replace"))
    sure = best is not None and best.chaos < 0.1 and letters >= ENOUGH
    return (by_words, True) if by_words else (encoding, sure)


def is_japanese(sample: bytes, encoding: str) -> bool:
    text = sample.decode(encoding, "replace")
    beyond = sum(c > "\x7f" for c in text)
    strange = text.count("\ufffd") + len(HALF_WIDTH.findall(text))
    return len(KANA.findall(text)) > 0.2 * beyond and strange <= 0.01 * beyond


def valid_share(data: bytes, encoding: str) -> float:
    text = data.decode(encoding, "replace")
    return 1 - text.count("\ufffd") / max(len(text), 1)
