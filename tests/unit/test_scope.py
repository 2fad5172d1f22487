"""Requests that no document answers, in five languages, and questions that only look like them."""

from __future__ import annotations

import pytest

from terrarium.questions.scope import REASONS, requested


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("compose", "Write me a limerick about cats."),
        ("compose", "Tell me another joke"),
        ("compose", "Schreib ein Gedicht über den Herbst."),
        ("compose", "Raconte-moi une blague"),
        ("compose", "Cuéntame un chiste"),
        ("compose", "给我讲一个笑话"),
        ("chat", "How are you today?"),
        ("chat", "Wer bist du?"),
        ("chat", "你是谁？"),
        ("compute", "What is 12 + 30?"),
        ("compute", "Was ist 12 mal 30?"),
        ("compute", "Combien font 3 fois 4 ?"),
        ("compute", "17乘以23等于多少？"),
        ("now", "What is the weather going to be in Lima tomorrow?"),
        ("now", "How much is a share of the company worth today?"),
        ("now", "Wie wird das Wetter morgen?"),
        ("now", "Quelle heure est-il ?"),
        ("now", "今天天气怎么样？"),
    ],
)
def test_a_request_is_known_by_its_words(kind: str, question: str):
    assert requested(question) == kind
    assert REASONS[requested(question)].endswith(".")


@pytest.mark.parametrize(
    "question",
    [
        "How do I write a story in the issue tracker?",
        "What is 802-11?",
        "What is 24/7 support?",
        "What are 2 common causes of crashes?",
        "Which file stores the weather data?",
        "What does the contract say about the price today's partners pay?",
        "Who wrote the song in chapter two?",
        "这本书有多少首歌曲？",
        "Wie schreibe ich ein Bild in das Dokument?",
    ],
)
def test_a_question_that_only_looks_like_one_is_none(question: str):
    assert requested(question) == ""
