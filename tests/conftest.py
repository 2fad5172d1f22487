"""Fixtures that every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of shared documents and questions (e2e/, files/, data/). Skips the test when it is absent."""
    chosen = os.environ.get("TERRARIUM_DATA")
    folder = Path(chosen) if chosen else ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there; set TERRARIUM_DATA to the folder with e2e/, files/ and data/")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests without a browser first: Playwright's synchronous interface leaves an event loop running in this thread."""
    items.sort(key=lambda item: bool(item.get_closest_marker("browser")) or "playwright" in _fixtures(item))


def _fixtures(item: pytest.Item) -> list[str]:
    return item.fixturenames if isinstance(item, pytest.Function) else []
