"""What holds for the text of a page's element: whether it is shown at all, its size, its colour, what it stands on."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from terrarium.readers.markup.css_values import Colour, font_size, fraction, lengths, mixed, read_colour

SMALLEST = 2.67  # pixels: 2 points, as in PDFs
FAR = -500.0  # pixels
NEAR = 20  # of 255 in each colour: on white from #ebebeb on
FAINT = 0.05
NOTHING = re.compile(
    r"inset\((?:[5-9]\d|100)(?:\.\d+)?%|(?:circle|ellipse)\(0|polygon\((?:0(?:px|%)? 0(?:px|%)?,? ?)+\)"
)
PADDINGS = ("padding", "padding-left", "padding-right")
SIDES = ("left", "top", "right", "bottom")
INHERITED = {"inherit", "unset", "initial", "revert", "currentcolor"}
CLIPS = ("background-clip", "-webkit-background-clip")
CUTTING = (["hidden"], ["clip"])
PAPER: Colour = (255, 255, 255, 1)


@dataclass(frozen=True, slots=True)
class Style:
    """What holds for the text of an element."""

    shown: bool = True  # it and what is around it have a place on the page
    visible: bool = True
    indented: bool = False  # out of sight
    size: float = 16.0  # pixels
    colour: Colour | None = (0, 0, 0, 1)  # None: cannot be told
    ground: Colour | None = PAPER
    opacity: float = 1.0

    @property
    def gone(self) -> bool:
        """Whatever it is, a picture too."""
        return not (self.shown and self.visible) or self.opacity < FAINT

    @property
    def hides(self) -> bool:
        """Whether nobody sees its text."""
        if self.gone or self.indented or self.size < SMALLEST:
            return True
        if self.colour is None:
            return False
        *parts, alpha = self.colour
        alpha *= self.opacity
        if self.ground is None:
            return alpha < FAINT
        return all(abs(part - under) * alpha <= NEAR for part, under in zip(parts, self.ground[:3], strict=True))


def computed(name: str, found: dict[str, str], outer: Style, *, pictured: bool) -> Style:
    """The style of an element for which `found` is declared, inside one of the style `outer`.

    `pictured`: it holds a picture, which may lie under its text.
    """
    size = font_size(found.get("font-size") or found.get("font", ""), outer.size)
    own = found.get("-webkit-text-fill-color") or found.get("color", "inherit")
    colour = outer.colour if own in INHERITED else read_colour(own)
    if found.get("text-shadow", "none") != "none" or any("text" in found.get(name, "") for name in CLIPS):
        colour = None
    style = replace(outer, size=size, colour=colour, ground=ground(found, outer, pictured))
    if name in {"html", "body"}:
        return style
    visibility = found.get("visibility", "inherit")
    indent = lengths(found.get("text-indent", ""), size)
    return replace(
        style,
        shown=outer.shown and not is_away(name, found, size),
        visible=outer.visible if visibility in INHERITED else visibility == "visible",
        indented=indent[0] <= FAR if indent else outer.indented,
        opacity=outer.opacity * fraction(found.get("opacity", "1")),
    )


def is_away(name: str, found: dict[str, str], size: float) -> bool:
    """Not displayed, far outside, or clipped to nothing."""
    get = found.get
    if get("display") == "none" or get("content-visibility") == "hidden":
        return True
    placed = get("position") in {"absolute", "fixed", "relative"}
    # As much padding as negative margin makes a band as wide as the window.
    padded = any(value >= -FAR for side in PADDINGS for value in lengths(get(side, ""), size))
    moved = [side for side in SIDES if placed] + ([] if padded else ["margin", "margin-left", "margin-top"])
    if any(value <= FAR for side in moved for value in lengths(get(side, ""), size)):
        return True
    transform = get("transform", "")
    if "translate" in transform and min(lengths(transform, size), default=0) <= FAR:
        return True
    if re.search(r"scale[xy]?\(0(?:\.0+)?[,)]", transform) or NOTHING.match(get("clip-path", "")):
        return True
    clip = get("clip", "")
    if clip.startswith("rect(") and "auto" not in clip and all(abs(value) <= 2 for value in lengths(clip, size)):
        return True
    cut = any(get(way, "").split()[:1] in CUTTING for way in ("overflow", "overflow-x", "overflow-y"))
    sides = ("height", "max-height") if name in {"td", "th"} else ("width", "height", "max-width", "max-height")
    limits = [lengths(get(side, ""), size) for side in sides]  # a cell's width is no more than a wish
    return cut and any(limit and 0 <= limit[0] <= 2 for limit in limits)


def ground(found: dict[str, str], outer: Style, pictured: bool) -> Colour | None:
    """The colour under the text; None where a picture may lie there."""
    background = " ".join(found.get(name, "") for name in ("background", "background-image"))
    under = outer.ground
    if found.get("position") in {"absolute", "fixed", "sticky"}:
        under = None
    elif found.get("position") == "relative" and pictured:
        under = None
    if "url(" in background or "gradient(" in background:
        return None
    own = found.get("background-color") or found.get("background", "")
    if own in {"", "none", *INHERITED}:
        return under
    colour = next(filter(None, map(read_colour, re.findall(r"[\w#-]+(?:\([^)]*\))?", own))), None)
    if colour is None or colour[3] > 0.98:
        return colour
    if colour[3] == 0:
        return under
    return None if under is None else mixed(colour, under)
