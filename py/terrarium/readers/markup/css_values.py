"""Values of CSS as numbers: lengths in pixels, colours in sRGB. What needs a layout is taken as of a desk's window."""

from __future__ import annotations

import re

from tinycss2.color4 import parse_color

Colour = tuple[float, float, float, float]  # red, green, blue of 255; alpha of 1

LENGTH = re.compile(r"(?<![\w#.-])(-?\d*\.?\d+(?:e-?\d+)?)(px|pt|pc|em|rem|ex|ch|%|vw|vh|in|cm|mm)?(?![\w(])")
PIXELS = {"": 1, "px": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "rem": 16, "vw": 12.8, "vh": 8}
NAMED = {"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}


def mixed(colour: Colour, under: Colour) -> Colour:
    red, green, blue = (
        part * colour[3] + below * (1 - colour[3]) for part, below in zip(colour, under[:3], strict=False)
    )
    return (red, green, blue, 1.0)


def read_colour(text: str) -> Colour | None:
    colour = parse_color(text)
    if colour is None or isinstance(colour, str):
        return None
    red, green, blue = colour.to("srgb").coordinates
    return (red * 255, green * 255, blue * 255, colour.alpha)


def font_size(text: str, outer: float) -> float:
    if text in NAMED:
        return NAMED[text]
    if "er" in text and text in {"smaller", "larger"}:
        return outer * (0.83 if text == "smaller" else 1.2)
    found = [match for match in LENGTH.finditer(text) if match[2] or float(match[1]) == 0]
    if not found or "calc" in text or "var" in text:
        return outer
    return pixels(found[0], outer) if found[0][2] != "%" else outer * float(found[0][1]) / 100


def lengths(text: str, size: float) -> list[float]:
    """All lengths of a value in pixels, percentages as of a window's width."""
    return [] if "var(" in text else [pixels(match, size) for match in LENGTH.finditer(text)]


def pixels(match: re.Match[str], size: float) -> float:
    unit = match[2] or ""
    factor = size if unit == "em" else size / 2 if unit in {"ex", "ch"} else PIXELS.get(unit, 12.8)
    return float(match[1]) * factor


def fraction(text: str) -> float:
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return 1.0
