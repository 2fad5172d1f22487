"""The harness over tiny libraries: what is measured of a question, what is remembered, and what a run comes to."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.retrieval_fakes import HashEmbedder
from tests.unit.test_evaluation_sets import write_beir, write_lines

from terrarium.answers.answering import Answerer
from terrarium.desk.evaluation import prepared
from terrarium.desk.evaluation.embeddings import CachedEmbedder
from terrarium.desk.evaluation.page import to_html, write_report
from terrarium.desk.evaluation.prepared import prepared_library
from terrarium.desk.evaluation.sets import EvaluationSet, load_set
from terrarium.desk.evaluation.table import tables
from terrarium.evaluation.asking import STAGES, Asker, Outcome
from terrarium.evaluation.listing import Listing
from terrarium.evaluation.markdown import to_markdown
from terrarium.evaluation.questions import Question
from terrarium.evaluation.report import compare, summary
from terrarium.evaluation.statistics import interval, paired
from terrarium.library import Library
from terrarium.questions.cleaning import clean_question
from terrarium.retrieval.funnel import Retriever
from terrarium.settings import RetrievalSettings

SETTINGS = RetrievalSettings()


class TokenHashEmbedder(HashEmbedder):
    """With the vectors of a question's tokens, each as long as the others."""

    async def question_tokens(self, question: str) -> NDArray[np.float32]:
        words = question.lower().split()
        vectors = np.array([np.sign(self._word(word)[: self.token_dimensions]) for word in words], np.float32)
        vectors /= np.linalg.norm(vectors, axis=1).sum()
        return vectors


def silent(_stage: str, _done: int, _total: int) -> None:
    pass


@pytest.fixture
def beir(tmp_path: Path) -> EvaluationSet:
    return load_set(write_beir(tmp_path / "moons"))


async def asked(chosen: EvaluationSet, library: Library, settings: RetrievalSettings = SETTINGS) -> list[Outcome]:
    answerer = Answerer(library, Retriever(library, None, settings), None, {})
    asker = Asker(answerer, STAGES, lambda texts: [len(text.split()) for text in texts])
    return [await asker.ask(question) for question in chosen.questions]


def evaluated(chosen: EvaluationSet, cache: Path, settings: RetrievalSettings = SETTINGS) -> tuple[list[Outcome], int]:
    """The outcomes, and how many texts the model had to read."""
    inner = TokenHashEmbedder(token_dimensions=8)

    async def body() -> list[Outcome]:
        library = await prepared_library(chosen, CachedEmbedder(inner, cache), settings, cache, silent)
        return await asked(chosen, library, settings)

    return asyncio.run(body()), sum(len(batch) for batch in inner.batches)


def test_a_collection_by_hand(beir: EvaluationSet, tmp_path: Path):
    outcomes, _ = evaluated(beir, tmp_path)
    cat, moon = (outcome.stages["bm25"] for outcome in outcomes)
    assert cat.ranks == {"d1": 1}
    assert cat.measures["ndcg@10"] == 1
    assert moon.ranks == {"d3": 1, "d2": 2}, "both hold “moon”, one holds “air” too"
    assert (moon.measures["recall@1"], moon.measures["all@4"], moon.measures["mrr"]) == (0.5, 1, 1)
    assert moon.top[0] == {"document": "d3", "page": None, "chunk": 0, "text": "Moons The moon has no air."}
    assert set(outcomes[0].stages) == set(STAGES)
    assert outcomes[0].judgement is not None


def test_the_rankers_alone_begin_as_the_product_lists_them(beir: EvaluationSet, tmp_path: Path):
    async def body() -> None:
        cached = CachedEmbedder(TokenHashEmbedder(token_dimensions=8), tmp_path)
        library = await prepared_library(beir, cached, SETTINGS, tmp_path, silent)
        for outcome, question in zip(await asked(beir, library), beir.questions, strict=True):
            stages = (await Retriever(library).retrieve(clean_question(question.text))).stages
            for stage, ranker in (("bm25", "lexical"), ("dense", "dense")):
                names = [library.info(document).name for (document, _), _ in stages[ranker]]
                assert [one["document"] for one in outcome.stages[stage].top] == names  # type: ignore[index]

    asyncio.run(body())


def test_a_change_of_fusion_embeds_nothing(beir: EvaluationSet, tmp_path: Path):
    first, read = evaluated(beir, tmp_path)
    assert read > 0
    library = next((tmp_path / "libraries").iterdir())
    again, none = evaluated(beir, tmp_path, replace(SETTINGS, candidates=1))
    assert none == 0
    assert [one.stages["hybrid"].ranks for one in again] != [one.stages["hybrid"].ranks for one in first]
    assert list((tmp_path / "libraries").iterdir()) == [library]


