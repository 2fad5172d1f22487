"""A library made at the desk enters the built page, and one saved from the page opens at the desk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.test_real_page import BRIDGE_QUESTION, FILES, Visit, drop, listed, visit

from terrarium.cli import main
from terrarium.desk.command import open_store
from terrarium.engine import Engine
from terrarium.readers.local import LocalReader
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.runtime.native import NativeRuntime

pytestmark = pytest.mark.browser
__all__ = ["visit"]  # a fixture

QUESTIONS = [BRIDGE_QUESTION, "When is the bread oven cleaned?", "Which tree of the orchard is the oldest?"]


async def at_the_desk(library: Path) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The text of each document by name, and the answer to each question."""
    engine = Engine(NativeRuntime(), await open_store(library), LocalReader(NodePdfExtractor()))
    await engine.open({}, lambda _event: None)
    texts = {info.name: engine.library.text(key) for key, info in engine.library.documents.items()}
    answers = [await engine.ask({"question": one, "mode": "quote"}, lambda _event: None) for one in QUESTIONS]
    return texts, answers


def apart(function: Callable[..., Any], *given: Any) -> Any:
    """In a thread of its own: Playwright's synchronous interface leaves an event loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *given).result()


def places(answer: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(one["document"], one["start"], one["end"]) for one in answer["passages"]]


def test_a_library_travels_from_the_desk_into_the_page_and_back(visit: Visit, tmp_path: Path) -> None:
    folder, library, saved = tmp_path / "share", tmp_path / "share.terrarium", tmp_path / "saved.terrarium"
    folder.mkdir()
    for name, data in list(FILES.items())[:5]:
        (folder / name).write_bytes(data)
    assert apart(main, ["index", str(folder), "-o", str(library)]) == 0
    texts, answers = apart(asyncio.run, at_the_desk(library))
    assert len(texts) == 5
    damaged = tmp_path / "cut.terrarium"
    damaged.write_bytes(library.read_bytes()[:-300])

    with visit() as driven:
        page = driven.page
        page.locator("#pick-library").set_input_files([damaged, library])
        expect(page.locator(".toast", has_text="5 documents added.")).to_be_visible()
        expect(page.locator(".row.failed")).to_contain_text("damaged or was not copied whole")
        assert sorted(listed(driven)) == sorted(list(FILES)[:5])
        assert driven.calls("add") == []
        for question, expected in zip(QUESTIONS, answers, strict=True):
            answer = driven.ask(question, "quote")["result"]
            assert places(answer)[0] == places(expected)[0]
            assert sorted(places(answer)) == sorted(places(expected))
            assert answer["answer"] == expected["answer"]

        page.get_by_role("button", name="Save as one file").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="With the files").click()
        download.value.save_as(saved)
        assert saved.read_bytes() == library.read_bytes()

        drop(driven, {"mill.txt": b"The mill at Ormsund grinds rye on Mondays."})
        page.get_by_role("button", name="Save as one file").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Texts only").click()
        download.value.save_as(saved)
        assert driven.ledger() == []
    again, _ = apart(asyncio.run, at_the_desk(saved))
    assert again == texts | {"mill.txt": "The mill at Ormsund grinds rye on Mondays."}

    with visit() as driven:
        assert sorted(listed(driven)) == sorted([*list(FILES)[:5], "mill.txt"])
