"""What draws the pages of a PDF, as the engine sees it: one document open at a time, kept by whoever opened it.

The tab has one (`runtime/web_pages.py`); at the desk nothing is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

Size = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page as a picture that stays on the other side; a command's result hands it on by its number."""

    bitmap: int
    pixels: tuple[int, int]  # width, height
    points: Size  # of the page: 1/72 inch
    lacking: bool = False  # letters that neither the file nor the browser has are drawn as boxes


@dataclass(frozen=True, slots=True)
class Gray:
    """A page in grey."""

    data: bytes  # one byte a pixel, row by row, 255 is white
    pixels: tuple[int, int]
    points: Size


@dataclass(frozen=True, slots=True)
class Item:
    """A run of letters on a page, in points from the page's top left corner, y downwards."""

    text: str
    x: float  # where the run begins: its left end, also in scripts that are read from the right
    y: float  # of the baseline
    width: float  # along the line
    height: float  # of the font
    angle: int = 0  # of the line, in degrees clockwise
    from_right: bool = False


@dataclass(frozen=True, slots=True)
class PageItems:
    items: tuple[Item, ...]
    points: Size

    @classmethod
    def of(cls, message: dict[str, Any]) -> PageItems:
        """What web/pdf/page_drawing.mjs gives."""
        items = (
            Item(one["str"], one["x"], one["y"], one["width"], one["height"], one["angle"], one["dir"] == "rtl")
            for one in message["items"]
        )
        return cls(tuple(items), (message["width"], message["height"]))


class OpenPages(Protocol):
    """One PDF. Pages count from 1. What cannot be drawn raises UnreadableFile; where it took too long, every later call
    does so too, until the document is opened anew.
    """

    count: int

    async def draw(self, page: int, width: int) -> Drawn:
        """The page, `width` pixels wide where that is not more than is ever drawn."""
        ...

    async def gray(self, page: int, dpi: int) -> Gray: ...

    async def items(self, page: int) -> PageItems:
        """The page's text, in the order in which the file draws it."""
        ...

    def close(self) -> None: ...


class PageDrawer(Protocol):
    async def open(self, data: bytes, password: str | None = None) -> OpenPages:
        """Raises PasswordNeeded, and UnreadableFile for what is no PDF or takes too long."""
        ...
