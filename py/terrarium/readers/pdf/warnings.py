"""What a person must know about a PDF: pages without text, damage, letters lost, what was not read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

LOSSY = re.compile("\\w[\0\ufffd\ue000-\uf8ff]|[\0\ufffd\ue000-\uf8ff]\\w")  # within words; alone it is a bullet


def page_warnings(
    info: Mapping[str, Any],
    pages: Sequence[Mapping[str, Any]],
    files: Sequence[Mapping[str, Any]],
    meaningless: Sequence[int],
) -> list[str]:
    """`info`, `pages` and `files` are the messages of `web/pdf/extract.mjs`; `meaningless`: see `fonts.py`."""
    total = len(pages)
    seen = {page["number"] for page in pages if any(not item["hidden"] for item in page["items"])}
    empty = [page["number"] for page in pages if page["number"] not in seen and not page["error"]]
    warnings = []
    if empty:
        where = f" on {numbers(empty)}" if len(empty) < total else ""
        warnings.append(f"no text layer{where} ({len(empty)} of {total} pages)")
    errors: dict[str, list[int]] = {}
    for page in pages:
        if page["error"]:
            errors.setdefault(page["error"], []).append(page["number"])
    warnings += [f"{numbers(damaged)}: {error}" for error, damaged in errors.items()]
    if info.get("rescued"):
        warnings.append(
            f"damaged: the end of the file is lost; {total} {'page' if total == 1 else 'pages'} were found in it"
        )
    if info.get("xfa"):
        warnings.append(
            "not read: a form of the kind XFA, which few programs show; save it as an ordinary PDF to have it read"
        )
    left = [f"“{file['name']}” ({file['size'] / 1e6:.0f} MB)" for file in files if file["data"] is None]
    if left:
        warnings.append(f"left out: attached files that are too large or too many: {', '.join(left[:20])}")
    if meaningless:
        warnings.append(
            f"some letters have no known meaning on {numbers(meaningless)}: "
            "fonts there do not say which letters they draw, and what is set in them is left out"
        )
    lossy = [page["number"] for page in pages if any(LOSSY.search(item["str"]) for item in page["items"])]
    if lossy:
        warnings.append(f"some letters have no known meaning on {numbers(lossy)}: words there may be incomplete")
    return warnings


def numbers(pages: Sequence[int]) -> str:
    """`[1, 3, 4, 5]` → "pages 1, 3–5"."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and spans[-1][1] == page - 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    parts = [str(a) if a == b else f"{a}–{b}" for a, b in spans]
    return ("page " if len(pages) == 1 else "pages ") + ", ".join(parts)
