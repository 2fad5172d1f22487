"""A search of the project's own sources for the means that no policy covers, each use with its reason or a finding.

Read: everything of web/ and py/terrarium that is packed into the page, but for seal.js, which names the means in order
to take them away. Third-party libraries are not searched: they live under the policy and without the functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from terrarium_build.paths import ROOT

SEARCHED = ("web/**/*.js", "web/**/*.mjs", "web/**/*.py", "web/*.html", "py/terrarium/**/*.py")
LEFT_OUT = ("web/seal.js", "web/pdf/node.mjs")
COMMENT = re.compile(r"^\s*(//|\*|/\*|#)")
MEANS = {
    "a new window": r"\b(?:window|globalThis|scope|top|parent)\.open\(|_blank|noopener",
    "navigation": r"equiv=.refresh|\blocation\.(?:href\s*=|assign|replace)|\b(?:window|document|self)\.location\s*=",
    "a download": r"\bdownload\s*=(?!=)|\.download\b",
    "a click by program": r"\.click\(\)",
    "WebRTC": r"RTC\w*Connection|RTCDataChannel",
    "a look-up ahead of a link": r"preconnect|dns-prefetch|\bprefetch|prerender|speculationrules",
    "markup made from text": r"(?:inner|outer)HTML|AdjacentHTML|setHTML|srcdoc|document\.write|DOMParser|ContextualF",
    "a remote address": r"[\"'`](?:https?|wss?|stun|turn):",
}
ALLOWED = {
    ("web/ui/saving.py", "a download"): "the person's own records or library, from a blob that this page made",
    ("web/ui/saving.py", "a click by program"): "starts that download",
    ("web/ui/library_files.py", "a click by program"): "opens the file picker for a library file",
    ("web/ui/app.py", "a click by program"): "opens the file picker",
    ("web/ui/evaluation_sets.py", "a click by program"): "opens the file picker for a question set",
    ("web/pack_control.js", "a click by program"): "opens the file picker for a model pack",
    ("web/ui/model_packs.py", "a click by program"): "opens the file picker for a model pack",
    (
        "web/bridge/assets.js",
        "a remote address",
    ): "names assets of the closed table; no server can have a name under .invalid",
    ("web/ui/dom.py", "a remote address"): "the name of the SVG namespace",
    ("py/terrarium/readers/markup/epub.py", "a remote address"): "names of algorithms, compared and never read",
    ("py/terrarium/readers/sheets/xlsx_parser.py", "a remote address"): "a namespace, replaced and never read",
}


def search_own_code(root: Path = ROOT) -> tuple[list[str], list[str]]:
    """(uses that have a reason, uses that have none), one line each."""
    known, findings = [], []
    for file, number, means, line in _uses(root):
        reason = ALLOWED.get((file, means))
        text = f"{file}:{number} {means}: `{line.strip()[:120]}`"
        if reason:
            known.append(f"{text}: {reason}")
        else:
            findings.append(text)
    return known, findings


def _uses(root: Path) -> Iterator[tuple[str, int, str, str]]:
    for path in sorted({path for pattern in SEARCHED for path in root.glob(pattern)}):
        file = path.relative_to(root).as_posix()
        if file in LEFT_OUT:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if COMMENT.match(line):
                continue
            for means, pattern in MEANS.items():
                if re.search(pattern, line):
                    yield file, number, means, line
