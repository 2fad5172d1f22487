"""`build.py ask`: the built page from file://, files put into it, one question, the answer and a count of requests."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Request

from terrarium.desk.answer_text import source
from terrarium_build.audit.net_log import NetEvent, read_net_log
from terrarium_build.driving import TerrariumPage, open_chromium
from terrarium_build.paths import BuildError

NETWORK = ("http:", "https:", "ws:", "wss:")


def ask(index: Path, files: Sequence[Path], question: str, *, as_json: bool, mode: str = "both") -> int:
    """0 for an answer or a refusal; 1 when a request was seen or the page failed, whose sentence is then printed."""
    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        print(f"There is no file {', '.join(missing)}.", file=sys.stderr)
        return 1
    try:
        found = answer_from_page(index, files, question, mode)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(found, ensure_ascii=False, indent=1) if as_json else as_text(found))
    return 1 if found["requests"] else 0


def answer_from_page(index: Path, files: Sequence[Path], question: str, mode: str = "both") -> dict[str, Any]:
    """The answer as a dict. `requests` counts what the page, its workers and Chromium's own network log show."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.startswith(NETWORK):
            asked.append(request.url)

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "net-log.json"
        with open_chromium(net_log=log) as context:
            context.on("request", note)
            started = time.perf_counter()
            # Without a writer to wait for, quotes come from a page that never loads one.
            driven = TerrariumPage.open(context, index.as_uri(), writer="none" if mode == "quote" else "")
            ready = time.perf_counter()
            added = driven.add([file.resolve() for file in files])
            indexed = time.perf_counter()
            driven.wait_writer()
            writer = time.perf_counter()
            record = driven.ask(question, mode)
        events = read_net_log(log)
    if "error" in record:
        raise BuildError(f"The page could not answer. {record['error']['message']}")
    timings = {
        "boot": ready - started,
        "indexing": indexed - ready,
        "writer": writer - indexed,
        "asking": record["seconds"],
    }
    first = {event["type"]: event["after"] for event in reversed(record["events"])}
    timings |= {"evidence": first["evidence"]} if "evidence" in first else {}
    timings |= {"first_word": first["writing"]} if "writing" in first else {}
    requests = count_requests(asked, events)
    return as_answer(record["result"], added, timings, requests)


def count_requests(asked: Sequence[str], events: Sequence[NetEvent]) -> int:
    """Different addresses that the page's events or Chromium's log show; without one, other traffic of the log."""
    addresses = {*asked, *(event.target for event in events if event.kind == "request")}
    return len(addresses) or len(events)


def as_answer(
    result: dict[str, Any], added: list[dict[str, Any]], timings: dict[str, float], requests: int
) -> dict[str, Any]:
    """The engine's reply in the shape that programs read."""
    refusal = result.get("refusal")
    return {
        "answer": refusal["message"] if refusal else result["answer"],
        "refused": result["refused"],
        "citations": _places(result["citations"]),
        "timings": {stage: round(seconds, 3) for stage, seconds in timings.items()},
        "requests": requests,
        "mode": result["mode"],
        "quotes": [place for quote in result["quotes"] for place in _places(quote["places"])],
        "conflicts": [
            {
                "about": one["about"],
                "statements": [place for statement in one["statements"] for place in _places(statement["places"])],
            }
            for one in result["conflicts"]
        ],
        "notes": result["notes"],
        "removed": result["removed"],
        "failed": [
            {"document": record["name"], "message": record["error"]["message"]} for record in added if "error" in record
        ],
        "stages": {stage: round(seconds, 3) for stage, seconds in result["timings"].items()},
    }


def _places(spans: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"document": one["document"], "page": one["page"], "quote": one["quote"]} for one in spans]


def as_text(found: dict[str, Any]) -> str:
    """For a terminal."""
    lines = []
    for conflict in found["conflicts"]:
        lines += [f"Your documents differ in {conflict['about']}:", *map(_quotation, conflict["statements"]), ""]
    lines += [found["answer"], ""]
    lines += [f"[{n}] {_quotation(citation).strip()}" for n, citation in enumerate(found["citations"], start=1)]
    if found["mode"] == "generated" and found["quotes"]:
        lines += ["", "In your documents:", *map(_quotation, found["quotes"])]
    lines += [f"Note: {note}" for note in found["notes"]]
    lines += [f"Removed, as no passage supports it: {sentence}" for sentence in found["removed"]]
    lines += [f"Not read: {failed['message']}" for failed in found["failed"]]
    lines += ["", " · ".join(f"{stage} {seconds:.1f} s" for stage, seconds in found["timings"].items())]
    return "\n".join([*lines, f"{found['requests']} network requests"]).strip()


def _quotation(place: dict[str, Any]) -> str:
    return f"  {source(place)}: “{' '.join(place['quote'].split())}”"
