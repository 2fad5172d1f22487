"""Greetings, thanks and politeness leave the same question behind."""

from __future__ import annotations

import pytest

from terrarium.question import clean_question

QUESTION = "How many books may a member borrow?"


@pytest.mark.parametrize(
    "framed",
    [
        "how many books may a member borrow?",
        "Hi, how many books may a member borrow?",
        "Hello there! How many books may a member borrow?",
        "Good morning, could you please tell me how many books may a member borrow?",
        "  How many   books may a member borrow? Thanks!",
        "How many books may a member borrow, please?",
        "Hey, please tell me: how many books may a member borrow? Thank you very much.",
        "I would like to know how many books may a member borrow? Thanks in advance",
        "Hallo zusammen, how many books may a member borrow? Danke!",
    ],
)
def test_framings_give_the_same_question(framed: str):
    assert clean_question(framed) == QUESTION


@pytest.mark.parametrize(
    "question",
    [
        "History of the mill?",
        "Hide the toolbar",
        "What does “please” mean in the contract?",
        "Thanksgiving opening hours?",
        "Who thanks whom in chapter 2?",
        "Heyday of the printing press?",
        "Hi",
        "Thanks",
    ],
)
def test_words_of_the_question_itself_stay(question: str):
    assert clean_question(question) == question


def test_chinese_greeting():
    assert clean_question("你好，请问图书馆几点开门？谢谢") == "图书馆几点开门？"
