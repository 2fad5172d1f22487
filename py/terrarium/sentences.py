"""Where sentences begin and end: by rules, for Latin and CJK punctuation, without a model.

Rule-based splitting errs on odd abbreviations; it never cuts inside numbers, versions, addresses or file names,
because a full stop ends a sentence only before white space. A line break always ends one: readers join the lines of
a paragraph, so what still is a line stands for itself.
"""

from __future__ import annotations

import re

# Possessive, so that a million full stops in a row cost a million steps and not their square.
BOUNDARY = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)"  # Latin: only before white space
    r"|[。！？｡．]+[」』”’）】〉》\"')]*(?!\d)"  # CJK: white space is not needed
    r"|\n\s*"
)
WORD_BEFORE = re.compile(r"([^\s(\[“\"'„‚«]*)$")
ABBREVIATIONS = frozenset(
    """e.g i.e etc cf vs viz al approx resp incl excl esp ca no nos nr art sec sect ch chap fig figs eq eqs tab vol vols
    pp p ed eds rev dr mr mrs ms prof st sr jr gen col lt capt hon rep sen gov inc ltd co corp dept est min max tel ext
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k u.n a.m p.m ph.d m.sc b.sc
    z.b d.h u.a u.u s.o s.u o.ä u.ä bzw usw ggf evtl vgl inkl exkl zzgl abs abschn bsp bspw nr str hr fr hrsg jh mio
    mrd sog u.v.m d.i i.d.r u.s.w gem lt abb kap anm aufl bd
    m mme mlle p.ex c.-à-d env chap av sra sres ud uds pág págs núm ej p.ej""".split()  # noqa: SIM905
)
MONTHS = re.compile(
    r"\s+(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Auflage|Kapitel)\b"
)
CLAUSES = (
    re.compile(r"\s\|\s|\t+|\n+"),
    re.compile(r"[;；。!?！？][\"'”’)]*\s*"),
    re.compile(r"[,:，、：—–]\s*"),
    re.compile(r"\s+"),
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence, white space around it left out; together they hold all that is not white."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in BOUNDARY.finditer(text):
        end = match.end()
        if text[match.start()] == "." and not ends_sentence(text, start, match.start(), end):
            continue
        add(spans, text, start, end)
        start = end
    add(spans, text, start, len(text))
    return spans


def add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append((first, first + len(stripped)))


def ends_sentence(text: str, start: int, stop: int, end: int) -> bool:
    """Whether the full stop at `stop` of the sentence begun at `start` ends it."""
    following = text[end : end + 40].lstrip()
    if following[:1].islower():
        return False
    found = WORD_BEFORE.search(text, max(start, stop - 30), stop)
    word = found[1].lower() if found else ""
    if not word:
        return stop > start and end - stop < 3  # "…" and ". . ." go on
    if word in ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
        return False
    if word.isdigit() and len(word) < 4:
        # "3. Oktober"; and "12." that opens a line is a number of a list
        return not MONTHS.match(text, end) and bool(text[start : stop - len(word)].strip(" \n\t(["))
    return True


def split_span(text: str, start: int, end: int, parts: int) -> list[tuple[int, int]]:
    """Cut a sentence or row that is too long into about `parts` pieces: after cells or clauses, else at white space.

    Every cut is the best mark in the third of the ideal piece before its end, or that end where there is none; the
    pieces hold all that is not white.
    """
    spans: list[tuple[int, int]] = []
    while parts > 1 and end - start > 1:
        ideal = max(1, (end - start) // parts)
        low = start + max(1, ideal * 2 // 3)
        high = min(start + ideal, end - 1)
        cut = next((c for pattern in CLAUSES if (c := last_cut(pattern, text, low, high))), high)
        add(spans, text, start, cut)
        start = cut
        parts -= 1
    add(spans, text, start, end)
    return spans


def last_cut(pattern: re.Pattern[str], text: str, low: int, high: int) -> int:
    """End of the last match that lies in text[low:high], or 0."""
    return max((match.end() for match in pattern.finditer(text, low, high)), default=0)
