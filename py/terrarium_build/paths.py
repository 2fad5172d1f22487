"""Where the build reads and writes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
MODELS = ROOT / "models"
NODE_MODULES = ROOT / "node_modules"
# What one build tells the next; may be deleted at any time.
STATE = ROOT / ".build"


def cache_folder() -> Path:
    """The user's cache; build.py, which cannot import this, has the same rule."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "terrarium"


class BuildError(Exception):
    """A build that cannot go on. The message is written for the person who started it."""


def say(message: str) -> None:
    """Progress. Standard output belongs to the result of a command, such as the JSON of `ask --json`."""
    print(message, file=sys.stderr, flush=True)


def megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"
