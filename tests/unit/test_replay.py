"""`terrarium replay`: a question of a saved trace asked again over a saved library, and what differs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import terrarium.engine
import terrarium.models.catalogue
from terrarium.cli import main
from terrarium.desk.differences import differences
from terrarium.desk.replay import read_record, request_of, settings_of
from terrarium.engine import Engine
from terrarium.errors import ModelError, TerrariumError
from terrarium.models.catalogue import Models
from terrarium.models.scripted import HashingEmbedder, ScriptedDecoder
from terrarium.models.selftest import SelfTest
from terrarium.readers.local import LocalReader
from terrarium.runtime.native import NativeRuntime
from terrarium.storage.memory import MemoryStore

RULES = b"# Borrowing\n\nMembers may borrow up to six books for 21 days.\n"
FILMS = b"# Films\n\nStudents of the college may borrow up to two films for 3 days.\n"
EARLIER = {"question": "How many books may members borrow?", "answer": "Six."}
WRITTEN = "Members may borrow up to six books for 21 days [1]."


class Writer:
    """What the scripted generator writes; `missing` when there is none."""

    text, missing = WRITTEN, False


@pytest.fixture
def writer(monkeypatch: pytest.MonkeyPatch) -> Writer:
    """Scripted models in the place of the page's own, in every engine that is made."""
    script = Writer()

    async def open_models(runtime: Any, *, generator: str | None, embedder: str) -> Models:
        return Models(HashingEmbedder(), None, None)

    class PassingSelfTest(SelfTest):
        async def check_embedder(self, embedder: Any, name: str) -> None:
            pass

        async def generator(self, name: str) -> Any:
            if script.missing:
                raise ModelError("There is no such model.")
            return ScriptedDecoder(script.text)

    monkeypatch.setattr(terrarium.engine, "open_models", open_models)
    monkeypatch.setattr(terrarium.engine, "SelfTest", PassingSelfTest)
    card = SimpleNamespace(settings={"stop": ["<|im_end|>"]})
    monkeypatch.setattr(terrarium.models.catalogue, "read_card", lambda runtime, name: card)
    return script


class NoPdf:
    async def extract(self, data: bytes, password: str | None, on_page: Any = None) -> Any:
        raise AssertionError("no PDF here")


@pytest.fixture
def saved(writer: Writer, tmp_path: Path) -> Callable[..., tuple[Path, Path]]:
    """`saved({"question": …}, …)` asks them in one engine: the files of its traces and of its library."""

    def asked(*questions: dict[str, Any]) -> tuple[Path, Path]:
        async def scenario() -> tuple[str, bytes]:
            engine = Engine(NativeRuntime(), MemoryStore(), LocalReader(NoPdf()), generator="scripted")

            async def call(command: str, **args: Any) -> dict[str, Any]:
                return await engine.handle(command, args, lambda _event: None)

            await call("open")
            await call("load_generator")
            await call("add", name="rules.md", data=RULES, collection="rules")
            await call("add", name="films.md", data=FILMS)
            for question in questions:
                await call("ask", **question)
            library = await call("export", originals=False)
            return (await call("traces"))["jsonl"], library["file"]

        jsonl, library = asyncio.run(scenario())
        traces, file = tmp_path / "terrarium-traces é.jsonl", tmp_path / "library.terrarium"
        traces.write_text(jsonl, "utf-8")
        file.write_bytes(library)
        return traces, file

    return asked


