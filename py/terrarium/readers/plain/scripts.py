"""Which 8-bit encoding a text in Cyrillic, Greek, Hebrew or Arabic letters is in, by the commonest words of the
languages that are written in them.

A statistical guess takes a short text in one of these for another: both give letters, but words in one of them only.
"""

from __future__ import annotations

from terrarium.readers.language import COMMON, WORD

ENCODINGS = {
    "Cyrillic": ("cp1251", "koi8_u", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic", "cp855"),
    "Greek": ("cp1253", "iso8859_7", "cp737", "mac_greek"),
    "Hebrew": ("cp1255", "cp862", "iso8859_8"),
    "Arabic": ("cp1256", "iso8859_6", "cp720"),
}
GREEK = "και το τα να του της η ο με για που από στο στη σε ένα δεν είναι τη την τον των οι"
WORDS = {script: frozenset(" ".join(COMMON.get(script, {"el": GREEK}).values()).split()) for script in ENCODINGS}
FEWEST = 2  # different words that must be found
LEAST = 0.08  # of all words


def script_encoding(data: bytes) -> str:
    """The encoding in which most of the commonest words are found, "" when hardly any are in any."""
    best, most = "", 0.0
    for script, encodings in ENCODINGS.items():
        for encoding in encodings:
            words = WORD.findall(data.decode(encoding, "replace").lower())
            found = [word for word in words if word in WORDS[script]]
            # In one letter too many others may be read.
            worth = sum(1 if len(word) > 1 else 0.3 for word in found)
            if len(set(found)) >= FEWEST and worth > max(most, LEAST * len(words)):
                best, most = encoding, worth
    return best
