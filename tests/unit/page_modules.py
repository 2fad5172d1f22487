"""The page's modules under CPython: those that import their neighbours as the page does, from `ui`."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

WEB = Path(__file__).resolve().parents[2] / "web"


def page_module(monkeypatch: pytest.MonkeyPatch, name: str) -> Any:
    monkeypatch.syspath_prepend(str(WEB))
    return importlib.import_module(f"ui.{name}")


def spaced(text: str) -> str:
    """With plain spaces: the page ties numbers to their units."""
    return text.replace("\u00a0", " ")
