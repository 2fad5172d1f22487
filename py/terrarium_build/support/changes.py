"""Rules that change a sentence so that it no longer says the same: each gives None where it cannot.

The words are few and the rules blunt on purpose: what the check is measured on must not be made by the check's own
lists, so numbers, negations and comparisons are changed here by lists of their own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from terrarium.questions.wording import content_words, grammar_words

Change = Callable[[str, random.Random], str | None]


def pairs(lines: str) -> list[tuple[str, str]]:
    rows = (row.split(">") for line in lines.strip().splitlines() for row in line.split("|"))
    return [(old, new) for old, new in rows]


_UNITS = pairs("""
days>weeks|weeks>months|months>days|years>months|hours>minutes|minutes>hours|seconds>minutes|KB>MB|MB>GB|GB>MB
kilobytes>megabytes|megabytes>gigabytes|km>miles|miles>kilometres|metres>feet|meters>feet|feet>metres
million>billion|billion>million|%> metres|percent>points|dollars>euros|kg>g|mg>g|bits>bytes|bytes>bits|Tage>Wochen
Stunden>Tage|Minuten>Stunden|MByte>GByte|小时>分钟|公里>米|米>公里|万>亿|个月>天
""")
MONTHS = "January February March April May June July August September October November December".split()
_OPPOSITE = pairs("""
more than>less than|less than>more than|at least>at most|at most>at least|before>after|after>before|higher>lower
lower>higher|larger>smaller|increase>decrease|increased>decreased|decreased>increased|reduced>increased|first>last
largest>smallest|always>never|north>south|south>north|east>west|western>eastern|highest>lowest|oldest>youngest
most>least|enabled>disabled|includes>excludes|with>without|maximum>minimum|minimum>maximum|older>younger
all>none of the|over>under|up to>more than|early>late|greater>smaller|mindestens>höchstens|mehr>weniger|vor>nach
nach>vor|größer>kleiner|immer>nie|alle>keine|mit>ohne|erste>letzte|第一>最后|以前>以后|之后>之前|最大>最小
增加>减少|超过>不到|最高>最低|多>少
""")
_DUTY = pairs("""
must>may|should>need not|may>must|required>optional|müssen>dürfen|muss>darf|必须>可以|can>must
""")
_NEGATED = [
    (r"\b(is|are|was|were|can|could|will|would|should|has been|have been|does|did|must|may) (?!not?\b)", r"\1 not "),
    (r"\b(ist|sind|wird|werden|kann|können|wurde|muss|müssen|hat) (?!nicht\b|kein)", r"\1 nicht "),
    (r"(?<!不)(是|能|会|可以|有)", None),
]  # fmt: skip
FILLER = (
    "This is an important topic that depends on many factors.",
    "The sources give useful information about this.",
    "There are several ways to look at this question.",
    "It is generally recommended to follow the best practices.",
    "This has been a subject of much discussion over the years.",
    "You should consult the documentation for further details.",
    "The answer depends on the situation.",
    "Overall, it plays a key role in its field.",
)
FILLER_DE = ("Das hängt von vielen Faktoren ab.", "Weitere Informationen finden Sie in der Dokumentation.")
FILLER_ZH = ("这是一个非常重要的问题，取决于很多因素。", "具体情况请参考相关资料。")


def swapped(pairs: list[tuple[str, str]], sentence: str, rng: random.Random) -> str | None:
    found = [
        (old, new)
        for old, new in pairs
        if re.search(rf"(?<![\w-]){re.escape(old)}(?![\w-])" if old.isascii() or old[0] < "\u2e80" else old, sentence)
    ]
    if not found:
        return None
    old, new = rng.choice(found)
    pattern = rf"(?<![\w-]){re.escape(old)}(?![\w-])" if old[0] < "\u2e80" else re.escape(old)
    return re.sub(pattern, new, sentence, count=1)


def number(sentence: str, rng: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w.,/-])\d+(?:[.,]\d+)*(?![\w/]|[.,]\d)", sentence))
    if not found:
        return None
    match = rng.choice(found)
    digits = list(match.group())
    at = rng.choice([i for i, char in enumerate(digits) if char.isdigit()])
    digits[at] = rng.choice([d for d in ("123456789" if at == 0 else "0123456789") if d != digits[at]])
    return sentence[: match.start()] + "".join(digits) + sentence[match.end() :]


def unit(sentence: str, rng: random.Random) -> str | None:
    pairs = [(a, b) for a, b in _UNITS if re.search(rf"\d[\d.,]*[\s-]?{re.escape(a)}(?![a-z])", sentence)]
    if not pairs:
        return None
    old, new = rng.choice(pairs)
    return re.sub(rf"(\d[\d.,]*[\s-]?){re.escape(old)}(?![a-z])", rf"\g<1>{new}", sentence, count=1)


def date(sentence: str, rng: random.Random) -> str | None:
    month = re.search(rf"\b({'|'.join(MONTHS)})\b(?= \d)|(?<=\d )({'|'.join(MONTHS)})\b", sentence)
    if month:
        new = rng.choice([one for one in MONTHS if one != month.group()])
        return sentence[: month.start()] + new + sentence[month.end() :]
    year = re.search(r"(?<!\d)(1[5-9]|20)(\d\d)(?=年|\b)(?!\d)", sentence)
    if year:
        return (
            sentence[: year.start()]
            + year[1]
            + f"{(int(year[2]) + rng.choice([1, 2, 10, 50])) % 100:02}"
            + sentence[year.end() :]
        )  # noqa: E501
    return None


def denied(sentence: str, rng: random.Random) -> str | None:
    for pattern, new in _NEGATED:
        if re.search(r"\b(?:not|no|never|nicht|kein\w*|nie)\b|n't|[不没无未]", sentence):
            return None
        if re.search(pattern, sentence):
            return re.sub(pattern, new or (lambda m: "没有" if m[1] == "有" else "不" + m[1]), sentence, count=1)
    return None


def affirmed(sentence: str, rng: random.Random) -> str | None:
    """Its negation taken out."""
    rules = (
        (r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have) not\b", r"\1"),
        (r"\bcannot\b", "can"),
        (r"\b(?:does|do|did) not ", ""),
        (r"\bnever ", ""),
        (r"\bno (?=\w)", "some "),
        (r"\bwithout\b", "with"),
        (r"\bnicht ", ""),
        (r"\bkein(\w*)\b", r"ein\1"),
        (r"不(?=[能会是可允要])", ""),
        (r"没有", "有"),
        (r"无法", "能够"),
    )
    for pattern, new in rules:
        if re.search(pattern, sentence):
            changed = re.sub(pattern, new, sentence, count=1)
            return re.sub(r"\bany\b", "some", changed)
    return None


def comparison(sentence: str, rng: random.Random) -> str | None:
    return swapped(_OPPOSITE, sentence, rng)


def duty(sentence: str, rng: random.Random) -> str | None:
    return swapped(_DUTY, sentence, rng)


def only(sentence: str, rng: random.Random) -> str | None:
    match = re.search(r"\b(is|are|was|can|may|must|will|has) (?!only|not)", sentence)
    return f"{sentence[: match.end()]}only {sentence[match.end() :]}" if match else None


NAME = re.compile(r"(?<![.!?:;\"“] )(?<!^)\b[A-Z][\w’'-]+(?: (?:of |de )?[A-Z][\w’'-]+)*")


def proper_names(sentence: str) -> list[re.Match[str]]:
    """Runs of words with capitals inside the sentence."""
    return [m for m in NAME.finditer(sentence) if m.group().split()[0].casefold() not in grammar_words()]


def exchanged(sentence: str, rng: random.Random) -> str | None:
    """Two of its names, or two of its numbers, exchanged; not where “and”, “or” or a comma joins them."""
    names = [m for m in proper_names(sentence) if m.group() not in MONTHS]
    first = re.match(r"[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)+", sentence)
    names = ([first] if first else []) + names
    for one, other in zip(names, names[1:], strict=False):
        between = sentence[one.end() : other.start()]
        if (
            len(between.split()) >= 2
            and not re.search(r"^\s*(?:and|or|,)|\b(?:and|or|with)\s*$", between)
            and one.group() != other.group()
        ):  # noqa: E501
            return sentence[: one.start()] + other.group() + between + one.group() + sentence[other.end() :]
    numbers = list(re.finditer(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w.,]?\d)", sentence))
    for one, other in zip(numbers, numbers[1:], strict=False):
        between = sentence[one.end() : other.start()]
        if len(between.split()) >= 3 and one.group() != other.group():
            return sentence[: one.start()] + other.group() + between + one.group() + sentence[other.end() :]
    return None


def with_name(sentence: str, others: list[str], rng: random.Random) -> str | None:
    """One of its names replaced by one of `others`."""
    own = [m for m in proper_names(sentence) if m.group() not in MONTHS]
    fresh = [name for name in others if name not in sentence and not any(part in sentence for part in name.split())]
    if not own or not fresh:
        return None
    match = rng.choice(own)
    return sentence[: match.start()] + rng.choice(fresh) + sentence[match.end() :]


_POINTS_BACK = re.compile(
    r"(?:the|this|that|these|those|it|its|he|his|she|her|they|their|there|one|such|both|some|many|here|we|you|in|on|if"
    r"|der|die|das|dies\w*|er|sie|es|man|hier|其|该|此|这|它|他|她|本)(?![^\W_])|[该此这它他她其本]",
    re.IGNORECASE,
)


def recombined(one: str, other: str) -> str | None:
    """The beginning of one sentence with the end of another."""
    cut = re.compile(r" (?:is|are|was|were|has|had|can|will|must|ist|sind|wird|kann|wurde) |[是在有](?=.{4})")
    first, second = cut.search(one), cut.search(other)
    if not first or not second or first.start() < 3 or len(other) - second.end() < 8:
        return None
    subjects = one[: first.start()], other[: second.start()]
    if any(_POINTS_BACK.match(subject) or not content_words(subject) for subject in subjects):
        return None  # "It was built in 1990" may well be about the same thing
    if {w.casefold() for w in content_words(subjects[0])} & {w.casefold() for w in content_words(subjects[1])}:
        return None
    return one[: first.start()] + second.group() + other[second.end() :]
