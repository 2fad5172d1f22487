"""What is known of one answer, and what the scores of many come to.

Shares are over what can be told: a question whose answer nobody wrote down is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

MEANS = ("faithfulness", "relevancy", "context_precision", "context_recall")  # RAGAS' four


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """Of one answer. `unsupported` of its `sentences` by the product's check, `citations_right` of its `citations`.

    None where it cannot be told: `correct` of a refusal or a question without a known answer, `citations` without a
    known place, the four metrics without claims, reference or generator.
    """

    kind: str
    answerable: bool
    answered: bool
    mode: str  # "generated", "quoted", "refused", "raw"
    correct: bool | None
    sentences: int
    unsupported: int
    citations: int | None
    citations_right: int | None
    faithfulness: float | None = None
    relevancy: float | None = None
    context_precision: float | None = None
    context_recall: float | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)  # by stage, and "total"


def answers_summary(scores: Sequence[AnswerScores]) -> dict[str, Any]:
    """Means and shares over all, and the same for each kind of question under "by_kind". A share of nothing is None.

    answered: of the answerable questions. correct: of the answers to them. right: of the answerable questions those
    with a correct answer. unsupported_sentences: of the sentences shown. citation_precision: citations whose passage
    holds the fact. refusal_recall: refused of the unanswerable. refusal_precision: unanswerable of the refused.
    over_refusal: refused of the answerable. seconds: medians by stage over the questions that had the stage.
    """
    kinds = {kind: _summary([one for one in scores if one.kind == kind]) for kind in sorted({s.kind for s in scores})}
    return _summary(scores) | {"by_kind": kinds}


def _summary(scores: Sequence[AnswerScores]) -> dict[str, Any]:
    answerable = [one for one in scores if one.answerable]
    answers = [one for one in answerable if one.answered]
    told = [bool(one.correct) for one in answers if one.correct is not None]
    refused = [one for one in scores if not one.answered]
    sentences = sum(one.sentences for one in scores)
    placed = [one for one in answers if one.citations is not None]
    stages = dict.fromkeys(stage for one in scores for stage in one.seconds)
    return {
        "questions": len(scores),
        "answers": sum(one.answered for one in scores),
        "answered": _share(one.answered for one in answerable),
        "correct": _share(told),
        "right": _share(bool(one.correct) for one in answerable if one.correct is not None or not one.answered),
        "sentences": sentences,
        "unsupported_sentences": sum(one.unsupported for one in scores) / sentences if sentences else None,
        "citation_precision": _ratio(
            sum(one.citations_right or 0 for one in placed), sum(one.citations or 0 for one in placed)
        ),
        "over_refusal": _share(not one.answered for one in answerable),
        "refusal_recall": _share(not one.answered for one in scores if not one.answerable),
        "refusal_precision": _share(not one.answerable for one in refused),
        **{name: _mean([getattr(one, name) for one in scores]) for name in MEANS},
        "seconds": {
            stage: round(median(s.seconds[stage] for s in scores if stage in s.seconds), 4) for stage in stages
        },
    }


def _share(values: Iterable[bool]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if found else None
