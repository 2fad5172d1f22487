"""index.html and the files beside it that it names, copied into dist/."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from terrarium_build.packing import write_whole
from terrarium_build.paths import WEB, BuildError

HASHES = "{{csp-hashes}}"


def copy_page(out: Path, web: Path = WEB) -> set[str]:
    """Names of what was written. index.html comes last: while it is missing, nobody opens half a page."""
    index = web / "index.html"
    if not index.is_file():
        raise BuildError(f"{index} is missing; there is no page to build.")
    html = index.read_text(encoding="utf-8")
    html = html.replace(HASHES, " ".join(inline_hashes(html)))
    names = sorted(set(named_files(html)))
    for name in names:
        if not (web / name).is_file():
            raise BuildError(f"web/{name} is missing, which web/index.html names.")
        write_whole(out / name, (web / name).read_bytes())
    write_whole(out / "index.html", html.encode())
    return {*names, "index.html"}


def named_files(html: str) -> list[str]:
    """Local files of `src` and `href` attributes; those under assets/ are the build's own."""
    named: list[str] = re.findall(r"""<(?:script|link|img)\b[^>]*?\b(?:src|href)=["']([^"'#?]+)["']""", html)
    return [name for name in named if not re.match(r"[a-z]+:|//|assets/", name)]


def inline_hashes(html: str) -> list[str]:
    """Content-Security-Policy sources of the page's inline scripts and styles."""
    inline: list[tuple[str, str]] = re.findall(r"<(script|style)\b(?![^>]*\bsrc=)[^>]*>(.*?)</\1>", html, re.DOTALL)
    digests = [hashlib.sha256(code.encode()).digest() for _, code in inline]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
