"""What is folded under a better passage, and what must stay beside it."""

from __future__ import annotations

import pytest
from tests.unit.retrieval_fakes import filler

from terrarium.model import Chunk
from terrarium.retrieval.duplicates import firsts

CLAUSE = (
    "The tenant pays the deposit of two months' rent to the landlord before the keys are handed over. It is given back "
    "when the flat is left clean and all keys were returned; what repairs cost is taken off. The landlord keeps it on "
    "an account of its own and tells the tenant where."
)


def chunk(text: str, number: int = 0, headings: tuple[str, ...] = ()) -> Chunk:
    return Chunk("d", number, text, 0, len(text), 0, len(text), headings=headings)


def folded(first: str, second: str) -> bool:
    return firsts([chunk(first), chunk(second, 1)]) == [0, 0]


@pytest.mark.parametrize(
    "copy",
    [
        CLAUSE,
        CLAUSE.upper(),
        CLAUSE.replace(" ", "\n ").replace("'", "’").replace(";", ","),
        CLAUSE.replace("flat", "ﬂat"),  # a ligature
        "deposit and keys\n" + CLAUSE,  # a running head
        CLAUSE + " and so on",
        CLAUSE[CLAUSE.index("It is given") :],  # a part
        CLAUSE[: CLAUSE.index("what repairs")],
    ],
)
def test_folded(copy: str) -> None:
    assert folded(CLAUSE, copy)


@pytest.mark.parametrize(
    "other",
    [
        CLAUSE.replace("two", "three"),
        CLAUSE.replace("tenant pays", "landlord pays"),
        CLAUSE.replace("are handed", "are not handed"),
        CLAUSE.replace("before", "after"),
        CLAUSE.replace("is given", "isn't given"),
        CLAUSE + " 2024",
        "Berlin\n" + CLAUSE,
        CLAUSE + " The deposit bears interest.",
        CLAUSE.replace("It is", "It is, for all flats in the new houses behind the mill pond,"),
        " ".join(reversed(CLAUSE.split())),
        filler(60, 3),
    ],
)
def test_not_folded(other: str) -> None:
    assert not folded(CLAUSE, other)


def test_the_longer_one_below_is_kept() -> None:
    part = CLAUSE[: CLAUSE.index("It is given")]
    assert firsts([chunk(part), chunk(CLAUSE, 1)]) == [0, 1]


def test_a_part_of_a_word_is_no_part() -> None:
    assert not folded("Who rents is unable to pay in cash, and says so before.", "able to pay in cash")
    assert folded("Who rents is able to pay in cash, and says so before.", "able to pay in cash")


def test_copies_of_several_passages() -> None:
    texts = [CLAUSE, filler(60, 1), CLAUSE + " and so on", filler(60, 1), filler(60, 2), CLAUSE.upper()]
    assert firsts([chunk(text, n) for n, text in enumerate(texts)]) == [0, 1, 0, 1, 4, 0]


def test_a_name_or_number_in_the_headings_counts() -> None:
    """The same line of two tables says something else in each; an equal passage is folded all the same."""
    line = "bolts of the gear box and its lid: twenty five newton metres, dry"
    longer = line + ", twenty newton metres when oiled"
    one = chunk(longer, headings=("Torques of model A4",))
    assert firsts([one, chunk(line, 1, ("Torques of model B7",))]) == [0, 1]
    assert firsts([one, chunk(line, 1, ("Torques of model A4",))]) == [0, 0]
    assert firsts([one, chunk(longer, 1, ("Torques of model B7",))]) == [0, 0]


def test_nothing_and_no_words() -> None:
    assert firsts([]) == []
    assert firsts([chunk("— —"), chunk("…", 1), chunk("— —", 2)]) == [0, 1, 0]


def test_texts_without_spaces_between_words_are_folded_when_equal() -> None:
    text = "租金在每月一日支付。押金为两个月的租金。"
    assert folded(text, text)
    assert not folded(text, text.replace("两", "三"))
