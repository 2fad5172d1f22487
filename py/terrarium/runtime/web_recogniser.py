"""The tab's `Recogniser`: Tesseract in a worker of its own for each document, behind `web/bridge/ocr.js`.

Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from pyodide.ffi import JsException, to_js
from terrarium_bridge import ocr

from terrarium.drawing import Gray
from terrarium.errors import UnreadableFile
from terrarium.recognition import SeenWord

SECONDS_PER_MESSAGE = 120.0  # a page tells how far it is several times; none takes this long between two
POINTS_PER_INCH = 72


class WebRecogniser:
    """A `Recogniser`."""

    @property
    def languages(self) -> Sequence[str]:
        return list(ocr.languages())

    async def open(self, languages: Sequence[str]) -> WebRecognition:
        """See `Recogniser.open`."""
        try:
            number = int(ocr.open(to_js(list(languages))))
        except JsException as error:
            raise UnreadableFile(f"Text recognition could not be started ({error}). Reload the page.") from error
        opened = WebRecognition(number)
        await opened.next()
        return opened


class WebRecognition:
    """A `Recognition`."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def read(self, page: Gray, heard: Callable[[float], None]) -> list[SeenWord]:
        """See `Recognition.read`."""
        width, height = page.pixels
        ocr.read(self._number, to_js(page.data), width, height, POINTS_PER_INCH * width / page.points[0])
        while (message := await self.next())["type"] == "progress":
            heard(message["done"])
        return [SeenWord(**word) for word in message["words"]]

    async def next(self) -> dict[str, Any]:
        """The worker's next message. Ends it when none comes, and when whoever waits is cancelled."""
        try:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(ocr.next(self._number), SECONDS_PER_MESSAGE))
        except TimeoutError as error:
            self.close()
            raise UnreadableFile(
                f"Text recognition was given up: nothing came of a page for {SECONDS_PER_MESSAGE:.0f} seconds."
            ) from error
        except asyncio.CancelledError:
            self.close()
            raise
        if message["type"] == "error":
            self.close()
            raise UnreadableFile(f"Text recognition failed ({message['message']}). Reload the page and try again.")
        return message

    def close(self) -> None:
        ocr.close(self._number)
