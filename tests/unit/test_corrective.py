"""Searching again: which steps are made, what they add, when they stop, and what a filter keeps apart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.unit.retrieval_fakes import HashEmbedder, document

from terrarium.answers.answering import Answerer
from terrarium.filters import Filter
from terrarium.judging.corrective import SECONDS, STEPS, Corrector
from terrarium.judging.gathering import Gathered
from terrarium.library import Library
from terrarium.model import Judgement, Verdict
from terrarium.questions.follow_ups import Turn
from terrarium.retrieval.funnel import Retriever, Search
from terrarium.storage.memory import MemoryStore

FERRY = document("ferry.txt", "The ferry to the island leaves at nine. Tickets cost twelve euros.", title="Ferry")
DOGS = document("dogs.txt", "Dogs travel free on every boat. Cats stay at home.", title="Animals")
OFFICE = document("office.txt", "The harbour office is closed on Sundays.", title="Office")


async def library_of(*collections: tuple[Any, str]) -> Library:
    library = await Library.open(MemoryStore(), HashEmbedder())
    for one, collection in collections:
        await library.add(one, collection=collection)
    return library


def gather(question: str, *, chosen: Filter | None = None, turns: Sequence[Turn] = ()) -> tuple[Gathered, list[Any]]:
    async def scenario() -> tuple[Gathered, list[Any]]:
        library = await library_of((FERRY, "boats"), (DOGS, "animals"), (OFFICE, "boats"))
        events: list[Any] = []
        answerer = Answerer(library, Retriever(library), None, {})
        found = await answerer.gather(question, turns=turns, filter=chosen, emit=events.append)
        return found, events

    return asyncio.run(scenario())


def corrected(
    monkeypatch: pytest.MonkeyPatch, verdict: Callable[[int], Verdict], clock: Callable[[], float] = lambda: 0.0
) -> tuple[Corrector, Judgement]:
    """Every step in turn over one library; `verdict` gets how often the judge was asked before."""
    asked = iter(range(100))
    likely: dict[Verdict, float] = {"incorrect": 0.1, "ambiguous": 0.5, "correct": 0.9}

    def judge(evidence: Any) -> Judgement:
        found = verdict(next(asked))
        return Judgement(found, likely[found])

    monkeypatch.setattr("terrarium.judging.corrective.judge", judge)

    async def scenario() -> tuple[Corrector, Judgement]:
        library = await library_of((FERRY, ""), (DOGS, ""), (OFFICE, ""))
        retriever = Retriever(library)
        search = Search("When does the ferry leave?")
        corrector = Corrector(search, library, retriever, clock=clock)
        first = await corrector.judged(await retriever.search(search))
        after = await corrector.corrected(first, lambda done, total: None)
        return corrector, after.judgement

    return asyncio.run(scenario())


def test_a_content_judge_ends_the_steps(monkeypatch: pytest.MonkeyPatch):
    corrector, judgement = corrected(monkeypatch, lambda asked: "correct" if asked >= 2 else "incorrect")
    assert [step.name for step in corrector.steps] == ["expanded", "wider"]
    assert [step.verdict_after for step in corrector.steps] == ["incorrect", "correct"]
    assert judgement.verdict == "correct"
    assert corrected(monkeypatch, lambda asked: "correct")[0].steps == []


def test_an_unmoved_judge_sees_every_step_that_applies(monkeypatch: pytest.MonkeyPatch):
    corrector, judgement = corrected(monkeypatch, lambda asked: "incorrect")
    made = [step.name for step in corrector.steps]
    assert made == [name for name in STEPS if name not in {"rephrased", "other_collections"}]
    assert judgement.verdict == "incorrect"
    assert all(step.gained == 0 for step in corrector.steps), "what does not help is not taken"


def test_no_step_begins_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch):
    ticks = iter(range(1000))
    corrector, _ = corrected(monkeypatch, lambda asked: "incorrect", clock=lambda: SECONDS / 3 * next(ticks))
    assert 0 < len(corrector.steps) < len(STEPS) - 2


def test_every_part_of_a_question_has_its_best_passage_among_the_few():
    found, _ = gather("When does the ferry leave, and which animals travel free?")
    assert len(found.parts) == 2
    assert found.steps[0].name == "parts"
    assert {passage.document.name for passage in found.passages[:2]} == {"ferry.txt", "dogs.txt"}


def test_what_the_filter_leaves_out_is_named_and_never_mixed_in():
    boats = Filter(collections=frozenset({"boats"}))
    found, _ = gather("Which dogs and cats travel free?", chosen=boats)
    assert {passage.document.collection for passage in found.passages} <= {"boats"}
    step = next(step for step in found.steps if step.name == "other_collections")
    assert step.gained > 0
    assert found.judgement is not None
    assert any("dogs.txt" in reason for reason in found.judgement.reasons)


def test_a_filter_that_no_document_passes_says_so():
    async def scenario() -> str:
        library = await library_of((FERRY, "boats"))
        chosen = Filter(collections=frozenset({"nowhere"}))
        answerer = Answerer(library, Retriever(library), None, {})
        answer, _ = await answerer.answer("When does the ferry leave?", "quote", lambda event: None, filter=chosen)
        assert answer.refusal is not None
        assert answer.refusal.code == "nothing_retrieved"
        return answer.refusal.message

    assert "filter" in asyncio.run(scenario())


def test_a_follow_up_is_searched_as_it_is_understood():
    turns = (Turn("When does the ferry to the island leave?", "At nine."),)
    found, events = gather("And what about dogs?", turns=turns)
    assert found.resolved != found.question
    assert "dogs" in found.cleaned.lower()
    assert {"type": "understood", "question": found.resolved} in events
    alone, events = gather("Do dogs travel free?")
    assert alone.resolved == alone.question
    assert not [event for event in events if event["type"] == "understood"]


def test_asking_and_searching_see_the_same_passages():
    async def scenario() -> None:
        library = await library_of((FERRY, ""), (DOGS, ""))
        answerer = Answerer(library, Retriever(library), None, {})
        answer, _ = await answerer.answer("Do dogs travel free?", "quote", lambda event: None)
        searched = await answerer.search("Hello, do dogs travel free? Thanks!")
        shown = [passage.chunk.key for passage in answer.passages]
        assert [passage.chunk.key for passage in searched.passages[: len(shown)]] == shown

    asyncio.run(scenario())


def test_cancelling_stops_between_steps():
    async def scenario() -> None:
        library = await library_of((FERRY, ""), (DOGS, ""))
        answerer = Answerer(library, Retriever(library), None, {})
        seen: list[str] = []

        def stop(event: dict[str, Any]) -> None:
            if event.get("stage") == "searching":
                seen.append(event["stage"])
                task.cancel()

        question = "Do dogs on the ferry to the island need tickets in Atlantis?"
        task = asyncio.ensure_future(answerer.gather(question, emit=stop))
        with pytest.raises(asyncio.CancelledError):
            await task
        assert seen == ["searching"]

    asyncio.run(scenario())
