"""The large library of the benchmark: its texts' statistics, and that both sides can do the work."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from terrarium.storage import packing
from terrarium.text import question_terms
from terrarium_build.__main__ import parse
from terrarium_build.bench.large_library import DIMENSIONS, PER_DOCUMENT, Bench, Made
from terrarium_build.bench.library import search_figures


@pytest.fixture(scope="module")
def made() -> Made:
    return Made()


def test_made_texts_have_the_statistics_that_are_stated(made: Made) -> None:
    record, values = made.document(3)
    assert made.document(3)[1]["postings"] == values["postings"]
    postings = packing.unpack_postings(b"".join(values["postings"].values()))
    assert postings.lengths.tolist() == [112] * PER_DOCUMENT
    assert len(postings.chunks) / PER_DOCUMENT == pytest.approx(71, abs=3)  # different terms a passage
    assert (record.info.chunks, record.info.collection) == (PER_DOCUMENT, "collection 3")
    assert packing.unpack_vectors(b"".join(values["vectors"].values())).shape == (PER_DOCUMENT, DIMENSIONS)


def test_made_words_are_their_own_terms(made: Made) -> None:
    record, values = made.document(3)
    text = packing.unpack_text(b"".join(values["blocks"].values()))
    chunks = packing.unpack_chunks(b"".join(values["chunks"].values()), record.info.id, text)
    for text in (chunks[7].text, made.question(5)[0]):
        assert question_terms(text, [""])[""] == text.replace(".", "").replace("?", "").split()


def test_filled_opened_asked_and_added_to(tmp_path: Path) -> None:
    async def run() -> None:
        bench = Bench()
        assert (await bench.begin(str(tmp_path / "library.sqlite")))["documents"] == 0
        filled = await bench.fill(3 * PER_DOCUMENT)
        assert len(filled["milliseconds"]) == 3
        assert filled["bytes"] > 3 * PER_DOCUMENT * DIMENSIONS * 2
        assert (await bench.open())["documents"] == 3
        asked = await bench.ask(2)
        assert {kind: len(spent) for kind, spent in asked.items()} == dict.fromkeys(
            ("lexical", "dense", "search", "in a collection"), 2
        )
        assert {kind: len(spent) for kind, spent in (await bench.add_and_ask(2)).items()} == {"add": 2, "search": 2}
        assert (await bench.open())["documents"] == 5

    asyncio.run(run())


def test_percentiles_are_taken_within_a_round() -> None:
    tab, native = {"search": [1.0, 2.0, 9.0]}, {"search": [1.0, 1.0, 1.0]}
    figures = search_figures([[tab, native], [{"search": [4.0] * 3}, native]])
    assert figures["search_p50"].ours == (2.0, 4.0)
    assert figures["search_p95"].ours == pytest.approx((8.3, 4.0))
    assert figures["search_p50"].ratio == 3.0


def test_how_large_the_library_is_can_be_said() -> None:
    assert parse(["bench", "--library"]).chunks == 100_000
    assert parse(["bench", "--library", "--chunks", "5000", "--json"]).chunks == 5000
