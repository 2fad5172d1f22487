"""The engine's commands for a person's own questions: kept, made, asked, compared, forgotten.

Imported when the first of them comes, because most visits never measure anything and every module costs the start of
the page time.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, get_args

from terrarium.errors import TerrariumError
from terrarium.evaluation.comparing import compare_runs
from terrarium.evaluation.made_questions import MOST_MADE, make_questions
from terrarium.evaluation.question_file import read_questions, to_json_lines
from terrarium.evaluation.question_rows import Row, checked_rows
from terrarium.evaluation.question_sets import QuestionSets
from terrarium.evaluation.question_table import to_table
from terrarium.evaluation.run_table import run_table
from terrarium.evaluation.running import Mode
from terrarium.evaluation.runs import Run, Runs, seen
from terrarium.evaluation.sitting import EMPTY, Asked, Sitting
from terrarium.events import Emit
from terrarium.shelf import TraceShelf
from terrarium.storage.protocol import Store

NO_WRITER = (
    "Questions are made by the writer, and none is loaded. Load one under “What runs here”, or write the questions "
    "yourself: your own say more anyway."
)


class Evaluating:
    """`handle` runs one of the commands that `engine.EVALUATION` names."""

    def __init__(self, engine: Asked, store: Store) -> None:
        self._engine = engine
        self._shelf = TraceShelf(store)
        self._sets, self._runs = QuestionSets(store), Runs(store, self._shelf)
        self._commands: Mapping[str, Callable[[dict[str, Any], Emit], Awaitable[dict[str, Any]]]] = {
            "read_questions": self.read_questions,
            "question_sets": self.question_sets,
            "keep_questions": self.keep_questions,
            "forget_questions": self.forget_questions,
            "write_questions": self.write_questions,
            "make_questions": self.make_questions,
            "evaluate": self.evaluate,
            "runs": self.runs,
            "run": self.run,
            "write_run": self.write_run,
            "compare_runs": self.compare_runs,
            "forget_run": self.forget_run,
        }

    async def handle(self, command: str, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """As `Engine.handle`."""
        return await self._commands[command](args, emit)

    async def read_questions(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """A file's questions: {name, data: bytes}. Raises BadSet."""
        questions, notes = read_questions(bytes(args["data"]), args["name"])
        return {"questions": questions, "notes": notes}

    async def question_sets(self, _args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Every kept set, {id, name, made, questions}, in the order in which they were begun."""
        return {"sets": await self._sets.all()}

    async def keep_questions(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Keep a set, a new one or in the place of the one with that id: {id?, name, made?, questions}."""
        return {"set": await self._sets.keep(args)}

    async def forget_questions(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Remove a set: {id}. Runs of its questions stay."""
        await self._sets.forget(args["id"])
        return {}

    async def write_questions(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """A set as a file's text: {questions, format: "jsonl" or "csv"}."""
        return {"text": (to_table if args["format"] == "csv" else to_json_lines)(args["questions"])}

    async def make_questions(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Questions made from passages: {count, seed}. The event "made" brings each."""
        answerer, count = self._engine.answerer, max(1, min(int(args["count"]), MOST_MADE))
        if answerer.generator is None:
            raise TerrariumError(NO_WRITER)
        if not answerer.library.documents:
            raise TerrariumError(EMPTY)

        def made(row: Row, number: int) -> None:
            emit({"type": "made", "question": row})
            emit({"type": "progress", "stage": "making", "done": number, "total": count})

        emit({"type": "progress", "stage": "making", "done": 0, "total": count})
        rows = await make_questions(
            answerer.library, answerer.generator, self._engine.answering, count, args["seed"], made
        )
        return {"questions": rows}

    async def evaluate(self, args: dict[str, Any], emit: Emit) -> dict[str, Any]:
        """Ask questions: {name, questions, mode, made?}. The event "asked" brings each row; the result is the run."""
        mode = args["mode"]
        if mode not in get_args(Mode):
            raise TerrariumError(f"“{mode}” is no way to check. There are {', '.join(get_args(Mode))}.")
        rows = checked_rows(args["questions"])
        sitting = Sitting(self._engine, self._runs, self._shelf, args["name"], mode, made=bool(args.get("made")))
        return {"run": _seen(await sitting.run(rows, emit))}

    async def runs(self, _args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """What was run, the newest first, without the questions."""
        return {"runs": await self._runs.heads()}

    async def run(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """One run with its questions as the page shows them: {id}. `write_run` gives all of it."""
        return {"run": _seen(await self._runs.get(args["id"]))}

    async def write_run(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """A run as a file's text: {id, format: "json" or "csv"}; the table has a line for each question."""
        run = await self._runs.get(args["id"])
        return {"text": run_table(run) if args["format"] == "csv" else json.dumps(run, ensure_ascii=False, indent=1)}

    async def compare_runs(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Two runs beside each other: {first, second}, ids; see `comparing.py`."""
        first, second = await self._runs.get(args["first"]), await self._runs.get(args["second"])
        return compare_runs(first, second)

    async def forget_run(self, args: dict[str, Any], _emit: Emit) -> dict[str, Any]:
        """Remove a run and the records of its questions: {id}."""
        await self._runs.forget(args["id"])
        return {}


def _seen(run: Run) -> Run:
    return {**run, "questions": [seen(row) for row in run["questions"]]}
