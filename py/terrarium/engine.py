"""The commands that the page sends: one method a command, plain dicts in and out.

An engine owns the open library and the models. It knows nothing of workers, messages or threads: `worker.py` and
`cli.py` call `handle` and show what it emits. Commands may run at the same time; adding documents is queued.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from terrarium.adding import add_file, read_to_add
from terrarium.answers.answering import Answerer, AnswerSettings
from terrarium.answers.layout import layout_of
from terrarium.drawing import PageDrawer
from terrarium.errors import DeviceLost, StorageError, TerrariumError
from terrarium.events import Emit, progress_of
from terrarium.generation.generator import Generator
from terrarium.generation.prefill import Pace
from terrarium.library import Library
from terrarium.loading import GeneratorLoader
from terrarium.model import Answer
from terrarium.models.catalogue import EMBEDDER, Models, open_models
from terrarium.models.selftest import SelfTest
from terrarium.readers.reader import FileReader
from terrarium.recognition import Recogniser
from terrarium.recording import note_answer, note_request
from terrarium.request import Request
from terrarium.retrieval.funnel import Retriever
from terrarium.runtime.protocols import Runtime
from terrarium.settings import RetrievalSettings
from terrarium.shelf import KEPT, TraceShelf
from terrarium.storage.protocol import Store
from terrarium.storage.stored import stored_embedder
from terrarium.trace import Trace
from terrarium.transfer import BytesFile, NewFile, export_library, import_library
from terrarium.views import answer_view, info_view, passages_view

NO_TRACE = (
    f"How this answer was made is no longer kept: its record was forgotten, is older than the last {KEPT} questions, "
    "or the browser had no room for it. Ask again to see it."
)
EVALUATION = (
    *("read_questions", "write_questions", "question_sets", "keep_questions", "forget_questions", "make_questions"),
    *("evaluate", "runs", "run", "write_run", "compare_runs", "forget_run"),
)
# Commands of classes whose modules most visits never need; made with (engine, store) when the first of them comes.
GROUPS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("terrarium.evaluating", "Evaluating"): EVALUATION,
    ("terrarium.reporting", "Reporting"): ("read", "report", "write_report"),
    ("terrarium.recognising.commands", "Recognising"): ("recognise",),
    ("terrarium.viewing.commands", "Viewing"): ("document", "page", "marks", "find", "close_pages"),
}


class CommandGroup(Protocol):
    async def handle(self, name: str, args: dict[str, Any], emit: Emit) -> dict[str, Any]: ...


class Engine:
    """One open library with its models. `generator` is the id of the generator to load, None to answer by quoting.

    `embedder` is the id of the embedder; None takes the one that the library was indexed with, a new one the default.
    """

    def __init__(
        self,
        runtime: Runtime,
        store: Store,
        reader: FileReader,
        *,
        embedder: str | None = None,
        generator: str | None = None,
        notices: Sequence[str] = (),
        settings: AnswerSettings | None = None,
        retrieval: RetrievalSettings | None = None,
        pace: Pace | None = None,
        new_file: Callable[[], NewFile] = BytesFile,
        pages: PageDrawer | None = None,
        recogniser: Recogniser | None = None,
    ) -> None:
        self._runtime, self._store, self.reader = runtime, store, reader
        self.pages, self.recogniser = pages, recogniser
        self._embedder_id = embedder
        self._notices, self._settings, self._retrieval = notices, settings, retrieval
        self._new_file = new_file
        self._selftest = SelfTest(runtime, store)
        self._shelf = TraceShelf(store)
        self._loader = GeneratorLoader(runtime, self._selftest, generator, pace) if generator else None
        self._opening = asyncio.Lock()
        self.adding = asyncio.Lock()  # one file at a time
        self.answering = asyncio.Lock()  # one question at a time, whoever asks it
        self._groups: dict[tuple[str, str], CommandGroup] = {}
        self._models: Models | None = None
        self._library: Library | None = None
        self._answerer: Answerer | None = None
        self._commands: Mapping[str, Callable[[dict[str, Any], Emit], Awaitable[dict[str, Any]]]] = {
            "open": self.open,
            "add": self.add,
            "remove": self.remove,
            "assign": self.assign,
            "export": self.export,
            "import": self.import_file,
            "ask": self.ask,
            "search": self.search,
            "trace": self.trace,
            "traces": self.traces,
            "forget_traces": self.forget_traces,
            "load_generator": self.load_generator,
            "status": self.status,
            **{name: partial(self._grouped, place, name) for place, names in GROUPS.items() for name in names},
        }

    async def handle(self, command: str, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Run one command. Raises TerrariumError with a sentence for the person, or CancelledError."""
        if command not in self._commands:
            raise TerrariumError(f"The page asked for “{command}”, which the engine does not know. Reload the page.")
        return await self._commands[command](args, emit)

    @property
    def library(self) -> Library:
        if self._library is None:
            raise TerrariumError("The library is not open yet. Wait until the page says that it is ready.")
        return self._library

    @property
    def answerer(self) -> Answerer:
        if self._answerer is None:
            raise TerrariumError("The library is not open yet. Wait until the page says that it is ready.")
        return self._answerer

    async def open(self, _args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Load the models for searching and the stored library, once. `load_generator` loads the generator."""
        async with self._opening:  # a second call waits for the first, which loads every model once
            if self._answerer is None:
                emit({"type": "progress", "stage": "models", "done": 0, "total": 2})
                embedder = self._embedder_id or await stored_embedder(self._store) or EMBEDDER
                self._models = await open_models(self._runtime, generator=None, embedder=embedder)
                await self._selftest.check_embedder(self._models.embedder, embedder)
                reranker = await self._selftest.checked_reranker(self._models.reranker)
                self._models = dataclasses.replace(self._models, reranker=reranker)
                emit({"type": "progress", "stage": "library", "done": 1, "total": 2})
                self._library = await Library.open(self._store, self._models.embedder, self._retrieval)
                retriever = Retriever(self._library, self._models.reranker, self._retrieval)
                self._answerer = Answerer(self._library, retriever, None, self._describe_models(), self._settings)
        return {
            "documents": [info_view(info) for info in self.library.documents.values()],
            "persistent": self._store.persistent,
            "notices": [*self._notices, *self.library.notices],
            "models": self._describe_models(),
        }

    def _describe_models(self) -> dict[str, Any]:
        models = self._models
        assert models is not None
        return {
            "embedder": models.embedder.id,
            "reranker": models.reranker.id if models.reranker else None,
            "generator": models.generator.id if models.generator else None,
            "runtime": self._runtime.name,
            "backends": self._selftest.backends(),
        }

    async def status(self, _args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Which models run, where, and what the self-test found of each."""
        models = self._describe_models() if self._models else None
        return {"models": models, "selftest": self._selftest.report()}

    async def load_generator(self, _args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Load the generator and compute its fixed prefix. Questions asked meanwhile wait for it, evidence shown."""
        answerer = self.answerer
        if self._loader is not None and answerer.generator is None and not answerer.generator_coming:
            with answerer.expecting_generator():
                self._use(await self._loader.load(emit))
        return {"models": self._describe_models()}

    def _use(self, generator: Generator | None) -> None:
        """Answer with this generator from the next question on."""
        assert self._models is not None
        self._models = dataclasses.replace(self._models, generator=generator.decoder if generator else None)
        self.answerer.generator = generator
        self.answerer.models = self._describe_models()

    async def add(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Read, chunk, embed and index one file and those inside of it: {name, data: bytes, password?, collection?}.

        `enclosed` are the documents that those are; with `duplicate` all of it was there already.
        """
        started = time.perf_counter()

        def progress(stage: str) -> Callable[[int, int], None]:
            def report(done: int, total: int) -> None:
                elapsed = time.perf_counter() - started
                left = elapsed * (total - done) / done if stage == "embedding" and done else None
                emit({"type": "progress", "stage": stage, "done": done, "total": total, "seconds_left": left})

            return report

        async with self.adding:
            started = time.perf_counter()
            data = bytes(args["data"])
            password, told = args.get("password"), progress("reading")
            read = await read_to_add(self.library, self.reader, data, args["name"], password=password, progress=told)
            started = time.perf_counter()
            added = await add_file(self.library, read, progress("embedding"), collection=args.get("collection", ""))
            return {
                "document": info_view(added.document),
                "duplicate": added.duplicate,
                "enclosed": [info_view(info) for info in added.enclosed],
            }

    async def remove(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Remove one document, everything derived from it, and what is only inside of it: {document_id}.

        `removed` are the ids of all that went.
        """
        return {"removed": await self.library.remove(args["document_id"])}

    async def export(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """The whole library as one file: {originals: with the bytes of the documents' files?}. The result holds it."""
        done = await export_library(
            self._store,
            self._new_file(),
            originals=bool(args.get("originals", True)),
            progress=progress_of(emit, "exporting"),
        )
        return {"file": done.file, "documents": done.documents, "size": done.size, "notices": done.notices}

    async def import_file(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Take in the documents of such a file: {data: an open binary file}. Those that are there already stay."""
        async with self.adding:
            done = await import_library(self.library, args["data"], progress_of(emit, "importing"))
        return {"added": done.added, "already": done.already, "notices": done.notices}

    async def assign(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Put one document into a collection, "" for none: {document_id, collection}."""
        info = await self.library.assign(args["document_id"], args["collection"])
        return {"document": info_view(info)}

    async def ask(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Answer one question (see `Request.of`). The trace is stored before the answer is returned.

        With nothing in the library yet, a file that is being added is waited for.
        """
        request = Request.of(args)
        if not self.library.documents and self.adding.locked():
            emit({"type": "progress", "stage": "indexing", "done": 0, "total": 1})
            async with self.adding:
                pass
        if self.answering.locked():
            emit({"type": "progress", "stage": "queued", "done": 0, "total": 1})
        async with self.answering:
            answer, trace = await self.answered(request, emit)
        view = {**answer_view(answer), "layout": layout_of(answer)}
        return {"trace_id": trace.id, "question": request.question, **view, "timings": trace.timings}

    async def answered(self, request: Request, emit: Emit, run: str = "") -> tuple[Answer, Trace]:
        """Answer and keep the trace, of an evaluation's run where one is named; the caller holds `answering`."""
        answer, trace = await self.made(request, emit)
        with suppress(StorageError):  # a full or read-only store: the answer is worth more than its trace
            await self._shelf.put(trace, run)
        return answer, trace

    async def made(self, request: Request, emit: Emit) -> tuple[Answer, Trace]:
        """Answer, and keep nothing: the trace is whole, for the caller to close."""
        try:
            answer, trace = await self._answer(request, emit)
        except DeviceLost:
            if self._loader is None or self.answerer.generator is None:
                raise
            self._use(await self._loader.replace(self.answerer.generator, emit))
            answer, trace = await self._answer(request, emit)
        note_request(trace, request, self.library, self._settings_in_use())
        note_answer(trace, answer, self.library)
        return answer, trace

    async def _answer(self, request: Request, emit: Emit) -> tuple[Answer, Trace]:
        return await self.answerer.answer(
            request.question, request.mode, emit, turns=request.turns, filter=request.filter
        )

    def _settings_in_use(self) -> dict[str, Any]:
        generator = self.answerer.generator
        found = {"answers": self.answerer.settings, "retrieval": self._retrieval or RetrievalSettings()}
        return {**found, "generation": generator.settings} if generator else found

    async def search(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """The passages that `ask` would rest on, without an answer (see `Request.of`)."""
        request = Request.of(args)
        retrieval = await self.answerer.search(request.question, turns=request.turns, filter=request.filter)
        return {"passages": passages_view(retrieval.passages[: request.limit])}

    async def trace(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """How one answer was made: {trace_id}. `record` is its trace as a line of JSON (docs/trace.md)."""
        line = await self._shelf.get(str(args["trace_id"]))
        if line is None:
            raise TerrariumError(NO_TRACE)
        return {"record": line.decode()}

    async def traces(self, _args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Every stored trace as JSON Lines, oldest first."""
        return {"jsonl": "".join(line.decode() + "\n" for line in await self._shelf.lines())}

    async def forget_traces(self, _args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Remove every stored trace. Documents stay."""
        return {"forgotten": await self._shelf.forget()}

    async def _grouped(self, place: tuple[str, str], name: str, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """A command of one of `GROUPS`."""
        if place not in self._groups:
            module, group = place
            self._groups[place] = getattr(import_module(module), group)(self, self._store)
        return await self._groups[place].handle(name, args, emit)
