"""What the generator reads: the sentences that bear on the question, within the budget, in the document's order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from terrarium.model import Chunk, DocumentInfo, Passage
from terrarium.models.scripted import HashingEmbedder
from terrarium.retrieval.context import Source, choose_sources
from terrarium.retrieval.matches import SentenceMatch, match_sentences
from terrarium.retrieval.strips import best_window
from terrarium.sentences import sentence_spans

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


def test_what_leads_into_a_question_in_its_line_is_part_of_it():
    asked = "I deleted many rows but the file did not get smaller."
    text = f"{asked} Is this a bug?\nNo, the unused space is kept for rows that come later. Run VACUUM to shrink it."
    found = matched(asked, passage(text))
    assert found[asked].label
    assert not found["No, the unused space is kept for rows that come later."].label
    long = f"{asked} {'The rows were old and nobody had read them for years. ' * 5}Who needs them?"
    assert not matched(asked, passage(long))[asked].label, "a paragraph that ends in a question tells something"


def test_scraps_are_labels():
    assert matched("kind?", passage(TEXT))["Be kind."].label


def test_the_window_grows_towards_the_better_neighbour():
    scores = [0.1, 0.9, 0.5, 0.6]
    assert best_window(scores, [1, 1, 1, 1], 2) == (1, 2)
    assert best_window(scores, [1, 1, 1, 1], 3) == (1, 3)
    assert best_window(scores, [1, 9, 1, 1], 5) == (1, 1), "the best sentence stays, whatever its length"


def chosen(
    passages: Sequence[Passage], matches: Sequence[Sequence[SentenceMatch]], budget: int, text: str = ""
) -> list[Source]:
    texts = {one.document.id: one.chunk.text for one in passages}

    def text_of(document: str) -> str:
        return text or texts[document]

    return asyncio.run(choose_sources(passages, matches, count_words, budget, text_of, HashingEmbedder()))


def test_sources_keep_to_the_budget_and_to_the_numbers_of_their_passages():
    text = "One two three four. Five six seven eight. Nine ten eleven twelve."
    one = [SentenceMatch(0, 19, 0.9), SentenceMatch(20, 41, 0.5), SentenceMatch(42, len(text), 0.1)]
    passages = [replace(passage(text), document=replace(passage(text).document, id=name)) for name in "abc"]
    sources = chosen(passages, [one, (), one], 12)
    assert [source.number for source in sources] == [1, 3]
    assert [source.text for source in sources] == [text[:41], text[:19]]
    assert (sources[0].start, sources[0].end) == (0, 41)


def test_a_source_carries_its_heading_once():
    text = "Fines\nLate books cost 20 cents a day."
    whole = [SentenceMatch(0, len(text), 1.0)]
    assert chosen([passage(text, ("Rules", "Fines"))], [whole], 100)[0].text == text
    body = passage("Late books cost 20 cents a day.", ("Rules", "Fines"))
    (source,) = chosen([body], [[SentenceMatch(0, 31, 1.0)]], 100)
    assert source.text == "Fines: Late books cost 20 cents a day."


SECTION = "Alpha one two three. Beta one two three. Gamma one two three. Delta one two three. Epsilon one two three."
OUTSIDE = "Before it all. "
WHOLE = OUTSIDE + SECTION + " After it all."


def part(word: str, last: str = "") -> Passage:
    """The passage of the section that begins with one sentence and ends with another."""
    start = WHOLE.index(word)
    end = WHOLE.index(".", WHOLE.index(last or word)) + 1
    whole = passage(WHOLE[start:end])
    low, high = len(OUTSIDE), len(OUTSIDE + SECTION)
    return replace(whole, chunk=replace(whole.chunk, start=start, end=end, parent_start=low, parent_end=high))


def all_of(one: Passage) -> list[SentenceMatch]:
    return [SentenceMatch(0, len(one.chunk.text), 1.0)]


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        (4, "Gamma one two three."),
        (11, "Gamma one two three. Delta one two three."),
        (12, "Beta one two three. Gamma one two three. Delta one two three."),
        (500, SECTION),  # and nothing beyond the section
    ],
)
def test_a_short_passage_comes_with_its_neighbours(budget: int, expected: str) -> None:
    gamma = part("Gamma")
    (source,) = chosen([gamma], [all_of(gamma)], budget, WHOLE)
    assert source.text == expected == WHOLE[source.start : source.end]
    chunk = source.passage.chunk
    assert chunk.text == WHOLE[chunk.start : chunk.end]
    assert chunk.start <= source.start < source.end <= chunk.end


def test_the_rest_of_the_passage_comes_before_what_surrounds_it():
    beta = part("Beta", "Delta")
    found = [SentenceMatch(0, 19, 0.1), SentenceMatch(20, 40, 0.2), SentenceMatch(41, 61, 0.9)]
    (source,) = chosen([beta], [found], 12, WHOLE)
    assert source.text == "Beta one two three. Gamma one two three. Delta one two three."


def test_no_two_sources_say_the_same():
    beta, delta = part("Beta"), part("Delta")
    sources = chosen([beta, delta], [all_of(beta), all_of(delta)], 500, WHOLE)
    spans = sorted((source.start, source.end) for source in sources)
    assert spans[0][1] <= spans[1][0]
    assert "".join(source.text for source in sources).count("Gamma") == 1


def test_three_are_read_in_the_order_of_their_rank():
    passages = [replace(passage(TEXT), document=replace(passage(TEXT).document, id=name)) for name in "abcd"]
    passages = [replace(one, chunk=replace(one.chunk, document_id=one.document.id)) for one in passages]
    matches = [[SentenceMatch(0, len(TEXT), 1.0)]] * 4
    assert [source.number for source in chosen(passages, matches, 500)] == [1, 2, 3]
    assert [source.number for source in chosen(passages[:2], matches[:2], 500)] == [1, 2]
    assert chosen([], [], 500) == []


def test_the_line_that_leads_in_is_said_where_the_strip_does_not_reach_it():
    text = "Tool | Torque\nA4 | 20 Nm\nB7 | 25 Nm"
    start = text.index("B7")
    row = passage(text[start:])
    row = replace(
        row,
        chunk=replace(row.chunk, start=start, end=len(text), parent_start=start, lead="Tool | Torque", lead_start=0),
    )
    (source,) = chosen([row], [all_of(row)], 100, text)
    assert source.text == "Tool | Torque B7 | 25 Nm"
    whole = replace(row, chunk=replace(row.chunk, parent_start=0))
    (source,) = chosen([whole], [all_of(whole)], 100, text)
    assert source.text == text


def sentences_of(one: Passage) -> list[SentenceMatch]:
    spans = sentence_spans(one.chunk.text)
    return [SentenceMatch(start, end, 1.0 - 0.1 * place) for place, (start, end) in enumerate(spans)]


def test_what_two_chunks_share_is_read_once():
    one, other = part("Alpha", "Gamma"), part("Gamma", "Epsilon")
    sources = chosen([one, other], [sentences_of(one), sentences_of(other)], 500, WHOLE)
    assert [source.text for source in sources] == [SECTION[:62].strip(), SECTION[62:].strip()]


def test_a_chunk_whose_sentences_were_all_read_is_no_source():
    whole, inside = part("Alpha", "Delta"), part("Beta", "Gamma")
    sources = chosen([whole, inside], [sentences_of(whole), sentences_of(inside)], 500, WHOLE)
    assert [source.number for source in sources] == [1]


@pytest.mark.parametrize(("first", "expected"), [("Epsilon", "Alpha one two three. Gamma"), ("Alpha", "Gamma")])
def test_a_lead_is_shown_unless_another_source_holds_it(first: str, expected: str):
    gamma, other = part("Gamma"), part(first)
    lead = WHOLE.index("Alpha")
    gamma = replace(gamma, chunk=replace(gamma.chunk, lead="Alpha one two three.", lead_start=lead))
    sources = chosen([other, gamma], [sentences_of(other), sentences_of(gamma)], 9, WHOLE)
    assert {source.number: source.text for source in sources}[2].startswith(expected)
