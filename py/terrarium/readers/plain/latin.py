"""Which 8-bit encoding a text in Latin letters is in, by the alphabets of the languages that are written in each.

A statistical guess takes French in Windows-1252 for Windows-1250: both give letters, but those of no one language.
"""

from __future__ import annotations

from collections.abc import Sequence

# In the order in which they are tried: of two that explain a text equally well the more common one stands first.
LANGUAGES = {
    "cp1252": (
        "äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "ãáàâçéêíõôóú", "àèéìíîòóù", "áéëèïíóöüú", "åäöé", "æøåéóòô",
        "áæéíðóöúýþ", "àçéèíïóòúü·",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "iso8859_2": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("çğıöşüâîûi̇",),
    "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž"),
    "iso8859_15": ("àâæçéèêëîïôœùûüÿ", "åäöéšž", "äöüß", "áéíñóúü", "ãáàâçéêíõôóú", "àèéìíîòóù", "åäöé", "æøåéóòô"),
    "mac_roman": ("äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "ãáàâçéêíõôóú", "åäöé", "æøåéóòô"),
    "cp850": ("äöüß", "àâæçéèêëîïôùûüÿ", "áéíñóúü", "ãáàâçéêíõôóú", "åäöé", "æøåéóòô", "áæéíðóöúýþ"),
    "cp852": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű"),
    "mac_latin2": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű"),
}  # fmt: skip
WESTERN = "".join(LANGUAGES["cp1252"][:6])  # of texts in several of these languages
SIGNS = set("“”„‚‘’«»‹›–—…€§°•·©®™£¡¿ºª²³½\xa0\xad")
SURE = 0.97  # of the letters beyond ASCII that one language explains
STRAY = 3  # letters of another script, as which two Latin ones side by side may be read
LATIN_END = "\u0250"


def latin_encoding(data: bytes, guessed: str) -> tuple[str, bool | None]:
    """(encoding, whether a language explains it), starting from a guess; other scripts keep the guess, and None."""
    beyond = [c for c in data.decode(guessed, "replace") if c > "\x7f" and c.isalpha()]
    others = sum(c >= LATIN_END for c in beyond)
    if others > max(0.1 * len(beyond), STRAY):
        return guessed, None
    scores = {encoding: explained(data, encoding, letters) for encoding, letters in LANGUAGES.items()}
    best = max(scores, key=lambda encoding: scores[encoding])  # the first of several
    if scores[best] >= SURE:
        return best, True
    if others > 0.1 * len(beyond):
        return guessed, None
    western = explained(data, "cp1252", (WESTERN,)) >= SURE
    return ("cp1252" if western else guessed), western


def explained(data: bytes, encoding: str, alphabets: Sequence[str]) -> float:
    """The share of the characters beyond ASCII that the language which fits best has, 0 for impossible bytes."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    inside = [
        c
        for before, c, after in zip(" " + text, text, text[1:] + " ", strict=False)
        if c > "\x7f" and not (c in SIGNS and (c in "’\xad·" or not (before.isalpha() and after.isalpha())))
    ]
    if not inside:
        return 1.0
    return max(sum(c.lower() in letters for c in inside) / len(inside) for letters in alphabets)
