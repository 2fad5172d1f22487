"""The frame of a trace's record: what was asked of which library, what the lists name, and what the answer came to.

With it a record can be read without the library and asked again at the desk (`desk/replay.py`). What happens between
question and answer is noted where it happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cache
from typing import Any

from terrarium.filters import Filter
from terrarium.indexes.segments import Key
from terrarium.library import Library
from terrarium.model import Answer, Passage
from terrarium.request import Request
from terrarium.trace import Trace
from terrarium.views import sentences_view

BEGINNING = 160  # characters of a passage that only a list names


def note_request(trace: Trace, request: Request, library: Library, settings: Mapping[str, Any]) -> None:
    """What was asked: everything that `Request.of` needs to ask it again. `settings` by name, as dataclasses."""
    trace.note(
        mode=request.mode,
        turns=[asdict(turn) for turn in request.turns],
        filter=filter_view(request.filter),
        library={
            "documents": len(library.documents),
            "chunks": sum(info.chunks for info in library.documents.values()),
            "embedder": library.embedder.id,
        },
        engine={"version": engine_version(), **{name: asdict(one) for name, one in settings.items()}},
    )


def note_answer(trace: Trace, answer: Answer, library: Library) -> None:
    """What it came to, and what the lists of the funnel name."""
    trace.note(
        passages=[_passage(passage, number) for number, passage in enumerate(answer.passages, start=1)],
        found=found(trace.record, library),
        answer=answer.text,
        answer_mode=answer.mode,
        sentences=sentences_view(answer.sentences),
        quotes=sentences_view(answer.quotes),
        conflicts=[{"about": one.about, "statements": sentences_view(one.statements)} for one in answer.conflicts],
        notes=list(answer.notes),
        removed=list(answer.removed),
        refusal=asdict(answer.refusal) if answer.refusal else None,
    )


def filter_view(filter: Filter | None) -> dict[str, Any] | None:
    """A filter as `Filter.of` takes it."""
    if filter is None:
        return None
    values = {field.name: getattr(filter, field.name) for field in fields(filter)}
    given = {name: value for name, value in values.items() if value is not None}
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in given.items()}


def found(record: Mapping[str, Any], library: Library) -> dict[str, Any]:
    """{documents: {id: name}, chunks: [{document, chunk, page, last_page, heading, text}]} of all that a list names.

    `text` is the beginning. A document that was removed meanwhile is left out.
    """
    lists = [*record.get("retrieval", {}).values(), *record.get("corrected", {}).values(), record.get("folded", ())]
    keys = dict.fromkeys((entry["document"], int(entry["chunk"])) for one in lists for entry in one)
    there = [key for key in keys if key[0] in library.documents]
    return {
        "documents": {document: library.documents[document].name for document, _ in there},
        "chunks": [_beginning(key, library) for key in there],
    }


@cache
def engine_version() -> str:
    """Of the installed package; "" where it runs from its sources. Looked up with the first question."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 — brings the mail parser with it

    try:
        return version("terrarium")
    except PackageNotFoundError:
        return ""


def _beginning(key: Key, library: Library) -> dict[str, Any]:
    chunk = library.chunk(key)
    return {
        "document": key[0],
        "chunk": key[1],
        "page": chunk.page,
        "last_page": chunk.last_page,
        "heading": chunk.headings[-1] if chunk.headings else "",
        "text": chunk.text[:BEGINNING],
    }


def _passage(passage: Passage, number: int) -> dict[str, Any]:
    chunk = passage.chunk
    return {
        "number": number,
        "document": chunk.document_id,
        "chunk": chunk.number,
        "start": chunk.start,
        "end": chunk.end,
        "page": chunk.page,
        "flags": [asdict(flag) for flag in passage.flags],
    }
