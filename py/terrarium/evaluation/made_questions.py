"""Questions made from the library's own passages by the generator, for a person who has none at hand.

They flatter: whoever writes a question with the passage before the eyes takes its words, and a search by words then
finds it. A question that copies a stretch of its passage is therefore thrown away, and every set says how it was made.
Questions are not held against the search (“roundtrip consistency”, Alberti et al. 2019): that would keep exactly those
that are found. No expected answer is made, because the same model would be asked for it.

Without a generator none are made: gaps in sentences and headings with a question mark are nothing that a person asks.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from terrarium.evaluation.question_rows import Row
from terrarium.generation.generator import GenerationSettings, Generator
from terrarium.generation.prompt import neutralise
from terrarium.guards.instructions import without_instructions
from terrarium.library import Library
from terrarium.model import Chunk
from terrarium.questions.wording import content_words, names
from terrarium.sentences import sentence_spans
from terrarium.text import normalise, terms

KIND = "made from a passage"
MOST_MADE = 20
TRIES = 4  # passages looked at for each question that is wanted
SHORTEST, LONGEST = 30, 260  # words of a passage
COPIED = 5  # words in a row that question and passage may share
SETTINGS = GenerationSettings(max_new_tokens=40)

_TASK = (
    "Write the one question that a person would ask who needs what the text says and has never read it. "
    "Use everyday words instead of the words of the text. Write one question and nothing else."
)
_EXAMPLES = (
    (
        "Members may borrow up to six items. The loan period is 21 days; an item that nobody has reserved may be "
        "renewed twice.",
        "How long can I keep a book before I have to bring it back?",
    ),
    (
        "Bicycles are carried free of charge on the lower deck. Motorcycles pay the fare of a passenger car.",
        "What does it cost to take my bike with me?",
    ),
    (
        "Die Hundesteuer beträgt 90 Euro im Jahr und ist zum 15. Februar fällig. Blindenhunde sind befreit.",
        "Bis wann muss ich für meinen Hund zahlen?",
    ),
)
_OF_THE_TEXT = re.compile(r"\b(?:passage|text|document|article|paragraph|author|Abschnitt|Absatz|Dokument)s?\b", re.I)
_WORD = re.compile(r"\w+")


async def make_questions(
    library: Library,
    generator: Generator,
    lock: asyncio.Lock,
    count: int,
    seed: int,
    made: Callable[[Row, int], None],
) -> list[Row]:
    """Up to `count` questions, fewer where the generator writes none that can be used.

    `made` hears each and its number. The lock is taken for one passage at a time.
    """
    found: list[Row] = []
    for chunk in chosen_passages(library, count * TRIES, seed):
        async with lock:
            given = neutralise(without_instructions(chunk.text))
            written = await generator.write_line(_TASK, _EXAMPLES, given, SETTINGS)
        if usable(written, chunk.text) and all(row["question"] != written for row in found):
            found.append(_row(written, chunk, library))
            made(found[-1], len(found))
        if len(found) == count:
            break
    return found


def chosen_passages(library: Library, most: int, seed: int) -> Iterator[Chunk]:
    """Passages of prose, one document after the other, each time another place of it."""
    chance = Random(seed)
    places = {info.id: chance.sample(range(info.chunks), info.chunks) for info in library.documents.values()}
    given = 0
    while any(places.values()) and given < most:
        for document_id, left in places.items():
            while left:
                chunk = library.chunk((document_id, left.pop()))
                if given < most and _is_prose(chunk.text):
                    given += 1
                    yield chunk
                    break


def usable(written: str, passage: str) -> bool:
    """Whether it is one question about what the passage says, with its names and numbers and in words of its own."""
    words = _WORD.findall(normalise(written))
    if len(re.findall("[?？]", written)) != 1 or not written.endswith(("?", "？")) or not 4 <= len(words) <= 30:
        return False
    if _OF_THE_TEXT.search(written):
        return False
    text = normalise(passage)
    if not all(normalise(one) in text for one in [*names(written), *re.findall(r"\d[\d.,]*\d|\d", written)]):
        return False
    return bool(_topics(written) & _topics(passage)) and not _copied(words, _WORD.findall(text))


def _is_prose(text: str) -> bool:
    words = len(text.split())
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return SHORTEST <= words <= LONGEST and letters > 0.85 * len(text) and "|" not in text


def _topics(text: str) -> set[str]:
    return set(terms(" ".join(content_words(text))))


def _copied(question: list[str], passage: list[str]) -> bool:
    """Whether more than `COPIED` words stand in both in the same row."""
    length = COPIED + 1
    runs = {tuple(passage[at : at + length]) for at in range(len(passage) - length + 1)}
    return any(tuple(question[at : at + length]) in runs for at in range(len(question) - length + 1))


def _row(written: str, chunk: Chunk, library: Library) -> Row:
    """With the sentence that shares most words with it as the evidence."""
    asked = _topics(written)
    sentences = [chunk.text[start:end] for start, end in sentence_spans(chunk.text)]
    quote = max(sentences, key=lambda one: len(asked & _topics(one)))
    place: dict[str, Any] = {"file": library.info(chunk.document_id).name.rsplit("/", 1)[-1], "quote": quote}
    if chunk.page is not None and chunk.last_page in (None, chunk.page):
        place["page"] = chunk.page
    return {"kind": KIND, "question": written, "evidence": [place], "answerable": True}
