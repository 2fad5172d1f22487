"""The tab's PDF extractor: pdf.js in a worker of its own, one a document, behind `web/bridge/pdf.js`.

It runs inside the reader's worker. Its worker is ended when the document is read and when nothing comes of it for
longer than its size can excuse, so that a hostile PDF inside of another file is left out of that alone.
Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from pyodide.ffi import JsException, to_js
from terrarium_bridge import pdf

from terrarium.errors import UnreadableFile
from terrarium.readers.limits import limits_of
from terrarium.readers.pdf.reading import PdfContent


class WebPdfExtractor:
    """A `PdfExtractor`."""

    async def extract(
        self, data: bytes, password: str | None, on_page: Callable[[int, int], None] | None = None
    ) -> PdfContent:
        """Read all pages. Raises PdfError, and UnreadableFile when the worker gives nothing for too long."""
        limit = limits_of(data).silence
        try:
            reading = pdf.open(to_js(data), password)
        except JsException as error:
            raise UnreadableFile(f"This page's PDF reader could not be started ({error}). Reload the page.") from error
        try:
            return await self._collect(reading, limit, on_page)
        except TimeoutError as error:
            raise UnreadableFile(
                f"The PDF was given up: nothing of it came for {limit:.0f} seconds. "
                "Try to open it and save it again in a PDF viewer."
            ) from error
        finally:
            pdf.close(reading)

    async def _collect(self, reading: Any, limit: float, on_page: Callable[[int, int], None] | None) -> PdfContent:
        content = PdfContent()
        while not content.take(json.loads(await asyncio.wait_for(pdf.next(reading), limit)), on_page):
            pass
        return content
