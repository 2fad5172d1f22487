"""Numbers as a spreadsheet shows them, by their format code (ECMA-376 part 1, 18.8.31).

With English signs, as the codes are written: which language a file was seen in is not in it. Not told: the width of the
column ("####"), signs that fill it, colours. A whole number without a format keeps all its digits, where the sheet
would write 1.23457E+11: they may be somebody's telephone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from terrarium.readers.date_format import date_text

GENERAL = "General"
LONGEST_CODE = 255  # what Excel takes
MOST_DIGITS = 30  # behind the point
WIDE = Context(prec=400)  # numbers have up to 309 digits
EMPTY = {"0": "0", "#": "", "?": " "}  # what a place without a digit shows
TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | (?P<space>_.)
    | (?P<fill>\*.)
    | \[(?P<bracket>[^\]]*)\]
    | (?P<general>General)
    | (?P<half>AM/PM|A/P)
    | (?P<exponent>E[+-])
    | (?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e+|g+)
    | (?P<digit>[0\#?])
    | (?P<other>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$")
ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
TESTS = {
    "<": float.__lt__, "<=": float.__le__, ">": float.__gt__, ">=": float.__ge__, "=": float.__eq__, "<>": float.__ne__
}  # fmt: skip

Token = tuple[str, str]  # kind and text; kinds are TOKEN's groups, and "literal", "elapsed"


# "0", "#,##0.00", "0.0%": nearly all numbers that have a format.
USUAL = re.compile(r"(?P<grouped>#,##)?0(?:\.(?P<places>0{1,10}))?(?P<percent>%)?")


@dataclass(frozen=True, slots=True)
class Section:
    """One of the parts of a code between its semicolons."""

    tokens: tuple[Token, ...]
    kind: str  # "general", "number", "date" or "text"
    condition: tuple[str, float] | None = None


@lru_cache(maxsize=10_000)
def shown(value: float, code: str, base_1904: bool = False) -> str:
    """The number as its cell shows it; "" where the code hides it."""
    if not isfinite(value):
        return "#NUM!"
    if code == GENERAL:
        return general(value)
    if usual := USUAL.fullmatch(code):
        number = exact(value).scaleb(2 * bool(usual["percent"]), WIDE)
        number = rounded(number, len(usual["places"] or ""))
        return (f"{number:,f}" if usual["grouped"] else f"{number:f}") + (usual["percent"] or "")
    sections = [section for section in compiled(code) if section.kind != "text"] or [Section((), "general")]
    section, signed = chosen(sections, float(value))
    if section.kind == "date":
        text = date_text(section.tokens, value, base_1904)
        return " ".join(text.split()) if text else general(value)
    size = abs(value) if value < 0 else value
    text = general_text(section.tokens, size) if section.kind == "general" else number_text(section.tokens, size)
    text = " ".join(text.split())
    return f"-{text}" if signed and text else text


def shown_text(text: str, code: str) -> str:
    """A text as its cell shows it: most codes leave it as it is."""
    if code in {GENERAL, "@"} or not (sections := [one for one in compiled(code) if one.kind == "text"]):
        return "" if len(compiled(code)) == 4 else text  # ;;; hides texts too
    return "".join(text if token == ("other", "@") else said(token) for token in sections[-1].tokens)


def is_date(code: str) -> bool:
    return any(section.kind == "date" for section in compiled(code))


@lru_cache(maxsize=2000)
def compiled(code: str) -> tuple[Section, ...]:
    parts: list[list[Token]] = [[]]
    for match in TOKEN.finditer(code[:LONGEST_CODE]):
        kind, text = match.lastgroup or "other", match[match.lastgroup or 0]
        if (kind, text) == ("other", ";"):
            parts.append([])
        elif kind != "bracket":
            parts[-1].append(("literal" if kind in {"quoted", "escaped"} else kind, text))
        elif ELAPSED.fullmatch(text):
            parts[-1].append(("elapsed", text))
        elif text.startswith("$"):
            parts[-1].append(("literal", text[1:].partition("-")[0]))
        elif CONDITION.match(text):
            parts[-1].append(("condition", text))
    return tuple(section(part) for part in parts[:4])


def section(tokens: Sequence[Token]) -> Section:
    kinds = {kind for kind, _ in tokens}
    found = next((CONDITION.match(text) for kind, text in tokens if kind == "condition"), None)
    plain = tuple(token for token in tokens if token[0] != "condition")
    if "digit" not in kinds and kinds & {"date", "elapsed", "half"}:
        kind = "date"
    elif "general" in kinds:
        kind = "general"
    else:
        kind = "text" if ("other", "@") in tokens else "number"
    return Section(plain, kind, (found[1], float(found[2])) if found else None)


def chosen(sections: Sequence[Section], value: float) -> tuple[Section, bool]:
    """The section for a value, and whether a minus goes before what it says."""
    if any(section.condition for section in sections):
        for section in sections:
            if not section.condition or TESTS[section.condition[0]](value, section.condition[1]):
                below = section.condition is not None and section.condition[0] in {"<", "<="}
                return section, value < 0 and not (below and section.condition and section.condition[1] <= 0)
        return Section((), "general"), value < 0
    if value < 0 and len(sections) > 1:
        return sections[1], False
    return (sections[2] if value == 0 and len(sections) > 2 else sections[0]), value < 0


def said(token: Token) -> str:
    kind, text = token
    return {"space": " ", "fill": ""}.get(kind, text)


def general(value: float) -> str:
    """Without a format: as many digits as fit eleven signs, and an exponent where they do not suffice."""
    if isinstance(value, int) and abs(value) < 10**15:
        return str(value)
    number = exact(value)
    power = number.adjusted() if number else 0
    short = rounded(number, 9 - max(power, 0) if power < 9 else 0)
    if -5 < power < 15 or (power < 0 and short == number):
        return f"{short:f}".rstrip("0").rstrip(".") if "." in f"{short:f}" else f"{short:f}"
    mantissa, _, exponent = f"{number:.5E}".partition("E")
    return f"{mantissa.rstrip('0').rstrip('.')}E{exponent[0]}{exponent[1:].zfill(2)}"


def exact(value: float) -> Decimal:
    """The fifteen digits that a sheet works with."""
    return Decimal(value) if isinstance(value, int) else Decimal(f"{value:.15g}")


def rounded(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, WIDE)


def number_text(tokens: Sequence[Token], size: float) -> str:
    """`size` is not negative."""
    number = exact(size).scaleb(2 * tokens.count(("other", "%")), WIDE)
    places = [i for i, (kind, _) in enumerate(tokens) if kind == "digit"]
    if not places:
        return "".join(map(said, tokens))
    if ("other", "/") in tokens[places[0] :]:
        return fraction_text(tokens, places, number)
    power_at = next((i for i, (kind, _) in enumerate(tokens) if kind == "exponent"), len(tokens))
    mantissa = [i for i in places if i < power_at]
    point = next((i for i in range(power_at) if tokens[i] == ("other", ".")), mantissa[-1] + 1 if mantissa else 0)
    whole, part = [i for i in mantissa if i < point], [i for i in mantissa if i > point][:MOST_DIGITS]
    written = dict(enumerate(map(said, tokens)))
    grouped = False
    for i, token in enumerate(tokens[:power_at]):
        if token == ("other", ",") and mantissa:
            between = whole and whole[0] < i < whole[-1]
            grouped = grouped or bool(between)
            behind = i > mantissa[-1] or (whole and whole[-1] < i < point)
            if behind and set(tokens[(whole if i < point else mantissa)[-1] + 1 : i]) <= {("other", ",")}:
                number = number.scaleb(-3, WIDE)
            if between or behind:
                written[i] = ""
    power = 0
    if power_at < len(tokens):
        number, power = scientific(number, len(whole) or 1, len(part))
    digits, _, decimals = f"{rounded(number, len(part)):f}".partition(".")
    written |= whole_digits(digits.lstrip("0"), [(i, tokens[i][1]) for i in whole], grouped)
    kept = len(decimals.rstrip("0"))
    for n, i in enumerate(part):
        written[i] = decimals[n] if n < kept else EMPTY[tokens[i][1]]
    if power_at < len(tokens):
        sign = "-" if power < 0 else "+" if tokens[power_at][1].endswith("+") else ""
        written[power_at] = f"E{sign}{str(abs(power)).zfill(len(places) - len(mantissa))}"
        written |= dict.fromkeys((i for i in places if i > power_at), "")
    return "".join(written.values())


def whole_digits(digits: str, places: Sequence[tuple[int, str]], grouped: bool) -> dict[int, str]:
    """What stands at each place before the point; the first takes all digits that have none of their own."""
    if grouped:
        zeros = sum(sign == "0" for _, sign in places)
        text = f"{int(digits or 0):0{zeros + max(zeros - 1, 0) // 3},}" if digits or zeros else ""
        return dict.fromkeys((i for i, _ in places), "") | {places[0][0]: text}
    found: dict[int, str] = {}
    for i, sign in reversed(places[1:]):
        found[i] = digits[-1:] or EMPTY[sign]
        digits = digits[:-1]
    return found | {i: digits or EMPTY[sign] for i, sign in places[:1]}


def scientific(number: Decimal, step: int, places: int) -> tuple[Decimal, int]:
    """(mantissa, exponent): the exponent a multiple of `step`, the mantissa below 10 ** step when it is rounded."""
    power = number.adjusted() if number else 0
    power -= power % step
    mantissa = number.scaleb(-power, WIDE)
    if rounded(mantissa, places) >= 10**step:
        return mantissa.scaleb(-step, WIDE), power + step
    return mantissa, power


def fraction_text(tokens: Sequence[Token], places: Sequence[int], number: Decimal) -> str:
    """ "# ?/?", with as many digits in the denominator as it has places, or "# ?/16"."""
    slash = tokens.index(("other", "/"), places[0])
    end = slash + 1
    while end < len(tokens) and (tokens[end][0] == "digit" or tokens[end][1].isdigit()):
        end += 1
    wanted = "".join(text for _, text in tokens[slash + 1 : end])
    mixed = any(tokens[i][0] != "digit" for i in range(places[0], slash))
    whole = int(number) if mixed else 0
    if wanted.isdigit() and int(wanted):
        below = int(wanted)
        above = int(rounded((number - whole) * below, 0))
    else:
        near = Fraction(number - whole).limit_denominator(10 ** min(len(wanted) or 1, 7) - 1)
        above, below = near.numerator, near.denominator
    whole, above = (whole + 1, 0) if mixed and above == below else (whole, above)
    text = f"{whole} {above}/{below}" if whole and above else f"{above}/{below}" if above or not mixed else str(whole)
    before, after = ("".join(map(said, part)) for part in (tokens[: places[0]], tokens[end:]))
    return before + text + after


def general_text(tokens: Sequence[Token], size: float) -> str:
    return "".join(general(size) if token[0] == "general" else said(token) for token in tokens) or general(size)
