"""What a trace holds in words, each part as one text that can be held against another trace's.

A text is None where the record does not say (an older format); "" where there was nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Record = Mapping[str, Any]


def _sentences(name: str) -> Callable[[Record], str | None]:
    def text_of(record: Record) -> str | None:
        if name not in record:
            return None
        return "\n".join(
            one["text"] + "".join(f" [{n}]" for n in one["citations"]) if isinstance(one, Mapping) else one
            for one in record[name]
        )

    return text_of


def _sources(record: Record) -> str | None:
    if "sources" not in record:
        return None if record.get("prompt") else ""
    return "\n".join(f"passage {one['number']}, {one['start']}–{one['end']}" for one in record["sources"])


def _raw(record: Record) -> str:
    return "\n\n".join(one["generation"]["raw"] for one in record.get("writings", [record]) if one.get("generation"))


def _prompts(record: Record) -> str:
    return "\n\n".join(one["prompt"] for one in record.get("writings", [record]) if one.get("prompt"))


def _fates(record: Record) -> str:
    said = ((one["sentence"], one["kept"], one.get("reason", "")) for one in record.get("support", ()))
    return "\n".join(
        f"{'kept' if kept else 'removed'}: {text}{f' ({reason})' if reason else ''}" for text, kept, reason in said
    )


def _conflicts(record: Record) -> str | None:
    if "conflicts" not in record:
        return None
    return "\n".join(
        f"{one['about']}: " + " / ".join(statement["text"] for statement in one["statements"])
        for one in record["conflicts"]
    )


# Stage, its text, and whether a person sees it in the page.
TEXTS: tuple[tuple[str, Callable[[Record], str | None], bool], ...] = (
    ("sources", _sources, False),
    ("prompt", _prompts, False),
    ("raw output", _raw, False),
    ("sentence by sentence", _fates, False),
    ("kind of answer", lambda record: record.get("answer_mode"), True),
    ("answer", lambda record: record.get("answer"), True),
    ("quotes", _sentences("quotes"), True),
    ("contradictions", _conflicts, True),
    ("notes", _sentences("notes"), True),
)
