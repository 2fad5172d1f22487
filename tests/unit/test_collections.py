"""Collections in BEIR's format: what is read, how runs are made and scored, on a collection to be checked by eye."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import pytest
from tests.unit.retrieval_fakes import HashEmbedder

from terrarium.cli import main
from terrarium.evaluation.collections import Stages, first_stages, fused_run, load_collection, markdown, scores
from terrarium.settings import RetrievalSettings

CORPUS = [
    {"_id": "d1", "title": "Cats", "text": "A cat sleeps sixteen hours."},
    {"_id": "d2", "title": "", "text": "A dog barks at the moon."},
    {"_id": "d3", "title": "Moons", "text": "The moon has no air."},
]
QUERIES = [{"_id": "q1", "text": "cat hours"}, {"_id": "q2", "text": "moon air"}, {"_id": "q3", "text": "unjudged"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td3\t1\nq2\td2\t1\nq3\td1\t0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels/test.tsv").write_text(QRELS)
    for name, entries in (("corpus", CORPUS), ("queries", QUERIES)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return tmp_path


def test_a_question_that_nothing_answers_is_left_out(folder: Path) -> None:
    collection = load_collection(folder)
    assert collection.questions == {"q1": "cat hours", "q2": "moon air"}
    assert collection.documents["d1"] == "Cats\nA cat sleeps sixteen hours."
    assert collection.documents["d2"] == "A dog barks at the moon."
    assert collection.gains["q1"] == {"d1": 2, "d2": 0}


def test_ndcg_of_runs_by_hand(folder: Path) -> None:
    collection = load_collection(folder)
    run = {"q1": [("d2", 2.0), ("d1", 1.0)], "q2": [("d3", 1.0), ("d1", 0.5), ("d2", 0.2)]}
    found = scores(collection, run)
    assert found["q1"] == pytest.approx(1 / math.log2(3))
    assert found["q2"] == pytest.approx((1 + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_first_stages_find_what_shares_words(folder: Path) -> None:
    collection = load_collection(folder)
    stages = asyncio.run(first_stages(collection, [HashEmbedder()]))
    assert list(stages.runs) == ["BM25", "hash", "BM25 + hash"]
    assert [document for document, _ in stages.runs["BM25"]["q2"]] == ["d3", "d2"]
    assert all(value == 1 for value in scores(collection, stages.runs["BM25"]).values())
    assert stages.runs["hash"]["q1"][0][0] == "d1"
    assert stages.rates["hash"] > 0


def test_fusion_takes_the_first_candidates_only() -> None:
    one, other = {"q": [("a", 3.0), ("b", 2.0), ("c", 1.0)]}, {"q": [("c", 9.0), ("b", 8.0), ("a", 7.0)]}
    fused = fused_run([one, other], RetrievalSettings(candidates=2))
    assert fused["q"] == [("b", 2 / 62), ("a", 1 / 61), ("c", 1 / 61)]


def test_the_table_has_a_column_for_each_ranker(folder: Path) -> None:
    collection = load_collection(folder)
    stages = Stages({"mine": {"q1": [("d1", 1.0)], "q2": []}}, {"model": 12.34})
    head, _, row = markdown([(collection, stages)]).splitlines()
    assert head == "| nDCG@10 | documents | questions | mine | model, documents/s |"
    assert row == f"| {folder.name} | 3 | 2 | 0.500 | 12.3 |"


def test_an_unknown_embedder_is_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--models", str(tmp_path), "rank", str(folder), "--embedder", "nobody"]) == 1
    assert "nobody" in capsys.readouterr().err
