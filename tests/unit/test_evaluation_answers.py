"""Scores of answers: facts, RAGAS' definitions, raw texts, and what many scores come to. The judge is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.retrieval_fakes import HashEmbedder

from terrarium.desk.evaluation.answered import MODES
from terrarium.evaluation.answer_tables import answer_lines
from terrarium.evaluation.answers import AnswerScorer
from terrarium.evaluation.facts import carries_fact, states_fact
from terrarium.evaluation.local_judge import LocalJudge
from terrarium.evaluation.questions import Evidence, Question
from terrarium.evaluation.ragas import answer_relevancy, average_precision, context_precision, context_recall
from terrarium.evaluation.scores import AnswerScores, answers_summary
from terrarium.evaluation.shown import shown_as
from terrarium.model import Answer, Chunk, DocumentInfo, Passage, Refusal, Sentence, Span

INFO = DocumentInfo("d" * 64, "rules.pdf", "pdf", "House rules", 100, 2)
LENT = "Members may borrow up to six books for 21 days."
SHUT = "The reading room is closed on Sundays."


def passage(number: int, text: str, name: str = "rules.pdf") -> Passage:
    return Passage(Chunk(INFO.id, number, text, 0, len(text), 0, len(text)), replace(INFO, name=name), 1.0)


def answer(*sentences: Sentence, question: str = "How many books?", **more: Any) -> Answer:
    return Answer(question, sentences, {}, (passage(0, LENT), passage(1, SHUT)), "generated", **more)


class ScriptedJudge:
    """Supports what shares a word with the contexts that is in `known`."""

    id = "scripted"

    def __init__(self, *known: str) -> None:
        self.known = known

    async def supported(self, statement: str, contexts: Sequence[str]) -> float:
        return float(any(word in statement and word in context for word in self.known for context in contexts))


@pytest.mark.parametrize(
    ("must", "text", "stated"),
    [
        (("no",), "I know nothing about it.", False),
        (("no",), "No, it is not needed.", True),
        (("seven|7", "user"), "They have seven fields, the username comes sixth.", True),
        (("seven|7", "user"), "There are 17 fields for users.", False),
        (("1000",), "The range is 10000 to 59999.", False),
        (("fast (boot|startup)",), "Switch off “Fast startup”.", True),
        (("=",), "Only = is allowed.", True),
        (("a(",), "It is called a(", True),
    ],
)
def test_patterns_of_a_fact(must: tuple[str, ...], text: str, stated: bool):
    assert states_fact(Question("q", "own", "?", must_mention=must), text) is stated


def test_reference_answers_short_and_long():
    short = Question("q", "answerable", "Where is the capital?", answers=("Bern", "the city of Bern"))
    assert states_fact(short, "It is in Bern, they say.") is True
    assert states_fact(short, "It is in Berne-Belp.") is False
    long = Question(
        "q", "answerable", "Who wrote it?", answers=("It was written by Anna Keller in 1931 while she lived in Basel.",)
    )
    assert states_fact(long, "Anna Keller wrote it in 1931.") is True
    assert states_fact(long, "It was written by somebody.") is False
    assert states_fact(Question("q", "answerable", "Why?"), "Because.") is None


def test_a_cited_passage_holds_the_fact_by_its_quote_its_document_or_its_words():
    quoted = Question("q", "own", "How many?", evidence=(Evidence("rules.pdf", "borrow up to six books"),))
    assert carries_fact(quoted, passage(0, LENT), LENT) is True
    assert carries_fact(quoted, passage(1, SHUT), SHUT) is False
    judged = Question("q", "answerable", "How many?", gains={"rules.pdf": 1})
    assert carries_fact(judged, passage(1, SHUT), SHUT) is True
    assert carries_fact(judged, passage(1, SHUT, "other.pdf"), SHUT) is False
    said = replace(quoted, evidence=(Evidence("rules.pdf", "not there at all", page=9),), must_mention=("Sundays",))
    assert carries_fact(said, passage(1, SHUT), SHUT) is True
    assert carries_fact(Question("q", "own", "How many?"), passage(0, LENT), LENT) is None


def test_average_precision_as_in_the_paper_on_ranking():
    # relevant at ranks 1 and 3: (1/1 + 2/3) / 2
    assert average_precision([True, False, True, False]) == pytest.approx(5 / 6)
    assert average_precision([False, True]) == 0.5
    assert average_precision([False]) == 0


def test_context_precision_and_recall_of_a_reference():
    async def body() -> None:
        judge = ScriptedJudge("books", "Sundays")
        reference = "Six books may be borrowed. Cats may not."
        assert await context_precision(judge, reference, [SHUT, LENT]) == 0.5
        assert await context_recall(judge, reference, [SHUT, LENT]) == 0.5
        assert await context_recall(judge, "", [LENT]) is None
        assert await context_precision(judge, "", [LENT]) is None

    asyncio.run(body())


def test_relevancy_is_the_mean_cosine_to_the_questions_made():
    async def body() -> None:
        embedder = HashEmbedder()
        assert await answer_relevancy(embedder, "how many books", ["how many books"]) == pytest.approx(1, abs=1e-5)
        first, second = [await answer_relevancy(embedder, "how many books", [one]) for one in ("many books", "a moon")]
        both = await answer_relevancy(embedder, "how many books", ["many books", "a moon"])
        assert first is not None and second is not None
        assert both == pytest.approx((first + second) / 2, abs=1e-6)
        assert await answer_relevancy(embedder, "how many books", []) is None

    asyncio.run(body())


def test_an_answer_is_scored_sentence_by_sentence():
    question = Question(
        "q", "own", "How many books?", evidence=(Evidence("rules.pdf", "up to six books"),), must_mention=("six|6",)
    )
    given = answer(
        Sentence("Members may borrow up to six books for 21 days.", (1,)),
        Sentence("Members may borrow nine laptops for 40 days.", (2,)),
    )
    scores = asyncio.run(AnswerScorer(ScriptedJudge("six"), HashEmbedder(), None).score(question, given))
    assert (scores.answered, scores.correct) == (True, True)
    assert (scores.sentences, scores.unsupported) == (2, 1)
    assert (scores.citations, scores.citations_right) == (2, 1)
    assert (scores.faithfulness, scores.relevancy) == (0.5, None)


def test_a_refusal_is_neither_right_nor_wrong():
    given = replace(answer(refusal=Refusal("not_found", "Nothing.")), mode="refused")
    question = Question("q", "own", "How many?", must_mention=("six",))
    scores = asyncio.run(AnswerScorer(ScriptedJudge(), HashEmbedder(), None).score(question, given))
    assert (scores.answered, scores.correct, scores.sentences, scores.faithfulness) == (False, None, 0, None)


def test_the_raw_text_keeps_the_citations_that_there_were_sources_for():
    shown = answer(Sentence(LENT, (1,)), removed=("Cats are free [2].",), quotes=(Sentence(SHUT, (2,)),))
    sources = [{"number": 2, "start": 0, "end": 10, "text": SHUT}, {"number": 1, "start": 0, "end": 9, "text": LENT}]
    record = {"generation": {"raw": "Six books [2]. Cats are free [7]."}, "sources": sources}
    raw = shown_as("raw", shown, record)
    assert [(one.text, one.citations) for one in raw.sentences] == [("Six books.", (1,)), ("Cats are free.", ())]
    assert raw.sentences[0].spans == (Span(INFO.id, INFO.name, 0, 9, LENT),)
    assert raw.quotes == () and raw.removed == ()
    assert shown_as("raw", shown, {}) is shown


def test_the_modes_of_one_turn():
    written = answer(Sentence(LENT, (1,)), quotes=(Sentence(SHUT, (2,)),), removed=("Gone.",))
    assert shown_as("both", written, {}) is written
    quoted = shown_as("quote", written, {})
    assert (quoted.mode, quoted.sentences, quoted.removed) == ("quoted", written.quotes, ())
    assert shown_as("answer", written, {}) == replace(written, quotes=())
    fallen = replace(written, mode="quoted", sentences=written.quotes)
    assert shown_as("answer", fallen, {}) is fallen, "nothing stood: the quotation is the answer"
    refused = replace(answer(refusal=Refusal("not_found", "Nothing.")), mode="refused")
    assert all(shown_as(mode, refused, {}) is refused for mode in MODES)


def scores(kind: str, answered: bool, correct: bool | None = None, **more: Any) -> AnswerScores:
    counts = {"sentences": 2 if answered else 0, "unsupported": 0, "citations": 1, "citations_right": 1}
    mode = "generated" if answered else "refused"
    fields: dict[str, Any] = {**counts, **more}
    return AnswerScores(kind, kind == "own", answered, mode, correct, **fields)


def test_a_summary_by_hand():
    found = answers_summary(
        [
            scores("own", True, True, seconds={"total": 1.0}, faithfulness=1.0),
            scores("own", True, False, unsupported=1, citations_right=0, seconds={"total": 3.0}, faithfulness=0.5),
            scores("own", False, seconds={"total": 0.5}),
            scores("away", False),
            scores("away", True, unsupported=1, citations=None, citations_right=None),
        ]
    )
    assert (found["questions"], found["answers"]) == (5, 3)
    assert found["answered"] == pytest.approx(2 / 3)
    assert (found["correct"], found["right"]) == (0.5, pytest.approx(1 / 3))
    assert found["unsupported_sentences"] == pytest.approx(2 / 6)
    assert found["citation_precision"] == 0.5
    assert (found["over_refusal"], found["refusal_recall"]) == (pytest.approx(1 / 3), 0.5)
    assert found["refusal_precision"] == 0.5
    assert (found["faithfulness"], found["context_recall"]) == (0.75, None)
    assert found["seconds"] == {"total": 1.0}
    assert found["by_kind"]["away"]["answered"] is None
    assert found["by_kind"]["own"]["questions"] == 3


def test_the_tables_name_every_mode_and_leave_out_what_cannot_be_told():
    whole = answers_summary([scores("own", True, True, seconds={"total": 1.0}), scores("away", False)])
    result = {"answers": {"generator": "g", "judge": "j", "by_mode": {"quote": whole, "both": whole}}}
    text = "\n".join(answer_lines(result))
    assert "| quote | 2 | 1.000 | 1.000 | 1.000 | 0.000 | 1.000 | 0.000 | 1.000 | 1.000 | 2 |" in text
    assert "| both, away | 1 | 0 | – | – | – | – |" in text
    assert "| both | – | – | – | – |" in text, "nobody judged"
    assert "| quote | 1.000 |" in text, "seconds"
    assert answer_lines({}) == []


def test_the_local_judge_prefers_what_the_context_says():
    async def body() -> None:
        judge = LocalJudge(HashEmbedder())
        said = await judge.supported("Members may borrow six books for 21 days.", [SHUT, LENT])
        figure = await judge.supported("Members may borrow six books for 40 days.", [SHUT, LENT])
        other = await judge.supported("Dogs must wear a muzzle in Vienna.", [SHUT, LENT])
        assert said > figure > other
        assert said > 0.5 > other
        assert await judge.supported("Anything.", []) == 0

    asyncio.run(body())
