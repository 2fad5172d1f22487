"""Numbers as lists and headings are numbered: 4, d, D, iv, IV."""

from __future__ import annotations

ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def numeral(count: int, form: str) -> str:
    """`form` is one of WordprocessingML's names; those not known here count as decimal, "none" and "bullet" as ""."""
    match form:
        case "none" | "bullet":
            return ""
        case "lowerLetter" | "upperLetter" if 0 < count < 10_000:
            text = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)  # z is followed by aa, bb
        case "lowerRoman" | "upperRoman" if 0 < count < 10_000:
            text, left = "", count
            for worth, sign in ROMAN:
                text += sign * (left // worth)
                left %= worth
        case "decimalZero":
            return f"{count:02}"
        case _:
            return str(count)
    return text.upper() if form.startswith("upper") else text
