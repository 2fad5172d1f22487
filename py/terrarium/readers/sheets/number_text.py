"""The digits of a number, in the places that a spreadsheet's format code has for them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

MOST_DIGITS = 30  # behind the point
WIDE = Context(prec=400)  # numbers have up to 309 digits
EMPTY = {"0": "0", "#": "", "?": " "}  # what a place without a digit shows

Token = tuple[str, str]  # kind and text; kinds are those of number_format.TOKEN, and "literal", "elapsed"


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


def scaled(number: Decimal, places: int) -> Decimal:
    return number.scaleb(places, WIDE)


def rounded(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, WIDE)


def number_text(tokens: Sequence[Token], size: float) -> str:
    """`size` is not negative."""
    number = scaled(exact(size), 2 * tokens.count(("other", "%")))
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
                number = scaled(number, -3)
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
    mantissa = scaled(number, -power)
    if rounded(mantissa, places) >= 10**step:
        return scaled(mantissa, -step), power + step
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
