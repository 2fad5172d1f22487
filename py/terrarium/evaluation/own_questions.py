"""A person's questions made ready for the open library, and what a run says about each: which stage lost its evidence.

A question that names a quote is found where a passage shows it; one that names a document only, where any passage of
it stands. One that names neither is found where a passage holds most words of its expected answer (“has answer” of
DPR, Karpukhin et al. 2020), which flatters short answers: those of one short word are not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from terrarium.evaluation.listing import READ
from terrarium.evaluation.questions import Evidence, Question
from terrarium.model import DocumentInfo

Loss = Literal["search", "ranking", "correction", "judge", "cutting", "answer", "not_refused"]
NOT_HERE = "about documents that the library does not hold"
SHORTEST_WORD = 4  # letters or digits of an answer of one word that can be told from chance

_WORD = re.compile(r"\w+")


def as_questions(
    rows: Iterable[Mapping[str, Any]], documents: Iterable[DocumentInfo]
) -> tuple[list[Question], dict[str, list[str]]]:
    """(what can be asked, by reason the ids of what is left out) of questions that `question_rows.checked` let pass."""
    names: dict[str, list[str]] = {}
    for info in documents:
        names.setdefault(_file(info.name), []).append(info.name)
    asked, elsewhere = [], []
    for row in rows:
        wanted = {_file(place["file"]) for place in row.get("evidence", [])}
        if row.get("document"):
            wanted.add(_file(row["document"]))
        if wanted <= names.keys():
            asked.append(_question(row, names))
        else:
            elsewhere.append(row["id"])
    return asked, {NOT_HERE: elsewhere} if elsewhere else {}


def _question(row: Mapping[str, Any], names: Mapping[str, Sequence[str]]) -> Question:
    answers = tuple(row.get("answers", ()))
    places = [
        Evidence(_file(one["file"]), one["quote"], one["page"] if isinstance(one.get("page"), int) else None)
        for one in row.get("evidence", [])
    ]
    gains = {} if places or not row.get("document") else dict.fromkeys(names[_file(row["document"])], 1)
    answerable = row.get("answerable", True)
    if not places and not gains and answerable and answers and _can_be_told(answers[0]):
        places = [Evidence("", answers[0])]
    return Question(
        id=row["id"],
        kind=row["kind"],
        text=row["question"],
        evidence=tuple(places),
        gains=gains,
        answers=answers,
        must_mention=tuple(row.get("must_mention", ())),
        answerable=answerable,
        language=row.get("lang", "en"),
    )


def best_rank(row: Mapping[str, Any], stage: str) -> int | None:
    """Where the first relevant passage stands in a stage's list; None where none does."""
    found = row["stages"].get(stage, {}).get("ranks", {}).values()
    return min((rank for rank in found if rank), default=None)


def lost_at(row: Mapping[str, Any]) -> Loss | None:
    """The first stage behind which the evidence or the answer is missing, of a run's row; None where nothing was lost.

    Of an unanswerable question only that it was answered. `READ` passages at most are read for an answer.
    """
    refused, answer = bool((row["judgement"] or {}).get("refused")), row.get("answer") or {}
    if answer:
        refused = not answer["answered"]
    if not row["answerable"]:
        return None if refused else "not_refused"
    if row["stages"]:
        first, reranked, final = (best_rank(row, stage) for stage in ("hybrid", "reranked", "final"))
        if first is None and final is None:
            return "search"
        if final is None or final > READ:
            return "correction" if reranked and reranked <= READ else "ranking"
    if refused:
        return "judge"
    quoted = "evidence@1" in row["stages"].get("final", {}).get("measures", ())
    if quoted and row["sources"] == 0 and answer.get("mode") == "generated":
        return "cutting"
    return "answer" if answer.get("correct") is False else None


def _can_be_told(answer: str) -> bool:
    words = _WORD.findall(answer)
    return len(words) > 1 or (len(words) == 1 and len(words[0]) >= SHORTEST_WORD)


def _file(name: str) -> str:
    return name.rsplit("/", 1)[-1]
