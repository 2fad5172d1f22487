"""A person's own questions: asked one by one over a small library, kept, compared, made from passages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from terrarium.answers.answering import Answerer
from terrarium.errors import StorageError, TerrariumError
from terrarium.evaluating import Evaluating
from terrarium.evaluation.question_sets import MOST_SETS
from terrarium.evaluation.runs import MOST_RUNS
from terrarium.generation.generator import Generator
from terrarium.library import Library
from terrarium.model import Answer, Block, Document
from terrarium.models.scripted import HashingEmbedder, ScriptedDecoder
from terrarium.request import Request
from terrarium.retrieval.funnel import Retriever
from terrarium.shelf import TraceShelf
from terrarium.storage.memory import MemoryStore
from terrarium.trace import Trace

RULES = (
    ("rules.txt", "Members may borrow up to six books for 21 days."),
    ("rooms/hours.txt", "The reading room closes at 19:00 on Fridays. It is closed on Sundays."),
)
QUESTIONS: list[dict[str, Any]] = [
    {"id": "a", "question": "How many books may members borrow?", "answers": ["six books"]},
    {"id": "b", "question": "When does the reading room close?", "document": "hours.txt", "answers": ["19:00"]},
    {
        "id": "c",
        "question": "How long may members keep books?",
        "evidence": [{"file": "rules.txt", "quote": "books for 21 days"}],
    },
    {"id": "d", "question": "Write a poem about zebras", "answerable": False},
    {"id": "e", "question": "What is in the cellar?", "document": "cellar.txt"},
]


class Desk:
    """What `Evaluating` needs of an engine, over scripted models."""

    def __init__(self, answerer: Answerer, store: MemoryStore) -> None:
        self.answering = asyncio.Lock()
        self.answerer = answerer
        self.shelf = TraceShelf(store)

    async def answered(self, request: Request, emit: Any, run: str = "") -> tuple[Answer, Trace]:
        assert self.answering.locked()
        answer, trace = await self.answerer.answer(request.question, request.mode, emit)
        await self.shelf.put(trace, run)
        return answer, trace


class Bench:
    def __init__(self, evaluating: Evaluating, store: MemoryStore, desk: Desk) -> None:
        self.evaluating, self.store, self.desk = evaluating, store, desk
        self.events: list[dict[str, Any]] = []

    async def __call__(self, command: str, **args: Any) -> dict[str, Any]:
        return await self.evaluating.handle(command, args, self.events.append)

    async def run(self, mode: str = "retrieval", questions: Any = QUESTIONS, **args: Any) -> dict[str, Any]:
        found = await self("evaluate", name="mine", questions=questions, mode=mode, **args)
        run: dict[str, Any] = found["run"]
        return run


async def bench(reply: str | None = None, texts: Any = RULES, store: MemoryStore | None = None) -> Bench:
    store = store or MemoryStore()
    library = await Library.open(MemoryStore(), HashingEmbedder())
    for number, (name, text) in enumerate(texts):
        blocks = tuple(Block("paragraph", line) for line in text.split("\n"))
        await library.add(Document(str(number) * 64, name, "text", "", blocks, len(text)))
    decoder = ScriptedDecoder(reply or "")
    generator = Generator(decoder, "", [decoder.end]) if reply is not None else None
    desk = Desk(Answerer(library, Retriever(library), generator, {"embedder": "hashing@1"}), store)
    return Bench(Evaluating(desk, store), store, desk)


def test_a_run_over_the_open_library_says_where_each_answer_stands():
    async def scenario() -> None:
        ask = await bench()
        run = await ask.run()
        rows = {row["id"]: row for row in run["questions"]}
        assert list(rows) == ["a", "b", "c", "d"]
        assert run["set"]["left_out"] == {"about documents that the library does not hold": ["e"]}
        assert (run["asked"], run["total"], run["library"]) == (4, 4, {"documents": 2, "passages": 2})
        ranks = {name: list(rows[name]["stages"]["final"]["ranks"].values()) for name in "abc"}
        assert ranks == {"a": [1], "b": [2], "c": [1]}
        assert [rows[name]["lost"] for name in "abc"] == [None] * 3
        assert rows["d"]["stages"] == {}
        assert run["stages"]["final"]["mrr"] == pytest.approx((1 + 1 / 2 + 1) / 3)
        assert run["latency"]["retrieval"]["questions"] == 4
        assert [event["row"]["id"] for event in ask.events if event["type"] == "asked"] == list("abcd")
        progress = [event for event in ask.events if event["type"] == "progress"]
        assert [(one["done"], one["total"]) for one in progress] == [(0, 4), (1, 4), (2, 4), (3, 4)]
        record = json.loads((await ask.desk.shelf.get(rows["a"]["trace"])) or b"")
        assert record["question"] == QUESTIONS[0]["question"]
        assert (await ask("runs"))["runs"][0]["figures"]["found"] == 1
        assert (await ask("run", id=run["id"]))["run"] == json.loads(json.dumps(run))
        whole = json.loads((await ask("write_run", id=run["id"], format="json"))["text"])
        assert whole["questions"][0]["stages"]["final"]["measures"]["mrr"] == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("mode", ["quote", "answer"])
def test_answers_are_scored_and_their_traces_kept(mode: str):
    async def scenario() -> None:
        ask = await bench("Members may borrow up to six books [1].")
        run = await ask.run(mode, QUESTIONS[:2])
        first, second = run["questions"]
        assert first["answer"]["correct"] is True
        assert first["answer"]["mode"] == ("quoted" if mode == "quote" else "generated")
        assert (first["answer"]["relevancy"] is None) == (mode == "quote"), "quotes cost no generation"
        assert run["answers"]["mode"] == mode
        assert run["answers"]["judge"].startswith("local-judge")
        assert 0 <= run["answers"]["context_recall"] <= 1
        assert await ask.desk.shelf.get(second["trace"])
        assert "total" in run["latency"]
        text = (await ask("write_run", id=run["id"], format="csv"))["text"]
        assert len(text.splitlines()) == 3
        assert json.loads((await ask("write_run", id=run["id"], format="json"))["text"])["id"] == run["id"]
        await ask("forget_run", id=run["id"])
        assert await ask.desk.shelf.get(second["trace"]) is None
        assert (await ask("runs"))["runs"] == []
        with pytest.raises(TerrariumError, match="no longer kept"):
            await ask("run", id=run["id"])

    asyncio.run(scenario())


def test_a_wrong_answer_and_one_that_should_have_been_refused_are_lost_at_their_stage():
    async def scenario() -> None:
        ask = await bench("Members may borrow up to six books [1].")
        questions = [
            {**QUESTIONS[0], "answers": ["nine books"], "must_mention": ["nine"], "document": "rules.txt"},
            {**QUESTIONS[0], "id": "z", "answerable": False},
        ]
        wrong, answered = (await ask.run("answer", questions))["questions"]
        assert (wrong["answer"]["correct"], wrong["lost"]) == (False, "answer")
        assert answered["lost"] == "not_refused"

    asyncio.run(scenario())


def test_what_was_asked_before_a_cancel_is_kept_and_another_question_comes_between():
    async def scenario() -> None:
        ask = await bench()
        running = asyncio.ensure_future(ask.run())
        while not running.done() and not any(event["type"] == "asked" for event in ask.events):
            await asyncio.sleep(0)
        async with asyncio.timeout(5), ask.desk.answering:  # a question that a person asks meanwhile
            before = len([event for event in ask.events if event["type"] == "asked"])
            assert before < len(QUESTIONS) - 1
            running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        (head,) = (await ask("runs"))["runs"]
        assert (head["asked"], head["total"]) == (before, 4)
        assert len((await ask("run", id=head["id"]))["run"]["questions"]) == before
        assert not ask.desk.answering.locked()

    asyncio.run(scenario())


def test_the_newest_runs_are_kept_and_the_traces_of_the_others_go():
    async def scenario() -> None:
        ask = await bench()
        first = await ask.run(questions=QUESTIONS[:1])
        for _ in range(MOST_RUNS):
            await ask.run(questions=QUESTIONS[:1])
        heads = (await ask("runs"))["runs"]
        assert len(heads) == MOST_RUNS and first["id"] not in [head["id"] for head in heads]
        assert len(await ask.desk.shelf.lines()) == MOST_RUNS
        assert await ask.store.get("settings", f"evaluation run {first['id']}") is None

    asyncio.run(scenario())


def test_a_store_that_is_full_costs_the_keeping_and_not_the_result():
    class Full(MemoryStore):
        async def put(self, values: Mapping[Any, Mapping[str, bytes]]) -> None:
            raise StorageError("The browser's storage is full.")

    async def scenario() -> None:
        ask = await bench(store=Full())
        assert (await ask.run())["asked"] == 4
        assert (await ask("runs"))["runs"] == []

    asyncio.run(scenario())


def test_nothing_to_ask_or_to_ask_it_of_is_a_sentence():
    async def scenario() -> None:
        ask = await bench()
        with pytest.raises(TerrariumError, match="does not hold"):
            await ask.run(questions=QUESTIONS[4:])
        with pytest.raises(TerrariumError, match="need the writer"):
            await ask.run("answer")
        with pytest.raises(TerrariumError, match="no way to check"):
            await ask.run("loudly")
        with pytest.raises(TerrariumError, match="Question 1 has no question"):
            await ask.run(questions=[{"id": "x"}])
        with pytest.raises(TerrariumError, match="no documents yet"):
            await (await bench(texts=())).run()

    asyncio.run(scenario())


def test_two_runs_are_compared_question_by_question():
    async def scenario() -> None:
        ask = await bench()
        first = await ask.run(questions=QUESTIONS[:4])
        second = await ask.run(questions=[*QUESTIONS[1:4], {"id": "a", "question": "Another one?"}])
        found = await ask("compare_runs", first=first["id"], second=second["id"])
        assert found["shared"] == 3, "the same id with other words is another question"
        assert found["stages"]["final"]["mrr"] == {"mean": 0, "low": 0, "high": 0, "p": 1, "questions": 2}
        assert found["changed"] == []

        stored = json.loads(await ask.store.get("settings", f"evaluation run {second['id']}") or b"")
        row = next(row for row in stored["questions"] if row["id"] == "b")
        row["stages"]["final"]["ranks"] = {"rooms/hours.txt": 7}
        await ask.store.put({"settings": {f"evaluation run {second['id']}": json.dumps(stored).encode()}})
        (change,) = (await ask("compare_runs", first=first["id"], second=second["id"]))["changed"]
        assert (change["id"], change["before"]["read"], change["after"]["read"]) == ("b", True, False)
        assert change["better"] < 0

    asyncio.run(scenario())


def test_sets_are_kept_changed_and_bounded():
    async def scenario() -> None:
        ask = await bench()
        kept = (await ask("keep_questions", name=" My  set ", questions=[{"question": "What is due?"}]))["set"]
        assert (kept["name"], kept["questions"][0]["id"]) == ("My set", "q1")
        kept["questions"].append({"question": "Who pays?"})
        await ask("keep_questions", **kept)
        (one,) = (await ask("question_sets"))["sets"]
        assert [row["id"] for row in one["questions"]] == ["q1", "q2"]
        for number in range(MOST_SETS - 1):
            await ask("keep_questions", name=str(number), questions=[])
        with pytest.raises(TerrariumError, match="already"):
            await ask("keep_questions", name="one more", questions=[])
        await ask("forget_questions", id=kept["id"])
        assert kept["id"] not in [one["id"] for one in (await ask("question_sets"))["sets"]]
        read = await ask("read_questions", name="mine.csv", data=b"question\nWhat is due?\n")
        text = (await ask("write_questions", questions=read["questions"], format="jsonl"))["text"]
        assert json.loads(text)["question"] == "What is due?"

    asyncio.run(scenario())
