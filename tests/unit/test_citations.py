"""What a sentence must have to stay: its numbers, its words and its polarity in a passage."""

from __future__ import annotations

import pytest

from terrarium.answers.citations import check_answer, quote_passages, split_answer
from terrarium.answers.support import Grounds, Support, best_quote, names_in, numbers_in
from terrarium.model import Chunk, DocumentInfo, Passage
from terrarium.retrieval.context import SentenceMatch

BORROWING = "Members may borrow up to six books for 21 days. The reading room closes at 19:00 on Fridays."
LIMITS = (
    "A join may hold 64 tables. This follows from a bitmap of the query planner. Names may have any length. "
    "Columns are counted apart. The largest database file has 281 terabytes."
)
FERRY = "Smoking is not allowed on the ferry. Bicycles travel free of charge on the lower deck."


def passage(text: str, number: int = 0, start: int = 100) -> Passage:
    info = DocumentInfo(id="d" * 64, name="house rules.pdf", kind="pdf", title="House rules", size=1, chunks=2, pages=3)
    chunk = Chunk("d" * 64, number, text, start, start + len(text), start, start + len(text), page=2, last_page=2)
    return Passage(chunk, info, 1.0)


def check_support(sentence: str, text: str, question: str, *others: str) -> Support:
    passages = {n: (one, ()) for n, one in enumerate((text, *others), start=1)}
    return Grounds(question, passages).check(sentence, 1)


def test_marks_are_taken_out_of_the_words_and_kept_as_numbers():
    sentences = split_answer("The fee is 4 euros [2]. It is due in March. [1][3] Nothing else [1, 2].")
    assert [s.text for s in sentences] == ["The fee is 4 euros.", "It is due in March.", "Nothing else."]
    assert [s.citations for s in sentences] == [(2,), (1, 3), (1, 2)]


def test_a_lone_mark_is_no_sentence():
    assert split_answer("[1]") == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,000 and 1 000 and 1’000", {"1000", "1", "000"}),
        ("1,000", {"1000"}),
        ("from 1000-59999, at 19:00 or 2.5.", {"1000", "59999", "19:00", "2.5"}),
        ("none", set()),
    ],
)
def test_numbers_as_written(text: str, numbers: set[str]):
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    ("sentence", "text", "question"),
    [
        ("A member may borrow up to six books.", BORROWING, "How many books may I borrow?"),
        ("The books may be kept for 21 days.", BORROWING, "How long may I keep the books?"),
        (
            "Yes, bicycles travel free of charge.",
            "Bicycles travel free of charge on the lower deck.",
            "Are bikes free?",
        ),
        ("No, smoking is not allowed on the ferry.", FERRY, "May I smoke?"),
    ],
)
def test_supported(sentence: str, text: str, question: str):
    assert check_support(sentence, text, question).holds


@pytest.mark.parametrize(
    ("sentence", "text", "question"),
    [
        ("A member may borrow up to 8 books.", BORROWING, "How many books may a member borrow?"),
        ("The weather in Oslo tomorrow will be cloudy.", BORROWING, "What will the weather be in Oslo tomorrow?"),
        ("The library was founded by Marta Velez.", BORROWING, "Who founded the library?"),
        ("Yes, smoking is allowed on the ferry.", FERRY, "Is smoking allowed on the ferry?"),
        ("Members may not borrow six books.", BORROWING, "May members borrow six books?"),
        ("How many books members may borrow.", BORROWING, "How many books may members borrow?"),
        (
            "The maximum number of tables in a join is 281 terabytes.",
            LIMITS,
            "What is the maximum number of tables in a join?",
        ),
    ],
)
def test_unsupported(sentence: str, text: str, question: str):
    assert not check_support(sentence, text, question).holds


def test_a_wrong_mark_is_replaced_by_the_supporting_passage():
    checked = check_answer(
        "Bicycles travel free of charge [1].", {1: passage(BORROWING), 2: passage(FERRY, 1)}, "Bikes?"
    )
    assert checked.sentences[0].citations == (2,)
    span = checked.citations[2]
    assert span.quote == "Bicycles travel free of charge on the lower deck."
    assert span.start == 100 + FERRY.index("Bicycles")
    assert span.page == 2


def test_a_sentence_without_a_mark_gets_one_and_an_invented_one_is_taken_out():
    checked = check_answer(
        "The reading room closes at 19:00 on Fridays. It opens again at 9:30.",
        {1: passage(BORROWING)},
        "When does it close?",
    )
    assert [s.citations for s in checked.sentences] == [(1,)]
    assert checked.removed == ("It opens again at 9:30.",)


def test_the_quote_is_the_sentence_that_holds_the_figure():
    start, end = best_quote("The room closes at 19:00.", BORROWING)
    assert BORROWING[start:end] == "The reading room closes at 19:00 on Fridays."


def test_quoting_takes_the_closest_sentences_only():
    passages = [passage(BORROWING), passage(FERRY, 1, 500)]
    first = len("Members may borrow up to six books for 21 days.")
    matches = [
        (SentenceMatch(0, first, 0.8), SentenceMatch(first + 1, len(BORROWING), 0.3)),
        (SentenceMatch(0, 36, 0.4),),
    ]
    sentences, citations = quote_passages(passages, matches)
    assert [s.text for s in sentences] == [BORROWING[:first]]
    assert citations[1].start == 100
    matches[1] = (SentenceMatch(0, 36, 0.75),)
    assert len(quote_passages(passages, matches)[0]) == 2
    twice = [passage(BORROWING), passage(BORROWING, 1)]
    assert len(quote_passages(twice, [matches[0]] * 2)[0]) == 1, "copies are quoted once"
    assert quote_passages([], []) == ((), {})


def test_headings_and_far_sentences_are_not_quoted():
    label = SentenceMatch(0, 20, 0.9, label=True)
    near = SentenceMatch(21, len(FERRY), 0.7)
    sentences, _ = quote_passages([passage(FERRY)], [(label, near)])
    assert [s.text for s in sentences] == [FERRY[21:]]
    assert quote_passages([passage(FERRY)], [(label,)]) == ((), {})


COLUMNS = "The number of columns in a table has an upper bound. The default is 2000. It may be as large as 32767."
JOINS = (
    "SQLite does not support joins containing more than 64 tables. A bitmap holds one bit for each table of the join."
)


def test_a_figure_from_a_place_that_is_beside_the_question_is_in_doubt():
    question = "What is the maximum number of tables in a join in SQLite?"
    claim = "The maximum number of tables in a join is 2000."
    assert check_support(claim, COLUMNS, question, JOINS).outdone
    assert not check_support(claim, COLUMNS, question, JOINS).holds
    assert check_support("SQLite supports joins of at most 64 tables.", JOINS, question, COLUMNS).holds


def test_a_name_that_no_passage_has_is_foreign():
    ports = "openvpn 1194/tcp. Ports below 1024 belong to the system."
    found = check_support("MongoDB uses port 1194/tcp.", ports, "Which port does MongoDB use?")
    assert found.foreign_names == ("MongoDB",)
    assert not found.holds


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The weather in Oslo is fine.", ["Oslo"]),
        ("MongoDB and SQLite use ports.", ["MongoDB", "SQLite"]),
        ("Das Passwort muss mindestens sechs Zeichen lang sein.", []),
        ("Die Installation Benötigt Arbeitsspeicher Und Platz.", []),
        ("No numbers here.", []),
    ],
)
def test_names(sentence: str, names: list[str]):
    assert [name for name in names_in(sentence) if name not in ("Passwort", "Zeichen")] == names
