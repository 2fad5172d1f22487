"""Scores of one answer, sentence by sentence and citation by citation.

What is right is told by the question's author (`facts.py`), what is supported by the product's own check and, apart
from it, by a judge (`ragas.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from terrarium.answers.citations import check_answer
from terrarium.evaluation.facts import carries_fact, states_fact
from terrarium.evaluation.questions import Question
from terrarium.evaluation.ragas import (
    Judge,
    answer_relevancy,
    context_precision,
    context_recall,
    faithfulness,
    questions_from,
)
from terrarium.evaluation.scores import AnswerScores
from terrarium.generation.generator import Generator
from terrarium.model import Answer, Passage
from terrarium.runtime.protocols import Embedder, Reranker
from terrarium.text import normalise


class AnswerScorer:
    """Scores answers one after another. Without a generator nothing is said of relevancy."""

    def __init__(
        self, judge: Judge, embedder: Embedder, generator: Generator | None, reranker: Reranker | None = None
    ) -> None:
        self._judge, self._embedder, self._generator, self._reranker = judge, embedder, generator, reranker
        self._last: tuple[str, list[str]] = "", []
        self._last_scores: tuple[float | None, float | None] = None, None

    async def score(
        self,
        question: Question,
        answer: Answer,
        *,
        seconds: Mapping[str, float] | None = None,
        relevancy: bool = True,
    ) -> AnswerScores:
        """`seconds` are the trace's timings. `relevancy` costs the generator a short text."""
        answered = answer.refusal is None and bool(answer.sentences)
        cited = _cited(question, answer)
        contexts = [passage.chunk.text for passage in answer.passages]
        precision, recall = await self._of_contexts(question.answers[0] if question.answers else "", contexts)
        said = " ".join(sentence.text for sentence in answer.sentences)
        made = await questions_from(self._generator, said) if self._generator and relevancy and answered else []
        return AnswerScores(
            kind=question.kind,
            answerable=question.answerable,
            answered=answered,
            mode=answer.mode,
            correct=states_fact(question, shown_text(answer)) if answered and question.answerable else None,
            sentences=len(answer.sentences),
            unsupported=await self._unsupported(answer),
            citations=None if cited is None else len(cited),
            citations_right=None if cited is None else sum(cited),
            faithfulness=await faithfulness(self._judge, [one.text for one in answer.sentences], contexts),
            relevancy=await answer_relevancy(self._embedder, question.text, made),
            context_precision=precision,
            context_recall=recall,
            seconds=dict(seconds or {}),
        )

    async def _of_contexts(self, reference: str, contexts: list[str]) -> tuple[float | None, float | None]:
        """Context precision and recall, which are the same in every mode: the last ones are remembered."""
        if self._last != (reference, contexts):
            self._last = reference, contexts
            self._last_scores = (
                await context_precision(self._judge, reference, contexts),
                await context_recall(self._judge, reference, contexts),
            )
        return self._last_scores

    async def _unsupported(self, answer: Answer) -> int:
        """Sentences that the product's check takes out when it sees them again, beside the passages they cite alone.

        A sentence that stands in a cited passage word for word is supported.
        """
        count = 0
        for sentence in answer.sentences:
            grounds = {n: read_passage(answer, n) for n in sentence.citations or range(1, len(answer.passages) + 1)}
            if any(normalise(sentence.text) in normalise(one.chunk.text) for one in grounds.values()):
                continue
            checked = await check_answer(sentence.text, grounds, answer.question, self._reranker)
            count += not checked.sentences
        return count


def texts_of(answer: Answer) -> dict[str, Any]:
    """What a person reads of an answer, as it stands in results."""
    return {
        "text": answer.text,
        "quotes": [one.text for one in answer.quotes],
        "removed": list(answer.removed),
        "notes": list(answer.notes),
        "refusal": answer.refusal.code if answer.refusal else None,
    }


def shown_text(answer: Answer) -> str:
    """All that the person reads: sentences, quotations beside them, and what passages disagree on."""
    stated = [one for conflict in answer.conflicts for one in conflict.statements]
    return " ".join(dict.fromkeys(one.text for one in (*answer.sentences, *answer.quotes, *stated)))


def _cited(question: Question, answer: Answer) -> list[bool] | None:
    """Of each citation of each sentence, whether the passage holds the fact; None where no place is known."""
    numbers = [number for sentence in answer.sentences for number in sentence.citations]
    found = [carries_fact(question, answer.passages[n - 1], read_passage(answer, n).chunk.text) for n in numbers]
    if not question.answerable or any(one is None for one in found):
        return None
    return [bool(one) for one in found]


def read_passage(answer: Answer, number: int) -> Passage:
    """Passage `number` with the quotes beside it that sentences rest on: a source may be wider than its chunk."""
    passage = answer.passages[number - 1]
    chunk = passage.chunk
    spans = [span for one in answer.sentences for n, span in zip(one.citations, one.spans, strict=False) if n == number]
    beside = dict.fromkeys(span.quote for span in spans if not chunk.start <= span.start < span.end <= chunk.end)
    if not beside:
        return passage
    return replace(passage, chunk=replace(chunk, text=" ".join((chunk.text, *beside))))
