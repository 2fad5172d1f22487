"""The commands of the page, over scripted models: what may run beside what, and what is kept."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from tests.fixtures.documents import zipped

import terrarium.engine
import terrarium.models.catalogue
from terrarium.engine import Engine
from terrarium.errors import DeviceLost, ModelError, StorageError, TerrariumError, UnreadableFile
from terrarium.models.catalogue import Models
from terrarium.models.scripted import HashingEmbedder, ScriptedDecoder
from terrarium.models.selftest import SelfTest
from terrarium.readers.local import LocalReader
from terrarium.runtime.native import NativeRuntime
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import Kind

Events = list[dict[str, Any]]
RULES = b"# Borrowing\n\nMembers may borrow up to six books for 21 days.\n"
QUESTION = {"question": "May members borrow up to six books?"}


class NoPdf:
    async def extract(self, data: bytes, password: str | None, on_page: Any = None) -> Any:
        raise AssertionError("no PDF here")


class LosableDecoder(ScriptedDecoder):
    """Its device is lost in every pass for as long as `lost` says so."""

    lost = False

    async def forward(self, ids: Any, cache: Any, rows: int = 1) -> Any:
        if self.lost:
            raise DeviceLost("The graphics processor was reset or taken away.")
        return await super().forward(ids, cache, rows)


def make_decoder() -> LosableDecoder:
    return LosableDecoder("Members may borrow up to six books for 21 days [1].")


class SlowEmbedder(HashingEmbedder):
    async def embed(self, texts: Any, progress: Any = None, *, kind: Any = "passage") -> Any:
        await asyncio.sleep(0.01)
        return await super().embed(texts, progress, kind=kind)


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Engine]:
    opened: list[str] = []

    async def open_models(runtime: Any, *, generator: str | None, embedder: str) -> Models:
        opened.append("models")
        return Models(SlowEmbedder(), None, None)

    class PassingSelfTest(SelfTest):
        async def check_embedder(self, embedder: Any, name: str) -> None:
            pass

        async def generator(self, name: str) -> Any:
            opened.append(name)
            await asyncio.sleep(0.3)
            if self._losses == 2:
                raise ModelError("It runs nowhere any more.")
            return make_decoder()

    monkeypatch.setattr(terrarium.engine, "open_models", open_models)
    monkeypatch.setattr(terrarium.engine, "SelfTest", PassingSelfTest)
    card = SimpleNamespace(settings={"stop": ["<|im_end|>"]})
    monkeypatch.setattr(terrarium.models.catalogue, "read_card", lambda runtime, name: card)

    def engine(store: MemoryStore | None = None, generator: str | None = "writer") -> Engine:
        made = Engine(NativeRuntime(), store or MemoryStore(), LocalReader(NoPdf()), generator=generator)
        made.opened = opened  # type: ignore[attr-defined]
        return made

    return engine


async def call(engine: Engine, command: str, **args: Any) -> tuple[dict[str, Any], Events]:
    events: Events = []
    return await engine.handle(command, args, events.append), events


def test_opening_twice_loads_once(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        engine = make()
        first, _ = await call(engine, "open")
        await call(engine, "add", name="rules.md", data=RULES)
        again, _ = await call(engine, "open")
        assert first["documents"] == []
        assert [info["name"] for info in again["documents"]] == ["rules.md"]
        assert engine.opened == ["models"]  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_opening_twice_at_once_loads_once(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        engine = make()
        (first, _), (second, _) = await asyncio.gather(call(engine, "open"), call(engine, "open"))
        assert first == second
        assert engine.opened == ["models"]  # type: ignore[attr-defined]

    asyncio.run(scenario())


def test_a_question_waits_for_the_generator_that_is_being_loaded(make: Callable[..., Engine]) -> None:
    async def scenario() -> tuple[dict[str, Any], Events]:
        engine = make()
        await call(engine, "open")
        await call(engine, "add", name="rules.md", data=RULES)
        loading = asyncio.ensure_future(call(engine, "load_generator"))
        await asyncio.sleep(0.01)
        answer, events = await call(engine, "ask", **QUESTION)
        await loading
        await call(engine, "load_generator")
        assert engine.opened.count("writer") == 1  # type: ignore[attr-defined]
        (trace,) = (await call(engine, "traces"))[0]["jsonl"].splitlines()
        assert json.loads(trace)["models"]["generator"] == "scripted@1", "the one that wrote, not the one at the start"
        return answer, events

    answer, events = asyncio.run(scenario())
    stages = [event.get("stage") for event in events]
    assert answer["mode"] == "generated"
    assert "loading" in stages
    assert [event["type"] for event in events].index("evidence") < stages.index("loading")


def test_a_lost_graphics_processor_costs_one_more_try_and_at_last_the_writer(make: Callable[..., Engine]) -> None:
    async def scenario() -> list[tuple[str, list[str]]]:
        engine = make()
        await call(engine, "open")
        await call(engine, "add", name="rules.md", data=RULES)
        await call(engine, "load_generator")
        told = []
        for _ in range(2):
            engine.answerer.generator.decoder.lost = True  # type: ignore[union-attr]
            answer, events = await call(engine, "ask", **QUESTION)
            told.append((answer["mode"], [event["message"] for event in events if event["type"] == "notice"]))
        assert (await call(engine, "status"))[0]["models"]["generator"] is None
        return told

    (first, once), (second, twice) = asyncio.run(scenario())
    assert (first, second) == ("generated", "quoted")
    assert len(once) == 1 and "asked once more" in once[0]
    assert twice == [*once, "It runs nowhere any more."]


def test_without_a_generator_the_answer_is_a_quotation(make: Callable[..., Engine]) -> None:
    async def scenario() -> dict[str, Any]:
        engine = make(generator=None)
        await call(engine, "open")
        await call(engine, "load_generator")
        await call(engine, "add", name="rules.md", data=RULES)
        return (await call(engine, "ask", **QUESTION))[0]

    answer = asyncio.run(scenario())
    assert answer["mode"] == "quoted"
    assert answer["citations"][0]["quote"] == "Members may borrow up to six books for 21 days."


def test_the_first_question_waits_for_the_first_document(make: Callable[..., Engine]) -> None:
    async def scenario() -> tuple[dict[str, Any], Events]:
        engine = make(generator=None)
        await call(engine, "open")
        adding = asyncio.ensure_future(call(engine, "add", name="rules.md", data=RULES))
        await asyncio.sleep(0.005)
        answer = await call(engine, "ask", **QUESTION)
        await adding
        return answer

    answer, events = asyncio.run(scenario())
    assert not answer["refused"]
    assert events[0]["stage"] == "indexing"


def test_the_same_bytes_are_one_document(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        engine = make()
        await call(engine, "open")
        first, _ = await call(engine, "add", name="rules.md", data=RULES)
        second, _ = await call(engine, "add", name="copy of rules.md", data=RULES)
        assert (first["duplicate"], second["duplicate"]) == (False, True)
        assert len(engine.library.documents) == 1
        with pytest.raises(UnreadableFile):
            await call(engine, "add", name="empty.txt", data=b"")
        await call(engine, "remove", document_id=first["document"]["id"])
        assert engine.library.documents == {}

    asyncio.run(scenario())


def test_files_inside_of_a_file_come_and_go_with_it_and_are_asked_by_themselves(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        engine = make(generator=None)
        await call(engine, "open")
        archive = zipped({"in/rules.md": RULES, "films.md": "# Films\n\nMembers may borrow up to two films.\n"})
        added, events = await call(engine, "add", name="club/box.zip", data=archive, collection="club")
        assert (added["document"]["chunks"], added["duplicate"]) == (0, False)
        films, rules = added["enclosed"]
        assert (films["name"], rules["name"]) == ("club/box.zip/films.md", "club/box.zip/in/rules.md")
        assert rules["within"] == [added["document"]["id"]] and rules["collection"] == "club"
        assert {event["stage"] for event in events} == {"reading", "embedding"}

        answer, _ = await call(engine, "ask", **QUESTION, filter={"documents": [added["document"]["id"]]})
        assert answer["citations"][0]["document"] == "club/box.zip/in/rules.md"
        assert answer["passages"][0]["inside"] == "club/box.zip/in"
        only = {"documents": [films["id"]]}
        found, _ = await call(engine, "search", **QUESTION, filter=only)
        assert {passage["document_id"] for passage in found["passages"]} <= {films["id"]}

        again, _ = await call(engine, "add", name="copy.zip", data=archive)
        assert again["duplicate"] and len(again["enclosed"]) == 2
        removed, _ = await call(engine, "remove", document_id=added["document"]["id"])
        assert set(removed["removed"]) == {added["document"]["id"], films["id"], rules["id"]}
        assert engine.library.documents == {}

    asyncio.run(scenario())


def test_a_trace_is_kept_for_each_question_and_an_answer_survives_a_full_store(make: Callable[..., Engine]) -> None:
    class Full(MemoryStore):
        full = False

        async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
            if self.full:
                raise StorageError("The browser's storage is full.")
            await super().put(values)

    async def scenario() -> str:
        store = Full()
        engine = make(store, generator=None)
        await call(engine, "open")
        await call(engine, "add", name="rules.md", data=RULES)
        await call(engine, "ask", **QUESTION)
        store.full = True
        answer, _ = await call(engine, "ask", **QUESTION)
        assert not answer["refused"]
        return str((await call(engine, "traces"))[0]["jsonl"])

    lines = asyncio.run(scenario()).splitlines()
    assert [json.loads(line)["question"] for line in lines] == [QUESTION["question"]]


def test_how_one_answer_was_made_is_told_until_it_is_forgotten(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        engine = make()
        await call(engine, "open")
        await call(engine, "load_generator")
        await call(engine, "add", name="rules.md", data=RULES, collection="rules")
        earlier = [{"question": "How many books may members borrow?", "answer": "Six."}]
        filter = {"collections": ["rules"]}
        first, _ = await call(engine, "ask", question="and for students?", turns=earlier, filter=filter, mode="quote")
        second, _ = await call(engine, "ask", **QUESTION)
        made = [json.loads((await call(engine, "trace", trace_id=a["trace_id"]))[0]["record"]) for a in (first, second)]
        assert (made[0]["question"], made[0]["turns"], made[0]["filter"]) == ("and for students?", earlier, filter)
        assert (made[0]["mode"], made[1]["mode"]) == ("quote", "both")
        assert made[0]["resolved"] == "How many books may students borrow?"
        assert made[0]["library"]["documents"] == 1
        for record, answer in zip(made, (first, second), strict=True):
            assert record["answer"] == answer["answer"] and record["answer_mode"] == answer["mode"]
            assert [one["number"] for one in record["passages"]] == [one["number"] for one in answer["passages"]]
            assert set(record["found"]["documents"].values()) == {"rules.md"}
            assert {"answers", "retrieval", "version"} <= set(record["engine"])
        assert made[1]["engine"]["generation"]["repetition_penalty"] == 1.1
        assert made[1]["prompt"].endswith("<|im_start|>assistant\n")
        (source,) = made[1]["sources"]
        document = await engine.library.document(made[1]["passages"][0]["document"])
        assert document.text[source["start"] : source["end"]] in source["text"]

        assert (await call(engine, "forget_traces"))[0] == {"forgotten": 2}
        assert (await call(engine, "traces"))[0] == {"jsonl": ""}
        with pytest.raises(TerrariumError, match="no longer kept"):
            await call(engine, "trace", trace_id=second["trace_id"])

    asyncio.run(scenario())


def test_what_the_engine_does_not_know_and_what_comes_too_early_are_sentences(make: Callable[..., Engine]) -> None:
    with pytest.raises(TerrariumError, match="fly"):
        asyncio.run(call(make(), "fly"))
    with pytest.raises(TerrariumError, match="not open yet"):
        asyncio.run(call(make(), "ask", **QUESTION))


def test_a_library_is_exported_as_one_file_and_imported_into_another_engine(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        here, there = make(), make()
        await call(here, "open")
        await call(there, "open")
        await call(here, "add", name="rules.md", data=RULES)
        saved, events = await call(here, "export", originals=True)
        assert (saved["documents"], saved["size"], saved["notices"]) == (1, len(saved["file"]), [])
        assert {event["stage"] for event in events} == {"exporting"}
        adding = asyncio.ensure_future(call(there, "add", name="rules.md", data=RULES))
        await asyncio.sleep(0.005)
        taken, events = await call(there, "import", name="rules.terrarium", data=io.BytesIO(saved["file"]))
        await adding
        assert taken == {"added": 0, "already": 1, "notices": []}, "it waits for the file that is being added"
        assert {event["stage"] for event in events} == {"importing"}
        await call(there, "remove", document_id=next(iter(there.library.documents)))
        taken, _ = await call(there, "import", name="rules.terrarium", data=io.BytesIO(saved["file"]))
        assert taken["added"] == 1
        answer, _ = await call(there, "ask", **QUESTION, mode="quote")
        assert answer["citations"][0]["quote"] == "Members may borrow up to six books for 21 days."
        with pytest.raises(StorageError, match="not a Terrarium library"):
            await call(there, "import", name="rules.md", data=io.BytesIO(RULES))

    asyncio.run(scenario())


def test_a_follow_up_and_a_filter_reach_the_search(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        engine = make(generator=None)
        await call(engine, "open")
        await call(engine, "add", name="books.md", data=RULES, collection="rules")
        await call(engine, "add", name="films.md", data=b"# Films\n\nMembers may borrow up to two films for 3 days.\n")
        earlier = [{"question": "How many books may members borrow?", "answer": "Six."}]
        answer, events = await call(engine, "ask", question="and for students?", turns=earlier)
        assert answer["question"] == "and for students?"
        assert answer["resolved"] == answer["cleaned"] == "How many books may students borrow?"
        assert events[0] == {"type": "understood", "question": answer["resolved"]}

        alone, events = await call(engine, "ask", **QUESTION, turns=earlier)
        assert alone["resolved"] == ""
        assert "understood" not in [event["type"] for event in events]

        for filter, names in (({"collections": ["rules"]}, {"books.md"}), (None, {"books.md", "films.md"})):
            found, _ = await call(engine, "search", **QUESTION, filter=filter)
            assert {passage["document"] for passage in found["passages"]} == names
        whole, _ = await call(engine, "search", question=answer["resolved"])
        assert (await call(engine, "search", question="and for students?", turns=earlier))[0] == whole

    asyncio.run(scenario())


def test_a_question_asked_while_a_check_runs_says_that_it_waits_and_comes_next(make: Callable[..., Engine]) -> None:
    async def scenario() -> None:
        engine = make(generator=None)
        await call(engine, "open")
        await call(engine, "add", name="rules.md", data=RULES)
        heard: Events = []
        questions = [{"id": str(n), "question": f"May members borrow {n} books?"} for n in range(20)]
        checking = asyncio.ensure_future(
            engine.handle("evaluate", {"name": "mine", "questions": questions, "mode": "quote"}, heard.append)
        )
        while not checking.done() and not heard:
            await asyncio.sleep(0)
        answer, events = await call(engine, "ask", **QUESTION)
        assert not checking.done() and not answer["refused"]
        assert events[0] == {"type": "progress", "stage": "queued", "done": 0, "total": 1}
        run = (await checking)["run"]
        assert run["asked"] == 20
        assert (await call(engine, "trace", trace_id=run["questions"][0]["trace"]))[0]["record"]
        assert [head["id"] for head in (await call(engine, "runs"))[0]["runs"]] == [run["id"]]

    asyncio.run(scenario())


@pytest.mark.parametrize("wrong", [{"question": ""}, {"turns": [1]}, {"filter": {"colour": ["red"]}}, {"mode": "sing"}])
@pytest.mark.parametrize("command", ["ask", "search"])
def test_arguments_that_are_not_understood_are_sentences(
    make: Callable[..., Engine], command: str, wrong: dict[str, Any]
) -> None:
    async def scenario() -> None:
        engine = make(generator=None)
        await call(engine, "open")
        with pytest.raises(TerrariumError, match=r"\.$"):
            await call(engine, command, **(QUESTION | wrong))

    asyncio.run(scenario())
