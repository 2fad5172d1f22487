"""JavaScript and Python files of this package that are sent into the page, as text."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent


def script(name: str) -> str:
    """A whole file, by its path from this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def expression(name: str) -> str:
    """A JavaScript file that is one expression, without its leading comment and closing semicolon."""
    return re.sub(r"^/\*.*?\*/\s*", "", script(name), flags=re.DOTALL).rstrip().rstrip(";")
