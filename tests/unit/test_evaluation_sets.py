"""Evaluation sets of each format, as they are read, and what is said of those that cannot be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from terrarium.cli import main
from terrarium.desk.evaluation.collections import Text
from terrarium.desk.evaluation.sets import load_set, text_document
from terrarium.evaluation.lines import BadSet
from terrarium.evaluation.questions import Evidence

CORPUS = [
    {"_id": "d1", "title": "Cats", "text": "A cat sleeps sixteen hours."},
    {"_id": "d2", "title": "", "text": "A dog barks at the moon.\nIt barks all night."},
    {"_id": "d3", "title": "Moons", "text": "The moon has no air."},
]
QUERIES = [{"_id": "q1", "text": "cat hours"}, {"_id": "q2", "text": "moon air"}, {"_id": "q3", "text": "unjudged"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td3\t1\nq2\td2\t1\nq3\td1\t0\n"


def write_lines(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_beir(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels/test.tsv").write_text(QRELS)
    write_lines(folder / "corpus.jsonl", CORPUS)
    write_lines(folder / "queries.jsonl", QUERIES)
    return folder


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    return write_beir(tmp_path / "moons")


def test_beir(beir: Path):
    chosen = load_set(beir)
    assert (chosen.name, chosen.format) == ("moons", "beir")
    assert [(q.id, q.text, dict(q.gains)) for q in chosen.questions] == [
        ("q1", "cat hours", {"d1": 2, "d2": 0}),
        ("q2", "moon air", {"d3": 1, "d2": 1}),
    ], "a question that nothing answers has no score"
    assert chosen.texts["d1"] == Text("Cats", "A cat sleeps sixteen hours.")
    assert len(chosen.first(1).questions) == 1
    assert chosen.first(1).digest == chosen.digest


def test_a_text_becomes_a_document_of_its_title_and_lines(beir: Path):
    texts = load_set(beir).texts
    cats, dogs = (text_document(name, texts[name]) for name in ("d1", "d2"))
    assert [(block.kind, block.text) for block in cats.blocks] == [
        ("heading", "Cats"),
        ("paragraph", "A cat sleeps sixteen hours."),
    ]
    assert (cats.name, cats.title, dogs.title) == ("d1", "Cats", "")
    assert [block.text for block in dogs.blocks] == ["A dog barks at the moon.", "It barks all night."]
    assert text_document("other", texts["d1"]).id != cats.id, "a collection may hold a text twice"


def test_rag(tmp_path: Path):
    rows = [
        {
            "id": "a",
            "question": "How long does a cat sleep?",
            "answers": ["sixteen hours"],
            "evidence_sentences": ["A cat sleeps sixteen hours."],
            "passages": [{"id": "p1", "title": "Cats", "text": "A cat sleeps sixteen hours.", "gold": True}],
            "answerable": True,
            "lang": "en",
        },
        {
            "id": "b",
            "question": "Who owns the moon?",
            "answers": [],
            "passages": [
                {"id": "p1", "title": "Cats", "text": "A cat sleeps sixteen hours.", "gold": False},
                {"id": "p1", "title": "Moons", "text": "Another text under a known id.", "gold": True},
            ],
            "answerable": False,
        },
    ]
    chosen = load_set(write_lines(tmp_path / "rag.jsonl", rows))
    answerable, other = chosen.questions
    assert (chosen.format, list(chosen.texts)) == ("rag", ["p1", "p1'"])
    assert (answerable.kind, dict(answerable.gains), answerable.own) == ("answerable", {"p1": 1}, ("p1",))
    assert answerable.evidence == (Evidence("p1", "A cat sleeps sixteen hours."),)
    assert (other.kind, dict(other.gains), other.own) == ("unanswerable", {}, ("p1", "p1'"))


def test_question_set(tmp_path: Path):
    rows = [
        {"id": "a", "kind": "own_words", "question": "?", "evidence": [{"file": "x.md", "quote": "q", "page": 4}]},
        {"id": "b", "kind": "out_of_scope", "question": "?", "answerable": False},
    ]
    documents = tmp_path / "docs"
    (documents / "deep").mkdir(parents=True)
    (documents / "x.md").write_text("# X")
    (documents / "deep/y.md").write_text("# Y")
    chosen = load_set(write_lines(tmp_path / "questions.jsonl", rows), [documents])
    assert (chosen.format, [file.name for file in chosen.files]) == ("questions", ["y.md", "x.md"])
    assert chosen.questions[0].evidence == (Evidence("x.md", "q", page=4),)
    assert not chosen.questions[1].answerable
    assert load_set(tmp_path / "questions.jsonl", [documents / "x.md"]).digest != chosen.digest
    # sha256("a") ends in …bb, sha256("b") in …9d, both odd; sha256("c") in …c6.
    write_lines(tmp_path / "questions.jsonl", [{"id": one, "kind": "k", "question": "?"} for one in "abc"])
    halves = [load_set(tmp_path / "questions.jsonl").half(half).questions for half in ("development", "test")]
    assert [[question.id for question in half] for half in halves] == [["c"], ["a", "b"]]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "is empty"),
        ("no json\n", "line 1, is no JSON"),
        ('{"id": "a"}\n', "line 1, has no “question”"),
        ("[1]\n", "line 1, has no “id”, “question”"),
        ('{"id": "a", "question": "?"}\n', "neither “passages” nor “kind”"),
        ('{"id": "a", "question": "?", "kind": "k", "evidence": [{"file": "x"}]}\n', "“file” and “quote”"),
        ('{"id": "a", "question": "?", "answerable": true, "passages": [{"id": "p"}]}\n', "“id”, “text” and “gold”"),
    ],
)
def test_what_is_said_of_a_bad_file(tmp_path: Path, lines: str, said: str):
    path = tmp_path / "bad.jsonl"
    path.write_text(lines)
    with pytest.raises(BadSet) as caught:
        load_set(path)
    assert said in str(caught.value)
    assert "bad.jsonl" in str(caught.value)


def test_what_is_said_of_bad_judgements(beir: Path):
    with pytest.raises(BadSet, match=r"Splits that are there: test\."):
        load_set(beir, split="dev")
    (beir / "qrels/test.tsv").write_text("a b c\n")
    with pytest.raises(BadSet, match="names no column corpus-id, query-id, score"):
        load_set(beir)
    (beir / "qrels/test.tsv").write_text(QRELS.replace("\t2", "\tmuch"))
    with pytest.raises(BadSet, match="no whole number"):
        load_set(beir)
    (beir / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq3\td1\t0\n")
    with pytest.raises(BadSet, match="no question"):
        load_set(beir)


def test_the_command_says_what_is_wrong(beir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    def said(*args: str) -> str:
        assert main(["--models", str(tmp_path), "evaluate", *args]) == 1
        return capsys.readouterr().err

    questions = write_lines(tmp_path / "q.jsonl", [{"id": "a", "kind": "k", "question": "?"}])
    assert "name them with --documents or --library" in said(str(questions))
    assert "not there" in said(str(questions), "--documents", str(tmp_path / "nowhere"))
    assert "leave out --own-passages" in said(str(beir), "--own-passages")
    assert "no result of `terrarium evaluate" in said(str(beir), "--compare", str(write_lines(tmp_path / "r", [{}])))
    assert "nobody" in said(str(beir), "--embedder", "nobody")


def test_the_first_of_each_kind_in_the_order_of_the_file(tmp_path: Path):
    kinds = "aabab"
    rows = [{"id": f"q{n}", "kind": kind, "question": "?", "evidence": []} for n, kind in enumerate(kinds)]
    chosen = load_set(write_lines(tmp_path / "set.jsonl", rows))
    assert [one.id for one in chosen.first_of_each(2).questions] == ["q0", "q1", "q2", "q4"]
    assert chosen.first_of_each(None) is chosen
