"""Indexing, asking, writing and stopping in one tab with the writer, each round followed by the same at the desk."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from terrarium_build.bench.boot import BARE, Boot
from terrarium_build.bench.desk import Desk
from terrarium_build.bench.events import first_and_last, progress, rate, steps
from terrarium_build.bench.figures import Figure, Report
from terrarium_build.bench.memory import renderer_memory, watched_peak
from terrarium_build.bench.texts import made_text, question
from terrarium_build.driving import TerrariumPage, open_chromium
from terrarium_build.models import GENERATORS
from terrarium_build.paths import BuildError, say
from terrarium_build.scripts import expression

ROUNDS = 3
DESK = "onnxruntime under CPython, one thread"
PIECE = "one piece of a prompt, in the tab"


class Rounds:
    """Collects both halves of each round by the figure's name."""

    def __init__(self) -> None:
        self._values: defaultdict[tuple[str, str, str], list[tuple[float, float]]] = defaultdict(list)

    def add(self, name: str, unit: str, pair: Iterable[float], peer: str = DESK) -> None:
        """`pair`: ours, theirs."""
        ours, theirs = pair
        self._values[name, unit, peer].append((ours, theirs))

    def figures(self) -> list[Figure]:
        return [
            Figure(name, unit, peer, tuple(a for a, _ in pairs), tuple(b for _, b in pairs))
            for (name, unit, peer), pairs in self._values.items()
        ]


def measure_tab(index: Path, report: Report, bare: Sequence[Boot], rounds: int = ROUNDS) -> None:
    """Adds the figures to the report. A page built without a generator is measured without writing."""
    collected = Rounds()
    # Looked at seldom: the native peer runs in this process.
    with watched_peak(1.0) as seen, open_chromium() as context, tempfile.TemporaryDirectory() as folder:
        driven = TerrariumPage.open(context, index.as_uri())
        driven.wait_writer()
        writer = driven.page.evaluate("terrarium.info.generator")
        if not writer:
            report.notes.append("The page was built without a generator: nothing about writing was measured.")
        with contextlib.closing(Desk(GENERATORS[writer] if writer else None)) as desk:
            for number in range(rounds):
                say(f"Indexing and writing, round {number + 1} of {rounds}")
                file = Path(folder) / f"huts {number}.md"
                file.write_text(made_text(number), encoding="utf-8")
                _index(driven, desk, file, collected)
                _ask(driven, desk, number, collected, writer=bool(writer))
                if writer:
                    _stop(driven, rounds + number, collected, report)
        after = renderer_memory()
    report.figures += collected.figures()
    peers = [boot.memory for boot in bare if boot.memory]
    if writer and after and peers:
        peak, rest = (median(getattr(peer, kind) for peer in peers) for kind in ("peak", "rest"))
        report.figures.append(Figure("Memory with the writer, peak", "MB", BARE, (max(seen(), after.peak),), (peak,)))
        report.figures.append(Figure("Memory with the writer, at rest", "MB", BARE, (after.rest,), (rest,)))


def _index(driven: TerrariumPage, desk: Desk, file: Path, collected: Rounds) -> None:
    (tab,) = driven.add([file])
    if "error" in tab:
        raise BuildError(f"The page could not add the made text: {tab['error']['message']}")
    native = desk.call("add", name=file.name, data=file.read_bytes())
    embedded = [rate(one["events"], "embedding") for one in (tab, native)]
    collected.add("Embedding", "chunks/s", embedded)
    whole = [one["result"]["document"]["chunks"] / one["seconds"] for one in (tab, native)]
    collected.add("Adding a file, all steps", "chunks/s", whole)


def _ask(driven: TerrariumPage, desk: Desk, number: int, collected: Rounds, *, writer: bool) -> None:
    tab = driven.ask(question(number))
    if "error" in tab:
        raise BuildError(f"The page could not answer: {tab['error']['message']}")
    native = desk.call("ask", question=question(number), mode="answer")
    both = [one["events"] for one in (tab, native)]
    evidence = [first_and_last(events, "evidence") for events in both]
    collected.add("Question to first evidence", "s", (first for first, _ in evidence))
    reranked = [max((done for done, _ in progress(events, "reranking")), default=0) for events in both]
    collected.add("Passages reranked within the time set for it", "passages", reranked)
    collected.add("Question to final evidence", "s", (last for _, last in evidence))
    if not writer:
        return
    collected.add("Question to first word", "s", (first_and_last(events, "writing")[0] for events in both))
    trace = _trace(driven, tab["result"]["trace_id"])
    generation = trace["generation"]
    read = generation["prompt_tokens"] - desk.prefix_tokens()
    peer = desk.write(trace["prompt"])
    ours = read / generation["prefill_seconds"]
    collected.add("Reading a prompt", "tokens/s", (ours, read / peer.prefill_seconds), f"{DESK}, the prompt whole")
    piece = round(median(tokens for tokens, _ in steps(tab["events"], "reading")))
    in_pieces = desk.read_in_pieces(trace["prompt"], piece)
    collected.add("Reading a prompt in pieces", "tokens/s", (ours, read / in_pieces), f"{DESK}, in the tab's pieces")
    written = (generation["tokens"] / generation["decode_seconds"], peer.tokens / peer.decode_seconds)
    collected.add("Writing", "tokens/s", written)


def _stop(driven: TerrariumPage, number: int, collected: Rounds, report: Report) -> None:
    """Another question than those before it, so that nothing of it is remembered."""
    before = len(driven.calls("ask"))
    driven.page.fill("#question", question(number))
    driven.page.press("#question", "Enter")
    stopped = driven.page.evaluate(expression("bench/stop_while_reading.js"), before)
    if stopped["kind"] != "Cancelled":
        report.notes.append(f"A question that was to be stopped ended as: {stopped['kind']}.")
        return
    driven.page.wait_for_selector("form.composer button[type=submit]:not([hidden])")
    whole = next(call for call in reversed(driven.calls("ask")) if "result" in call)
    piece = median(seconds for _, seconds in steps(whole["events"], "reading"))
    collected.add("Stop while a prompt is read", "s", (stopped["seconds"], piece), PIECE)


def _trace(driven: TerrariumPage, trace_id: str) -> dict[str, Any]:
    lines: str = driven.page.evaluate("terrarium.call('traces', {}).promise.then(({ jsonl }) => jsonl)")
    traces: list[dict[str, Any]] = [json.loads(line) for line in lines.splitlines()]
    return next(trace for trace in traces if trace["id"] == trace_id)
