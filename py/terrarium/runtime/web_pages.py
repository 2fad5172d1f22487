"""The tab's `PageDrawer`: pdf.js in a worker of its own for each open document, behind `web/bridge/pages.js`.

Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

from pyodide.ffi import JsException, to_js
from terrarium_bridge import pages

from terrarium.drawing import Drawn, Gray, PageItems
from terrarium.errors import PasswordNeeded, UnreadableFile

# A large file may need as long to be opened; no page of a real document takes pdf.js this long on a slow laptop.
SECONDS_TO_OPEN = 30.0
SECONDS_PER_MEGABYTE = 1.0
SECONDS_TO_DRAW = 30.0


class WebPages:
    """A `PageDrawer`."""

    async def open(self, data: bytes, password: str | None = None) -> WebOpenPages:
        """See `PageDrawer.open`."""
        limit = SECONDS_TO_OPEN + SECONDS_PER_MEGABYTE * len(data) / 1e6
        try:
            number = int(pages.open(to_js(data), password))
        except JsException as error:
            raise UnreadableFile(f"What draws pages could not be started ({error}). Reload the page.") from error
        opened = WebOpenPages(number)
        opened.count = int(await opened.within(limit, pages.opened(number), "The file could not be opened for drawing"))
        return opened


class WebOpenPages:
    """An `OpenPages`."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.count = 0

    async def draw(self, page: int, width: int) -> Drawn:
        asked = pages.draw(self._number, page, width)
        said = json.loads(await self.within(SECONDS_TO_DRAW, asked, f"Page {page} could not be drawn"))
        return Drawn(said["bitmap"], tuple(said["pixels"]), (said["width"], said["height"]), said["lacking"])

    async def gray(self, page: int, dpi: int) -> Gray:
        asked = pages.gray(self._number, page, dpi)
        said = await self.within(SECONDS_TO_DRAW, asked, f"Page {page} could not be drawn")
        width, height = said.pixels
        return Gray(said.data.to_bytes(), (int(width), int(height)), (float(said.width), float(said.height)))

    async def items(self, page: int) -> PageItems:
        asked = pages.items(self._number, page)
        return PageItems.of(json.loads(await self.within(SECONDS_TO_DRAW, asked, f"Page {page} could not be read")))

    def close(self) -> None:
        pages.close(self._number)

    async def within(self, seconds: float, asked: Awaitable[Any], failed: str) -> Any:
        """What the worker answers. Ends the worker when it takes too long, or when whoever asked is cancelled."""
        try:
            return await asyncio.wait_for(asked, seconds)
        except TimeoutError as error:
            self.close()
            raise UnreadableFile(f"{failed}: nothing came for {seconds:.0f} seconds.") from error
        except asyncio.CancelledError:
            self.close()
            raise
        except JsException as error:
            if error.name == "PasswordException":
                raise PasswordNeeded("The file opens with a password only.", wrong=error.code == 2) from error
            raise UnreadableFile(f"{failed} ({error.message or error.name}).") from error
