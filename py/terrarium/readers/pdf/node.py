"""pdf.js at the desk: `web/pdf/node.mjs` under Node, one process a document."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from terrarium.errors import UnreadableFile
from terrarium.readers.limits import limits_of
from terrarium.readers.pdf.reading import PdfContent, PdfError

LINE_LIMIT = 256 * 1024 * 1024  # bytes of one page's JSON
ROOT = Path(__file__).resolve().parents[4]


class NodePdfExtractor:
    """PdfExtractor that needs Node ≥ 20 and the npm package pdfjs-dist.

    `root` is the folder that holds `web/pdf/node.mjs` and `node_modules/`; the environment variable TERRARIUM_ROOT
    stands in for it, then the folder of a checkout. TERRARIUM_PDFJS may name another pdfjs-dist.
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or Path(os.environ.get("TERRARIUM_ROOT", ROOT))
        self.pdfjs = Path(os.environ.get("TERRARIUM_PDFJS", self.root / "node_modules" / "pdfjs-dist"))

    async def extract(
        self, data: bytes, password: str | None, on_page: Callable[[int, int], None] | None = None
    ) -> PdfContent:
        limit = limits_of(data).silence
        environment = {**os.environ, "TERRARIUM_PDF_PASSWORD": password or ""}
        process = await asyncio.create_subprocess_exec(
            self.node(), str(self.root / "web" / "pdf" / "node.mjs"), str(self.pdfjs),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=environment, limit=LINE_LIMIT,
        )  # fmt: skip
        try:
            feeding = asyncio.create_task(feed(process, data))
            content = await receive(process, on_page, limit)
            await feeding
            return content
        except TimeoutError:
            raise PdfError("Timeout", f"no page within {limit:.0f} seconds") from None
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    def node(self) -> str:
        """Path of Node; UnreadableFile says what is missing."""
        node = shutil.which("node")
        if node is None:
            raise UnreadableFile("PDFs are read by Node ≥ 20, which is not on the path. Install it and try again.")
        if not (self.pdfjs / "legacy" / "build" / "pdf.mjs").is_file():
            raise UnreadableFile(f"PDFs are read by pdf.js, which is not in {self.pdfjs}. Run `npm ci` in {self.root}.")
        return node


async def feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    assert process.stdin
    try:
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()
    except (BrokenPipeError, ConnectionResetError):
        pass  # the process ended early; what it said on its output tells why


async def receive(
    process: asyncio.subprocess.Process, on_page: Callable[[int, int], None] | None, limit: float
) -> PdfContent:
    """`limit` are seconds between two pages. Raises TimeoutError."""
    assert process.stdout and process.stderr
    content = PdfContent()
    while line := await asyncio.wait_for(process.stdout.readline(), limit):
        if content.take(json.loads(line), on_page):
            return content
    tail = (await process.stderr.read()).decode(errors="replace").strip().splitlines()
    raise PdfError("Crashed", f"pdf.js stopped: {tail[-1] if tail else 'no reason given'}")
