"""A host on 127.0.0.1 for pages that read from several folders, with or without the headers that allow threads."""

from __future__ import annotations

import contextlib
import http.server
import shutil
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript"}
TYPES |= {".css": "text/css", ".json": "application/json", ".wasm": "application/wasm"}
# Only a page that shuts itself off from others gets SharedArrayBuffer, and with it threads in WebAssembly.
ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


@contextlib.contextmanager
def serve(places: Mapping[str, Path | str], *, isolated: bool) -> Iterator[str]:
    """The host's address, ending in "/". `places`: path → a file, a folder (path ends in "/"), or a page's text."""
    headers = ISOLATION if isolated else {}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            found = find(places, path)
            if found is None:
                self.send_error(404)
                return
            kind = TYPES.get(Path(path).suffix, "application/octet-stream")
            size = found.stat().st_size if isinstance(found, Path) else len(found.encode())
            self.send_response(200)
            for name, value in {**headers, "Content-Type": kind, "Content-Length": str(size)}.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # a page that was closed meanwhile
                if isinstance(found, Path):
                    with found.open("rb") as file:
                        shutil.copyfileobj(file, self.wfile, 1 << 20)
                else:
                    self.wfile.write(found.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def find(places: Mapping[str, Path | str], path: str) -> Path | str | None:
    """What stands at a path: an exact place first, else a file below the folder that is named most exactly."""
    if path in places and not path.endswith("/"):
        place = places[path]
        return place if isinstance(place, str) or place.is_file() else None
    for prefix in sorted((name for name in places if name.endswith("/")), key=len, reverse=True):
        folder = places[prefix]
        if path.startswith(prefix) and isinstance(folder, Path):
            file = (folder / path.removeprefix(prefix)).resolve()
            return file if file.is_file() and file.is_relative_to(folder.resolve()) else None
    return None
