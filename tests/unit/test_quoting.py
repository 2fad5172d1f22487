"""Quotes: the sentences that answer, from stored token vectors, each with what it needs to be understood."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.retrieval_fakes import HashEmbedder

from terrarium.answers.documents import Documents
from terrarium.answers.quoting import quote_passages
from terrarium.answers.sentence_scores import lacks_what_is_asked
from terrarium.answers.wholeness import whole
from terrarium.library import Library
from terrarium.model import Block, Document, Flag, Passage, Sentence
from terrarium.models.scripted import HashingEmbedder
from terrarium.retrieval.matches import match_sentences
from terrarium.runtime.protocols import Candidate, Embedder, Reranker
from terrarium.storage.memory import MemoryStore


def document(*blocks: Block, name: str = "rules.md") -> Document:
    return Document((name * 64)[:64], name, "markdown", "", blocks, 1)


RULES = document(
    Block("heading", "Borrowing rules", level=1),
    Block("paragraph", "Members may borrow up to six books for 21 days. Late books cost 20 cents a day."),
    Block("paragraph", "The ferry carries bicycles free of charge. Smoking on the ferry is not allowed at all."),
)


def quoted(
    question: str,
    *documents: Document,
    reranker: Reranker | None = None,
    embedder: Embedder | None = None,
    flags: tuple[Flag, ...] = (),
) -> list[Sentence]:
    async def scenario() -> list[Sentence]:
        library = await Library.open(MemoryStore(), embedder or HashingEmbedder(512))
        for one in documents:
            await library.add(one)
        passages = [
            Passage(library.chunk((info.id, n)), info, 1.0, flags=flags)
            for info in library.documents.values()
            for n in range(info.chunks)
        ]
        matches = await match_sentences(question, passages, library.embedder)
        return list(await quote_passages(question, passages, matches, reranker, Documents(library)))

    return asyncio.run(scenario())


def texts(sentences: Sequence[Sentence]) -> list[str]:
    return [one.text for one in sentences]


def test_the_sentence_that_answers_is_quoted_with_its_place():
    (found,) = quoted("How much do late books cost a day?", RULES)
    assert found.text == "Late books cost 20 cents a day."
    assert found.citations == (1,)
    (span,) = found.spans
    assert RULES.text[span.start : span.end] == span.quote == found.text


def test_what_two_documents_say_in_the_same_words_is_quoted_once():
    copy = replace(RULES, id="b" * 64, name="copy.md")
    assert texts(quoted("How much do late books cost a day?", RULES, copy)) == ["Late books cost 20 cents a day."]


def test_three_sentences_at_most():
    many = document(*(Block("paragraph", f"The fee of the boat number {n} is due.") for n in "abcdef"))
    assert len(quoted("What is the fee of the boat number?", many)) == 3


def test_headings_and_questions_are_never_quoted():
    asked = document(
        Block("heading", "Late books cost a day", level=1),
        Block("paragraph", "How much do late books cost a day?"),
        Block("paragraph", "The price is 20 cents."),
    )
    assert texts(quoted("How much do late books cost a day?", asked)) == ["The price is 20 cents."]


def test_what_is_flagged_is_not_quoted():
    question, late = "How much do late books cost a day?", "Late books cost 20 cents a day."
    start = RULES.text.index(late)  # the chunk begins with the document
    assert late in texts(quoted(question, RULES))
    assert late not in texts(quoted(question, RULES, flags=(Flag("instruction", start, start + len(late)),)))


class Recording:
    """A reranker that likes one candidate and remembers all of them."""

    id = "recording@1"

    def __init__(self, liked: str) -> None:
        self.liked, self.seen = liked, list[Candidate]()

    async def score(self, question: str, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        self.seen += candidates
        return np.array([one.text == self.liked for one in candidates], np.float32)

    def probability(self, score: float) -> float | None:
        return None


def test_the_reranker_decides_by_the_sentences_own_part_of_the_stored_vectors():
    embedder = HashEmbedder(token_dimensions=8)
    liked = "Smoking on the ferry is not allowed at all."
    reranker = Recording(liked)
    assert texts(quoted("How much do late books cost?", RULES, reranker=reranker, embedder=embedder)) == [liked]
    _, alone = asyncio.run(embedder.embed_with_tokens([one.text for one in reranker.seen]))
    sentences = [pair for pair in zip(reranker.seen, alone, strict=True) if pair[0].text.endswith(".")]
    assert len(sentences) == 4
    for candidate, expected in sentences:
        assert candidate.tokens is not None
        np.testing.assert_array_equal(candidate.tokens, expected)  # its tokens stand for themselves in this embedder


LIST = document(
    Block("paragraph", "Some words before. The upper bounds of these are set at compile time:"),
    Block("list_item", "The number of columns in a table"),
    Block("list_item", "The number of terms in a result set"),
    Block("paragraph", "A member may borrow six books. They may be kept for 21 days."),
    Block("paragraph", "The fields are as follows:"),
    Block("code", "minute hour day"),
    Block("table_row", "Install type | RAM | Disk"),
    Block("table_row", "No desktop | 256 MB | 4 GB"),
    Block("table_row", "With desktop | 1 GB | 10 GB"),
)


@pytest.mark.parametrize(
    ("sentence", "quotes"),
    [
        (
            "The number of columns in a table",
            ["The upper bounds of these are set at compile time:", "The number of columns in a table"],
        ),
        ("They may be kept for 21 days.", ["A member may borrow six books. They may be kept for 21 days."]),
        ("A member may borrow six books.", ["A member may borrow six books."]),
        ("The fields are as follows:", ["The fields are as follows:\nminute hour day"]),
        (
            "The upper bounds of these are set at compile time:",
            [
                "The upper bounds of these are set at compile time:\nThe number of columns in a table\n"
                "The number of terms in a result set"
            ],
        ),
        ("With desktop | 1 GB | 10 GB", ["Install type | RAM | Disk", "With desktop | 1 GB | 10 GB"]),
        (
            "Install type | RAM | Disk",
            ["Install type | RAM | Disk\nNo desktop | 256 MB | 4 GB\nWith desktop | 1 GB | 10 GB"],
        ),
    ],
)
def test_a_sentence_comes_with_what_it_needs(sentence: str, quotes: list[str]):
    text = LIST.text
    start = text.index(sentence)
    found = whole(LIST, text, start, start + len(sentence))
    assert [text[one.start : one.end] for one in found] == quotes


def test_a_heading_says_nothing():
    assert whole(RULES, RULES.text, 0, len("Borrowing rules")) == ()


@pytest.mark.parametrize(
    ("question", "holding", "lacking"),
    [
        ("How many books may I borrow?", "Six books may be borrowed.", "Books may be borrowed."),
        ("When does it close?", "It closes on 3 May.", "It closes early."),
        ("Who founded the club?", "The club was founded by Marta Velez.", "The club was founded long ago."),
        ("Wie viele Bücher darf ich ausleihen?", "Man darf sechs Bücher ausleihen.", "Man darf Bücher ausleihen."),
        ("可以借几本书？", "可以借6本书。", "可以借书。"),
    ],
)
def test_what_is_asked_for_is_looked_for(question: str, holding: str, lacking: str):
    assert not lacks_what_is_asked(question, holding)
    assert lacks_what_is_asked(question, lacking)
    assert not lacks_what_is_asked("Why?", lacking)