def replay(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = main(["replay", *map(str, arguments), "--json"])
    return status, json.loads(capsys.readouterr().out)


def differing(found: dict[str, Any]) -> list[str]:
    return [one["stage"] for one in found["differences"] if not one["same"]]


@pytest.mark.parametrize("mode", ["both", "answer", "quote"])
def test_the_same_question_over_the_same_library_shows_the_same(
    saved: Callable[..., tuple[Path, Path]], capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    asked = {"question": "and for students?", "turns": [EARLIER], "filter": {"collections": ["rules"]}, "mode": mode}
    traces, library = saved(asked)
    status, found = replay(capsys, traces, "--library", library)
    assert status == 0 and found["same"]
    assert differing(found) == []
    now = found["record"]
    assert now["resolved"] == "How many books may students borrow?"
    assert (now["turns"], now["filter"], now["mode"]) == ([EARLIER], {"collections": ["rules"]}, mode)
    assert {"retrieval", "judge", "total"} <= {row["stage"] for row in found["timings"] if row["then"] is not None}
    assert all((row["then"] is None) == (row["now"] is None) for row in found["timings"])


def test_what_the_writer_writes_otherwise_is_a_difference_that_is_shown(
    saved: Callable[..., tuple[Path, Path]], writer: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    traces, library = saved({"question": EARLIER["question"]})
    writer.text = "Six books may be borrowed by members for 21 days [1]."
    status, found = replay(capsys, traces, "--library", library)
    assert status == 1
    assert differing(found) == ["raw output", "sentence by sentence", "answer"]
    (answer,) = [one["lines"] for one in found["differences"] if one["stage"] == "answer"]
    assert f"-{WRITTEN.removesuffix(' [1].')}. [1]" in answer
    assert any(line.startswith("+Six books may be borrowed") for line in answer)

    assert main(["replay", str(traces), "--library", str(library)]) == 1
    said = capsys.readouterr().out
    assert "= prompt" in said and "≠ answer (shown)" in said
    assert said.rstrip().endswith("What is shown differs: answer.")


def test_a_document_that_is_missing_is_seen_in_every_list(
    saved: Callable[..., tuple[Path, Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    traces, _ = saved({"question": EARLIER["question"]})
    (tmp_path / "films.md").write_bytes(FILMS)
    status, found = replay(capsys, traces, tmp_path / "films.md")
    assert status == 1
    by_stage = {one["stage"]: one["lines"] for one in found["differences"]}
    assert "rules.md, chunk 0: 1 → absent" in by_stage["list “lexical”"]
    assert "rules.md, chunk 0: 1 → absent" in by_stage["passages shown"]
    assert any(line.startswith("library.documents: 2 → 1") for line in by_stage["what ran"])


def test_without_the_writer_the_documents_are_quoted_and_it_is_said(
    saved: Callable[..., tuple[Path, Path]], writer: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    traces, library = saved({"question": EARLIER["question"]})
    writer.missing = True
    assert main(["replay", str(traces), "--library", str(library)]) == 1
    out, err = capsys.readouterr()
    assert "There is no such model. Without scripted the documents are quoted." in err
    assert "≠ kind of answer (shown)" in out


def test_one_of_several_traces_is_chosen_by_its_place_or_its_id(
    saved: Callable[..., tuple[Path, Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    traces, library = saved({"question": EARLIER["question"]}, {"question": "How many films may students borrow?"})
    lines = [json.loads(line) for line in traces.read_text("utf-8").splitlines()]
    with pytest.raises(TerrariumError, match="several traces") as told:
        read_record(traces)
    assert all(f"{line['id'][:8]}  {line['question']}" in str(told.value) for line in lines)
    assert read_record(traces, "2") == lines[1]
    assert read_record(traces, lines[0]["id"][:12]) == lines[0]
    with pytest.raises(TerrariumError, match="no trace “3”"):
        read_record(traces, "3")
    assert main(["replay", str(traces), "--library", str(library), "--record", "nothing"]) == 2
    assert "Choose one with --record" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "could not be read"),
        ("", "is empty"),
        ("not JSON\n", "holds no traces"),
        ('{"question": "?"}\n', "Line 1 of"),
        ("[1]\n", "Line 1 of"),
        ('{"format": 99, "id": "a", "question": "?"}\n', "newer version"),
    ],
)
def test_what_is_no_trace_is_said(
    content: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "trace.jsonl"
    if content is not None:
        file.write_text(content, "utf-8")
    assert main(["replay", str(file)]) == 2
    out, err = capsys.readouterr()
    assert said in err and out == ""


def test_without_documents_nothing_is_asked(
    saved: Callable[..., tuple[Path, Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    traces, _ = saved({"question": EARLIER["question"]})
    assert main(["replay", str(traces)]) == 2
    assert "Name a library with --library" in capsys.readouterr().err


OLD = {
    "format": 1,
    "id": "a" * 32,
    "time": "2026-01-01T00:00:00Z",
    "question": "and for students?",
    "mode": "answer",
    "resolved": "How many books may students borrow?",
    "retrieval": {"lexical": [{"document": "d", "chunk": 0, "rank": 1, "score": 2.0}]},
    "passages": [["d", 0]],
    "judgement": {"verdict": "correct", "probability": 0.9, "reasons": [], "signals": {}, "out_of_scope": False},
    "answer": "Six. [1]",
    "answer_mode": "generated",
    "timings": {"total": 1.0},
}


def test_a_record_of_the_older_format_is_asked_as_it_was_understood_and_compared_in_what_it_holds() -> None:
    request = request_of(OLD)
    assert (request.question, request.turns, request.mode) == (OLD["resolved"], (), "answer")
    now = OLD | {
        "format": 2,
        "passages": [{"document": "d", "chunk": 0}],
        "notes": ["new"],
        "sources": [],
        "quotes": [],
    }
    assert [one.stage for one in differences(OLD, now) if not one.same] == []
    other = now | {"passages": [{"document": "d", "chunk": 4}]}
    assert [one.stage for one in differences(OLD, other) if not one.same] == ["passages shown"]


@pytest.mark.parametrize(("backend", "tokens"), [("wasm", 300), ("webgpu", 800), ("webgpu-f16", 800)])
def test_as_much_is_read_as_was_read_where_the_trace_was_made(backend: str, tokens: int) -> None:
    record = OLD | {
        "models": {"generator": "small@0123", "backends": {"small": backend}},
        "engine": {"answers": {"source_tokens": 300, "source_tokens_webgpu": 800}},
    }
    assert settings_of(record).source_tokens == tokens
    assert settings_of(OLD).source_tokens == 350
