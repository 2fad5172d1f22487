"""What the generator reads: the sentences that bear on the question, within the budget, in the document's order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from terrarium.context import SentenceMatch, best_window, choose_sources, match_sentences
from terrarium.model import Chunk, DocumentInfo, Passage
from terrarium.runtime.scripted import HashingEmbedder

TEXT = "Borrowing\nHow long may I keep a book?\nIt is yours for 21 days. Late books cost 20 cents a day. Be kind."


def passage(text: str, headings: tuple[str, ...] = ()) -> Passage:
    info = DocumentInfo(id="d", name="rules.md", kind="markdown", title="Rules", size=1, chunks=1)
    return Passage(Chunk("d", 0, text, 0, len(text), 0, len(text), headings=headings), info, 1.0)


def matched(question: str, one: Passage) -> dict[str, SentenceMatch]:
    (found,) = asyncio.run(match_sentences(question, [one], HashingEmbedder(512)))
    return {one.chunk.text[match.start : match.end]: match for match in found}


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def test_a_heading_and_a_question_pass_their_closeness_on():
    found = matched("How long may I keep a book?", passage(TEXT, ("Borrowing",)))
    assert found["Borrowing"].label
    assert found["How long may I keep a book?"].label
    answer = found["It is yours for 21 days."]
    assert not answer.label
    assert answer.score > 0.9, "what the question above it is to the person's question"
    assert found["Late books cost 20 cents a day."].score < 0.5, "only the sentence beneath it inherits"


def test_scraps_are_labels():
    assert matched("kind?", passage(TEXT))["Be kind."].label


def test_the_window_grows_towards_the_better_neighbour():
    matches = [SentenceMatch(i, i + 1, score) for i, score in enumerate([0.1, 0.9, 0.5, 0.6])]
    assert best_window(matches, [1, 1, 1, 1], 2) == (1, 2)
    assert best_window(matches, [1, 1, 1, 1], 3) == (1, 3)
    assert best_window(matches, [1, 9, 1, 1], 5) == (1, 1), "the best sentence stays, whatever its length"


def test_sources_keep_to_the_budget_and_to_the_numbers_of_their_passages():
    text = "One two three four. Five six seven eight. Nine ten eleven twelve."
    one = [SentenceMatch(0, 19, 0.9), SentenceMatch(20, 41, 0.5), SentenceMatch(42, len(text), 0.1)]
    sources = choose_sources([passage(text)] * 3, [one, (), one], count_words, 20)
    assert [source.number for source in sources] == [1, 3]
    assert sources[0].text == text[:41]


def test_a_source_carries_its_heading_once():
    text = "Fines\nLate books cost 20 cents a day."
    whole = [SentenceMatch(0, len(text), 1.0)]
    assert choose_sources([passage(text, ("Rules", "Fines"))], [whole], count_words, 100)[0].text == text
    body = passage("Late books cost 20 cents a day.", ("Rules", "Fines"))
    (source,) = choose_sources([body], [[SentenceMatch(0, 31, 1.0)]], count_words, 100)
    assert source.text == "Fines: Late books cost 20 cents a day."
