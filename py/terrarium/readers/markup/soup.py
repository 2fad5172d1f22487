"""HTML → a tree, by beautifulsoup4 and Python's own parser.

That parser looks for the end of each tag, comment and declaration up to the end of the file, again and again where
there is none: 300 kB of "<!--" take minutes. What cannot end any more is made text before. May go when Pyodide's
Python and the desk's oldest have what mends https://github.com/python/cpython/issues/135462.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup

# What begins something, and what must come behind it for that to end.
ENDS = (
    ("<!--", re.compile(r"--!?\s*>")),
    ("<![", re.compile(r"\]\s*>")),
    ("<", re.compile(">")),
)


def soup_of(text: str) -> BeautifulSoup:
    for opening, ending in ENDS:
        last = 0
        for found in ending.finditer(text):
            last = found.end()
        text = text[:last] + text[last:].replace(opening, "&lt;" + opening[1:])
    return BeautifulSoup(text, "html.parser")
