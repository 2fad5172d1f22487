"""Rules that write a sentence in another way, so that it still says the same: each gives None where it cannot."""

from __future__ import annotations

import random
import re

from .changes import MONTHS, pairs, swapped

_SYNONYMS = pairs("""
began>started|begin>start|large>big|large>sizeable|uses>employs|used>employed|shows>demonstrates
showed>demonstrated|built>constructed|helps>assists|bought>purchased|located in>situated in|because>since
several>a number of|obtain>get|many>numerous|important>significant|usually>normally|often>frequently
required>needed|provides>offers|created>made|near>close to|allows>lets|also>as well|such as>like|about>roughly
film>movie|wrote>authored|died>passed away|known as>called|released>published|if you want>if you wish
must be>has to be|verwendet>benutzt|benötigt>gebraucht|normalerweise>üblicherweise|müssen>sollten unbedingt
bekannt als>genannt|beginnt>fängt an|Rechner>Computer|auswählen>wählen|位于>坐落于|开始>起|以及>和|但是>但
目前>现在|由于>因为|成为>变成
""")
_STYLE = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
          "ten": "10", "twelve": "12", "twenty": "20", "percent": "%", "per cent": "%"}  # fmt: skip


def synonyms(sentence: str, rng: random.Random) -> str | None:
    return swapped(_SYNONYMS, sentence, rng)


def shortened(sentence: str, rng: random.Random) -> str | None:
    """Without what stands in brackets, or without a relative clause at the end."""
    if re.search(r"\b(?:unless|except|only|not|no)\b|n't", sentence):
        return None
    short = re.sub(r"\s*\([^()]*\)|（[^（）]*）", "", sentence)
    if short == sentence:
        short = re.sub(r",\s+(?:which|who|where|die|der|das|wobei)\b[^,]*([.])$", r"\1", sentence)
    return short if short != sentence and len(short) > 0.4 * len(sentence) else None


def clause_order(sentence: str, rng: random.Random) -> str | None:
    """“In 1990, it closed.” → “It closed in 1990.”"""
    match = re.match(r"^((?:In|On|After|During|When|If|Since|For|At|By) [^,]{3,60}), ([^,].*)\.$", sentence)
    if not match:
        return None
    main = match[2][0].upper() + match[2][1:]
    return f"{main} {match[1][0].lower() + match[1][1:]}."


def active(sentence: str, rng: random.Random) -> str | None:
    """“X was designed by Y.” → “Y designed X.”"""
    match = re.match(r"^([^,]{3,60}?) (?:was|were) (\w+ed) by ([^,.]{3,60})\.$", sentence)
    if not match:
        return None
    return f"{match[3][0].upper() + match[3][1:]} {match[2]} {match[1][0].lower() + match[1][1:]}."


def style(sentence: str, rng: random.Random) -> str | None:
    """Numbers and dates written in another way."""
    date = re.search(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})", sentence)
    if date:
        month = MONTHS.index(date[1]) + 1
        new = rng.choice([f"{date[2]} {date[1]} {date[3]}", f"{date[3]}-{month:02}-{int(date[2]):02}"])
        return sentence.replace(date.group(), new)
    date = re.search(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})", sentence)
    if date:
        return sentence.replace(date.group(), f"{date[2]} {date[1]}, {date[3]}")
    grouped = re.search(r"\b(\d{1,3}),(\d{3})\b(?![,.]\d)", sentence)
    if grouped:
        return sentence.replace(grouped.group(), grouped[1] + rng.choice(["", "’", "\u00a0"]) + grouped[2])
    word = next((word for word in _STYLE if re.search(rf"\b{word}\b", sentence)), None)
    return re.sub(rf"\b{word}\b", _STYLE[word], sentence, count=1) if word else None


def composed(question: str, answer: str) -> str | None:
    """What was asked as a statement with its short answer in it."""
    rules = (
        (r"^[Ww]h(?:o|at|ich \w+) (is|was|are|were|has|had|\w+ed|\w+s) (.+?)\??$", "{a} {1} {2}."),
        (r"^[Ww]hat (?:is|was) the (.+?)\??$", "The {1} is {a}."),
        (r"^[Ww]hen (?:was|were) (.+?) (\w+)\??$", "{1} was {2} in {a}."),
        (r"^[Ww]hen did (.+?) (\w+)\??$", "{1} did {2} in {a}."),
        (r"^[Ww]here (?:is|was) (.+?)(?: located)?\??$", "{1} is in {a}."),
        (r"^[Hh]ow many (\w+) (?:does|did|do) (.+?)\??$", "{2} {a} {1}."),
        (r"^[Ii]n what (\w+) (?:did|was) (.+?)\??$", "{2} in the {1} {a}."),
        (r"^(.+?)是(?:什么|谁|多少|哪\w)[？?]$", "{1}是{a}。"),
        (r"^(.+?)(?:什么时候|何时|哪年|哪一年)(.+?)[？?]$", "{1}{a}{2}。"),
    )  # fmt: skip
    for pattern, form in rules:
        if match := re.match(pattern, question):
            parts = {str(i): group for i, group in enumerate(match.groups(), start=1)}
            text = re.sub(r"\{(\w)\}", lambda m: answer if m[1] == "a" else parts[m[1]], form)  # noqa: B023
            return text[0].upper() + text[1:]
    return None
