"""A follow-up question rewritten by the generator, where the rules of `follow_ups.py` only bring its words together.

A model of half a billion parameters answers, translates or invents as readily as it rewrites, so its text is taken
only when code can see that it is a question made of the follow-up's words and words of the earlier turns. Of 16
follow-ups it repeated nearly all as they were, under each of six prompts, and 1 rewriting could be taken: with that
model the rules' question is what is searched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from terrarium.generation.generator import GenerationSettings, Generator
from terrarium.generation.prompt import neutralise
from terrarium.guards.instructions import without_instructions
from terrarium.questions.cleaning import clean_question
from terrarium.questions.follow_ups import Resolved, Turn, resolve
from terrarium.questions.wording import HAN, content_words, grammar_words
from terrarium.runtime.protocols import Progress
from terrarium.text import terms

SETTINGS = GenerationSettings(max_new_tokens=40, repetition_penalty=1.0)
TURNS = 2  # earlier ones that the generator reads
ANSWER = 200  # characters of an earlier answer

_TASK = "Rewrite the last question so that it can be understood alone. Keep its words and add only what it leaves out."
_EXAMPLES = (
    (
        (Turn("How do I renew a library card?", "Bring your passport to the front desk."),),
        "And what does it cost?",
        "What does it cost to renew a library card?",
    ),
    (
        (Turn("When does the last ferry to the island leave?", "The last ferry leaves at 22:15."),),
        "Is there a later one on Fridays?",
        "Is there a later ferry to the island on Fridays?",
    ),
    (
        (Turn("Wie hoch ist die Gebühr für Hunde?", "Die Gebühr beträgt fünf Euro."),),
        "Gilt das auch für Katzen?",
        "Gilt die Gebühr für Hunde auch für Katzen?",
    ),
)


async def understand(
    question: str, turns: Sequence[Turn], generator: Generator | None, progress: Progress | None = None
) -> Resolved:
    """The question as it stands alone: by the rules, and where they are weak by the generator, if there is one.

    `progress` is told when the generator begins: it takes seconds. What in an earlier answer gives a model orders has
    no part in it: a document may have asked for just that to be repeated.
    """
    turns = [replace(turn, answer=without_instructions(turn.answer)) for turn in turns]
    resolved = resolve(question, turns)
    if resolved.weak and generator is not None:
        if progress:
            progress(0, 1)
        return await rewrite(question, turns, generator) or resolved
    return resolved


async def rewrite(question: str, turns: Sequence[Turn], generator: Generator) -> Resolved | None:
    """The follow-up in one question of its own, or None when what the generator wrote cannot be trusted."""
    examples = [(_shown(earlier, asked), whole) for earlier, asked, whole in _EXAMPLES]
    written = await generator.write_line(_TASK, examples, _shown(turns[-TURNS:], question), SETTINGS)
    return Resolved(clean_question(written), "rewritten") if trusted(written, question, turns) else None


def trusted(written: str, question: str, turns: Sequence[Turn]) -> bool:
    """Whether a rewriting is one question that keeps the follow-up's own words and adds only words of earlier turns."""
    if len(re.findall("[?？]", written)) != 1 or not written.endswith(("?", "？")):
        return False
    earlier = " ".join(f"{turn.question} {turn.answer}" for turn in turns)
    new = _carrying(written)
    kept = _carrying(clean_question(question)) <= new
    return kept and new <= _carrying(question) | _carrying(earlier) and _carrying(turns[-1].question) & new != set()


def _carrying(text: str) -> set[str]:
    """The index terms of the words that carry a text, so that “contractor” is “contractors”; of Chinese the characters,
    whose pairs change with every word that comes between.
    """
    words = content_words(text)
    han = {character for word in words for character in word if HAN.match(character)}
    return han | set(terms(" ".join(word for word in words if not HAN.match(word)))) - grammar_words()


def _shown(turns: Sequence[Turn], question: str) -> str:
    lines = []
    for turn in turns:
        lines.append(f"Question: {neutralise(turn.question)}")
        lines.append(f"Answer: {neutralise(turn.answer)[:ANSWER]}")
    return "\n".join([*lines, f"Last question: {neutralise(question)}"])
