"""A person's own questions as plain objects, as in a line of a question set, checked.

A question has `question`, and as far as known id, kind, answers, must_mention, evidence [{file, quote, page}] and
answerable. `document` names the file alone, where no quote is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from terrarium.evaluation.lines import BadSet

MOST_QUESTIONS = 500  # resampling more of them for intervals would hold the tab up for many seconds
LONGEST = 2000  # characters of a question, as in the page's own box
KIND = "question"  # of a question that names none
_KEPT = ("id", "kind", "question", "answers", "must_mention", "evidence", "document", "answerable", "lang")

Row = dict[str, Any]


def checked(row: Mapping[str, Any], where: str) -> Row:
    """The known fields of one question, each of the right type. Raises BadSet, `where` first."""
    question = row.get("question")
    if not isinstance(question, str) or not question.strip():
        raise BadSet(f"{where} has no question. Write one, or leave the line out.")
    if len(question) > LONGEST:
        raise BadSet(f"{where}: the question has {len(question)} characters; at most {LONGEST} can be asked.")
    for field in ("answers", "must_mention"):
        if not isinstance(row.get(field, []), list) or not all(isinstance(one, str) for one in row.get(field, [])):
            raise BadSet(f"{where}: “{field}” is a list of texts.")
    places = row.get("evidence") or []
    if not isinstance(places, list) or not all(
        isinstance(place, Mapping) and isinstance(place.get("file"), str) and isinstance(place.get("quote"), str)
        for place in places
    ):
        raise BadSet(f"{where}: “evidence” is a list of objects with “file” and “quote”, both texts.")
    if not isinstance(row.get("answerable", True), bool):
        raise BadSet(f"{where}: “answerable” is true or false.")
    if not isinstance(row.get("document", ""), str):
        raise BadSet(f"{where}: “document” is the name of a file.")
    found = {field: row[field] for field in _KEPT if row.get(field) not in (None, "", [])}
    return found | {"question": " ".join(question.split()), "kind": str(row.get("kind") or KIND)}


def checked_rows(rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Questions that a person wrote or changed, each with an id. Raises BadSet."""
    if len(rows) > MOST_QUESTIONS:
        raise BadSet(
            f"These are {len(rows)} questions; at most {MOST_QUESTIONS} are kept together. Cut the set in two."
        )
    return numbered([checked(row, f"Question {number}") for number, row in enumerate(rows, start=1)])


def numbered(rows: Sequence[Row]) -> list[Row]:
    """Each with an id, "q1" and so on where it had none."""
    taken = {row["id"] for row in rows if row.get("id")}
    free = (name for name in (f"q{number}" for number in range(1, len(rows) + len(taken) + 1)) if name not in taken)
    return [{**row, "id": str(row.get("id") or next(free))} for row in rows]


def distinct(rows: Iterable[tuple[int, Row]], name: str, notes: list[str]) -> tuple[list[Row], list[str]]:
    """Without questions that come again; the same id for two of them is an error, because runs are compared by it."""
    found: list[Row] = []
    lines: dict[str, int] = {}
    seen: dict[str, int] = {}
    for number, row in rows:
        key = row["question"].casefold()
        if key in seen:
            notes.append(f"Line {number} asks what line {seen[key]} asks, and is left out.")
            continue
        identity = str(row.get("id", ""))
        if identity in lines:
            raise BadSet(f"{name}, line {number}, has the id “{identity}” of line {lines[identity]}. Change one.")
        if len(found) == MOST_QUESTIONS:
            raise BadSet(f"{name} has more than {MOST_QUESTIONS} questions. Cut it into several files.")
        seen[key] = number
        if identity:
            lines[identity] = number
        found.append(row)
    if not found:
        raise BadSet(f"{name} holds no questions.")
    return numbered(found), notes
