"""The commands of the page, over scripted models: what may run beside what, and what is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

import terrarium.engine
import terrarium.loading
from terrarium.engine import Engine
from terrarium.errors import DeviceLost, ModelError, StorageError, TerrariumError, UnreadableFile
from terrarium.runtime.catalogue import Models
from terrarium.runtime.native import NativeRuntime
from terrarium.runtime.scripted import HashingEmbedder, ScriptedDecoder
from terrarium.selftest import SelfTest
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
    monkeypatch.setattr(terrarium.loading, "read_card", lambda runtime, name: card)

    def engine(store: MemoryStore | None = None, generator: str | None = "writer") -> Engine:
        made = Engine(NativeRuntime(), store or MemoryStore(), NoPdf(), generator=generator)
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


def test_what_the_engine_does_not_know_and_what_comes_too_early_are_sentences(make: Callable[..., Engine]) -> None:
    with pytest.raises(TerrariumError, match="fly"):
        asyncio.run(call(make(), "fly"))
    with pytest.raises(TerrariumError, match="not open yet"):
        asyncio.run(call(make(), "ask", **QUESTION))
