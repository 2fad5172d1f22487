"""What speaks for and against passages, over small libraries whose counts are plain to see."""

from __future__ import annotations

import asyncio
import math

import pytest
from tests.unit.retrieval_fakes import HashEmbedder, document

from terrarium.judging.signals import Evidence
from terrarium.library import Library
from terrarium.questions.asked import asked_words, question_language
from terrarium.retrieval.funnel import Retriever
from terrarium.retrieval.matches import match_sentences
from terrarium.storage.memory import MemoryStore

TEXTS = (
    "The ferry to the island leaves at nine. Tickets cost twelve euros.",
    "Dogs travel free on the ferry. Bicycles cost four euros.",
    "The harbour office is closed on Sundays.",
)


def evidence(question: str, *texts: str, limit: int = 4) -> Evidence:
    async def scenario() -> Evidence:
        library = await Library.open(MemoryStore(), HashEmbedder())
        for place, text in enumerate(texts or TEXTS):
            await library.add(document(f"{place}.txt", text, title="Timetable"))
        found = await Retriever(library).retrieve(question)
        passages = found.passages[:limit]
        matches = await match_sentences(question, passages, library.embedder)
        return Evidence(question, found, passages, matches, library)

    return asyncio.run(scenario())


def test_words_that_every_passage_holds_weigh_less_than_those_that_none_does():
    words = {w.word.text: w for w in evidence("Does the ferry to Iceland cost money?").words}
    assert words["ferry"].chunks == 2
    assert words["Iceland"].chunks == 0
    assert not words["Iceland"].covered
    assert words["Iceland"].weight == 1.0
    most = math.log1p((3 + 0.5) / 0.5)
    assert words["ferry"].weight == pytest.approx(math.log1p((3 - 2 + 0.5) / (2 + 0.5)) / most)


def test_coverage_is_the_share_of_the_weight_that_the_best_passage_holds():
    signals = evidence("When does the ferry leave for Iceland?").signals
    assert 0 < signals["coverage"] < 1
    assert signals["unknown"] == signals["missing"] == 1.0
    assert signals["missing_names"] == 0.5
    whole = evidence("Do dogs travel free?").signals
    assert whole["coverage"] == whole["focus"] == pytest.approx(1.0)
    assert whole["missing"] == whole["unknown_share"] == 0.0


def test_focus_wants_the_words_close_together():
    far = " ".join(f"Nothing of interest stands in line {n}." for n in range(12))
    near = evidence("Do lanterns burn whale oil?", f"The lanterns burn whale oil. {far}").signals
    apart = evidence(
        "Do lanterns burn whale oil?", f"The lanterns are old. {far} They fry fish and burn whale oil."
    ).signals
    assert near["focus"] > apart["focus"]


def test_one_passage_may_lack_what_several_hold_together():
    signals = evidence("dogs harbour Sundays").signals
    assert signals["coverage"] < signals["coverage_together"] == pytest.approx(1.0)


def test_a_rare_word_is_a_name_or_none_of_the_vocabulary(monkeypatch: pytest.MonkeyPatch):
    def pieces(self: object, texts: list[str], *, special: bool) -> list[list[int]]:
        return [[0, 0] if text == "zsh" else [0] for text in texts]

    monkeypatch.setattr("tests.unit.retrieval_fakes.WordTokenizer.encode_batch", pieces)
    rare = {w.word.text: w.rare for w in evidence("Does the ferry to Iceland take zsh money?").words}
    assert rare == {"ferry": False, "Iceland": True, "zsh": True, "money": False}
    assert evidence("Does the ferry take zsh?").signals["missing_rare"] == 1.0
    assert evidence("Does the ferry take money?").signals["missing_rare"] == 0.0


def test_without_a_reranker_its_signals_are_absent():
    found = evidence("Do dogs travel free?")
    assert found.profile == "dense"
    assert "relevant" not in found.signals


def test_without_vectors_of_use_words_decide():
    async def scenario() -> str:
        embedder = HashEmbedder()
        embedder.languages = ("en",)
        library = await Library.open(MemoryStore(), embedder)
        text = (
            "Die Fähre fährt um neun ab und die Karten sind nicht teuer. Der Hund ist mit an Bord und die Katze auch."
        )
        await library.add(document("fähre.txt", text))
        chunk = next(iter(library.documents.values()))
        assert chunk.language == ""
        found = await Retriever(library).retrieve("Wann fährt die Fähre?", within=[])
        return Evidence("Wann fährt die Fähre?", found, (), (), library).profile

    assert asyncio.run(scenario()) == "words"


def test_words_of_chinese_are_short_runs():
    assert [w.text for w in asked_words("认证系统使用什么令牌？")][-1] == "令牌"
    assert all(len(w.text) <= 4 for w in asked_words("认证系统使用什么令牌？"))


def test_names_and_numbers_are_marked():
    named = {w.text: w.name for w in asked_words("Which port does MongoDB 7 use for backups?")}
    assert named["MongoDB"]
    assert named["7"]
    assert not named["backups"]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What is the capital of France?", "en"),
        ("Wie viele Zeichen soll das Passwort haben?", "de"),
        ("Quelle est la hauteur de la tour Eiffel ?", "fr"),
        ("¿Cuál es la capital de Francia?", "es"),
        ("认证系统使用什么令牌？", "zh"),
        ("MongoDB", ""),
    ],
)
def test_a_question_tells_its_language(question: str, language: str):
    assert question_language(question) == language