def test_another_chunker_makes_another_library_of_remembered_vectors(
    beir: EvaluationSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    evaluated(beir, tmp_path)
    changed = tmp_path / "changed.py"
    changed.write_text("SIZE = 1\n")
    monkeypatch.setattr(prepared, "ROOTS", (*prepared.ROOTS, str(changed)))
    _, none = evaluated(beir, tmp_path)
    assert none == 0
    assert len(list((tmp_path / "libraries").iterdir())) == 2


def test_the_sources_that_make_a_library_are_followed_and_the_others_are_not():
    names = {path.name for path in prepared.sources((*prepared.ROOTS, *prepared.READERS))}
    assert {"chunking.py", "lines.py", "docx.py", "xlsx.py", "text.py", "postings.py"} <= names
    assert not {"funnel.py", "rerank_stage.py", "lexical.py", "answering.py", "context.py"} & names


def test_what_is_remembered_is_what_the_model_gave(tmp_path: Path):
    texts = ["a b c", "the moon", "a b c", "moon"]
    inner, plain = TokenHashEmbedder(token_dimensions=8), TokenHashEmbedder(token_dimensions=8)

    async def body() -> None:
        expected, expected_tokens = await plain.embed_with_tokens(texts)
        for computed in (3, 0):
            cached = CachedEmbedder(inner, tmp_path)
            vectors, tokens = await cached.embed_with_tokens(texts)
            assert np.array_equal(vectors, expected)
            assert all(np.array_equal(one, other) for one, other in zip(tokens, expected_tokens, strict=True))
            assert np.array_equal(await cached.embed(texts), expected)
            assert cached.computed == computed
            cached.close()
        cached = CachedEmbedder(inner, tmp_path)
        (question,) = await cached.embed(["the moon"], kind="question")
        assert cached.computed == 1, "a question is read in another way than a passage"
        assert np.array_equal(question, expected[1])
        assert np.array_equal(await cached.question_tokens("the moon"), await plain.question_tokens("the moon"))
        assert cached.computed == 1

    asyncio.run(body())


def test_vectors_without_tokens_do_not_stand_for_both(tmp_path: Path):
    async def body() -> None:
        cached = CachedEmbedder(TokenHashEmbedder(token_dimensions=8), tmp_path)
        await cached.embed(["the moon"])
        _, (tokens,) = await cached.embed_with_tokens(["the moon"])
        assert tokens.shape == (2, 8)
        await cached.embed(["two", "questions"], kind="question")
        assert (await cached.question_tokens("questions")).shape == (1, 8)

    asyncio.run(body())


def test_stopped_halfway_nothing_that_was_read_is_lost(
    beir: EvaluationSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def stopped(*_args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prepared, "_fill", stopped)
        with pytest.raises(KeyboardInterrupt):
            evaluated(beir, tmp_path)
    assert list((tmp_path / "libraries").iterdir()) == []
    inner = TokenHashEmbedder(token_dimensions=8)
    asyncio.run(prepared_library(beir, CachedEmbedder(inner, tmp_path), SETTINGS, tmp_path, silent))
    assert not inner.batches


def test_evidence_in_files_and_refusals(tmp_path: Path):
    (tmp_path / "cats.md").write_text("# Cats\n\nA cat sleeps sixteen hours.\n\n# Dogs\n\nA dog barks at the moon.\n")
    rows = [
        {
            "id": "a",
            "kind": "own_words",
            "question": "How long does a cat sleep?",
            "evidence": [{"file": "cats.md", "quote": "sleeps sixteen hours"}],
        },
        {"id": "b", "kind": "out_of_scope", "question": "zzz qqq xxx?", "answerable": False},
    ]
    chosen = load_set(write_lines(tmp_path / "q.jsonl", rows), [tmp_path / "cats.md"])
    outcomes, _ = evaluated(chosen, tmp_path / "cache")
    found, other = outcomes
    assert found.stages["bm25"].ranks == {"sleeps sixteen hours": 1}
    assert found.stages["final"].measures["evidence@3"] == 1
    assert found.sources == 1
    assert (dict(other.stages), other.sources) == ({}, None)
    result = summary(outcomes, STAGES)
    assert result["by_kind"]["own_words"]["evidence@3"] == 1
    assert result["by_kind"]["own_words"]["evidence@sources"] == 1
    assert "evidence@3" not in result["by_kind"]["out_of_scope"]
    assert result["refusal"]["out_of_scope"] == float(bool(other.refused))


def outcome(number: int, kind: str, rank: int | None, probability: float, verdict: str = "correct") -> Outcome:
    answerable = kind == "answerable"
    measures = {
        f"{name}@{k}": float(rank is not None and rank <= k)
        for k in (1, 3, 5, 10, 20, 100)
        for name in ("recall", "hit")
    }
    measures |= {"mrr": 1 / rank if rank else 0.0, "ndcg@10": 1 / math.log2(rank + 1) if rank else 0.0, "all@4": 0.0}
    listing = Listing(measures, {"d": rank}, [{"document": "<b>", "page": 1, "chunk": 0, "text": "a < b"}])
    judged = {
        "verdict": verdict,
        "probability": probability,
        "reasons": ["“x” is nowhere"],
        "refused": verdict == "incorrect",
    }
    question = Question(f"q{number}", kind, f"Question {number} <script>?", answerable=answerable)
    steps = [{"name": "wider", "before": "incorrect", "after": verdict, "gained": 1}]
    return Outcome(question, dict.fromkeys(STAGES, listing) if answerable else {}, None, judged, steps)


OUTCOMES = (
    outcome(1, "answerable", 1, 0.9),
    outcome(2, "answerable", 4, 0.6),
    outcome(3, "answerable", None, 0.2, "incorrect"),
    outcome(4, "uncovered", None, 0.3, "incorrect"),
    outcome(5, "uncovered", None, 0.8),
    outcome(6, "out_of_scope", None, 0.1, "incorrect"),
)


def result_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    about = {
        "name": "tiny",
        "questions": len(outcomes),
        "documents": 1,
        "passages": 1,
        "half": None,
        "own_passages": False,
    }
    models = {"embedder": "e@1", "reranker": None, "runtime": "r"}
    given = {"set": {**about, "left_out": {}, "unreadable": []}, "models": models}
    whole: dict[str, Any] = json.loads(json.dumps({**given, **summary(outcomes, STAGES)}))
    return whole


def test_means_and_refusals_by_hand():
    result = result_of(OUTCOMES)
    assert result["scored"] == 3
    assert result["stages"]["final"]["recall@3"] == pytest.approx(1 / 3)
    assert result["stages"]["final"]["mrr"] == pytest.approx((1 + 1 / 4) / 3)
    low, high = result["intervals"]["final"]["mrr"]
    assert low < result["stages"]["final"]["mrr"] < high
    refusal = result["refusal"]
    assert (refusal["uncovered"], refusal["out_of_scope"]) == (0.5, 1)
    assert (refusal["over_refusal"], refusal["recall"], refusal["precision"]) == pytest.approx((1 / 3, 2 / 3, 2 / 3))
    assert refusal["auc"] == pytest.approx(6 / 9)
    assert result["steps"] == {"wider": {"tried": 6, "raised_answerable": 2, "raised_unanswerable": 1}}
    assert refusal["verdicts"]["answerable"] == {"correct": 2, "ambiguous": 0, "incorrect": 1}


def test_two_runs_are_compared_question_by_question():
    better = result_of([outcome(n, "answerable", 1, 0.9) for n in range(30)])
    worse = result_of([outcome(n, "answerable", 2 if n % 2 else 1, 0.9) for n in range(40)])
    found = compare(worse, better)["final"]["mrr"]
    assert (found["questions"], found["mean"]) == (30, 0.25)
    assert found["low"] > 0
    assert found["p"] < 0.001
    assert compare(better, better)["final"]["mrr"]["p"] == 1


def test_the_paired_test_tells_a_clear_difference_from_none():
    chance = np.random.default_rng(0)
    first = chance.random(100)
    clear = paired(first, first + 0.1 + 0.01 * chance.normal(size=100))
    assert clear.p < 0.001
    assert clear.low < clear.mean < clear.high
    assert paired(first, first + 0.3 * chance.normal(size=100)).p > 0.01


def test_resampling_says_what_theory_says():
    values = np.random.default_rng(1).normal(0.4, 0.2, 400)
    low, high = interval(values.tolist())
    error = 1.96 * values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - error, values.mean() + error), abs=0.003)
    # Five differences of one sign: of 32 sign patterns two are as large.
    assert paired([0.0] * 5, [1.0] * 5).p == pytest.approx(2 / 32, abs=0.01)
    assert paired([0.0] * 5, [1.0] * 5) == paired([0.0] * 5, [1.0] * 5)


def test_the_report_renders_and_what_it_quotes_is_inert(tmp_path: Path):
    result = result_of(OUTCOMES)
    result["compared"] = {"with": "earlier.json", **compare(result, result)}
    markdown, html = write_report(result, tmp_path / "report")
    text = markdown.read_text()
    assert "| final | 0.477 [" in text
    assert "* q3 (answerable): Question 3" in text
    assert to_markdown(result) in text
    page = html.read_text()
    assert page.count("<svg") == 4
    assert "<script" not in page
    assert "a &lt; b" in page
    assert to_html(result) == page, "the same result gives the same bytes"


def test_a_run_with_nothing_to_find_still_has_a_report():
    assert "Refusal" in to_markdown(result_of(OUTCOMES[3:]))
    assert to_html(result_of(OUTCOMES[3:])).count("<svg") == 1


def test_the_tables_of_the_documentation():
    text = tables([result_of(OUTCOMES)])
    by_stage, refusals = text.split("\n\n")
    assert by_stage.splitlines()[2].startswith("| tiny (e) | 3 | 0.477 ± ")
    assert "| tiny (e) | out_of_scope 1.000 of 1, uncovered 0.500 of 2 | 0.333 | 0.667 | 0.667 |" in refusals
