"""What a trace holds of a turn, when each stage began, and how many traces are kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from terrarium.filters import Filter
from terrarium.library import Library
from terrarium.model import Block, Document
from terrarium.models.scripted import HashingEmbedder
from terrarium.recording import filter_view, found
from terrarium.retrieval.funnel import Retriever
from terrarium.shelf import TraceShelf
from terrarium.storage.memory import MemoryStore
from terrarium.trace import Trace

LONG = "Members may borrow up to six books for 21 days. " * 8


def ticking(*moments: float) -> Iterator[float]:
    yield from moments


def test_stages_keep_their_start_so_that_nested_ones_can_be_drawn() -> None:
    ticks = ticking(100.0, 101.0, 102.0, 104.5, 105.0, 106.0)
    trace = Trace("?", clock=lambda: next(ticks))
    with trace.stage("outer"):  # 101 to 105
        with trace.stage("inner"):  # 102 to 104.5
            pass
    trace.mark("shown")  # at 106
    assert trace.stages == [
        {"name": "outer", "start": 1.0, "seconds": 4.0},
        {"name": "inner", "start": 2.0, "seconds": 2.5},
    ]
    assert trace.marks == {"shown": 6.0}
    assert trace.timings == {"inner": 2.5, "outer": 4.0, "shown": 6.0}


def test_a_stage_that_is_entered_twice_is_two_stages_and_one_sum() -> None:
    ticks = ticking(0.0, 1.0, 2.0, 5.0, 8.0)
    trace = Trace("?", clock=lambda: next(ticks))
    for _ in range(2):
        with trace.stage("searching"):
            pass
    assert [(one["start"], one["seconds"]) for one in trace.stages] == [(1.0, 1.0), (5.0, 3.0)]
    assert trace.timings["searching"] == 4.0


def test_a_stage_that_fails_is_timed_too() -> None:
    trace = Trace("?")
    with pytest.raises(ValueError, match="broken"), trace.stage("searching"):
        raise ValueError("broken")
    record = json.loads(trace.close())
    assert record["stages"][0]["name"] == "searching" and record["stages"][0]["seconds"] >= 0
    assert record["marks"]["total"] >= record["stages"][0]["seconds"]


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        {"collections": ["", "rules"], "added_from": 12.5},
        {"documents": []},
        {"kinds": ["pdf"], "added_to": 1.0},
    ],
)
def test_a_filter_in_a_record_is_the_filter_again(given: dict[str, Any] | None) -> None:
    assert filter_view(Filter.of(given)) == given


def test_the_passages_that_lists_name_are_described_and_a_removed_document_is_left_out() -> None:
    async def scenario() -> None:
        library = await Library.open(MemoryStore(), HashingEmbedder())
        kept = await library.add(Document("a" * 64, "rules.txt", "text", "", (Block("paragraph", LONG, page=3),), 9))
        gone = await library.add(Document("b" * 64, "films.txt", "text", "", (Block("paragraph", "Six films."),), 9))
        retrieval = await Retriever(library).retrieve("How many books?")
        await library.remove(gone.id)
        described = found({"retrieval": retrieval.record()}, library)
        assert described["documents"] == {kept.id: "rules.txt"}
        assert {(one["document"], one["page"]) for one in described["chunks"]} == {(kept.id, 3)}
        assert all(LONG.startswith(one["text"]) and len(one["text"]) < len(LONG) for one in described["chunks"])

    asyncio.run(scenario())


def test_a_record_of_a_second_search_holds_only_the_lists_that_are_new() -> None:
    async def scenario() -> None:
        library = await Library.open(MemoryStore(), HashingEmbedder())
        await library.add(Document("a" * 64, "rules.txt", "text", "", (Block("paragraph", LONG),), 9))
        first = await Retriever(library).retrieve("How many books?")
        other = await Retriever(library).retrieve("six days")
        assert first.record(beside=first) == {}
        assert set(other.record(beside=first)) <= set(other.record())
        assert "lexical" in other.record(beside=first)

    asyncio.run(scenario())


def traced(number: int) -> Trace:
    trace = Trace(f"question {number}")
    trace.record["time"] = f"2026-01-01T00:00:{number:02d}Z"
    return trace


def test_the_newest_traces_are_kept_and_those_of_a_run_do_not_count() -> None:
    async def scenario() -> None:
        shelf = TraceShelf(MemoryStore(), kept=3)
        run = [traced(number) for number in range(4)]
        for trace in run:
            await shelf.put(trace, run="r1")
        asked = [traced(number) for number in range(5)]
        for trace in reversed(asked):  # in whatever order they end
            await shelf.put(trace)
        lines = [json.loads(line) for line in await shelf.lines()]
        assert [one["id"] for one in lines] == [one.id for one in (*asked[2:], *run)]
        assert await shelf.get(asked[0].id) is None
        for trace in (asked[4], run[0]):
            line = await shelf.get(trace.id)
            assert line is not None and json.loads(line)["question"] == trace.record["question"]

        assert await shelf.forget() == 3
        assert [json.loads(line)["id"] for line in await shelf.lines()] == [one.id for one in run]
        assert await shelf.forget("r") == 0
        assert await shelf.forget("r1") == 4
        assert await shelf.lines() == []

    asyncio.run(scenario())
