"""Whether a text states the fact that a question asks for, told from what the question's author wrote down.

`must_mention` are patterns that a right answer holds, each of them: regular expressions, so that “seven|7” or
“fast (boot|startup)” leave a choice. Without them the reference answers count: a short one must stand in the text, of
a long one enough content words must. Both compare words: a right answer in other words is missed, and a wrong one
that holds the words passes. docs/evaluation.md says how often that agrees with a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from terrarium.answers.quantities import numbers_in
from terrarium.answers.words import content_words
from terrarium.evaluation.questions import Question, holds, shows
from terrarium.model import Passage
from terrarium.text import normalise

SHORT = 4  # content words of a reference answer that is expected as it is
ENOUGH = 0.25  # of a long reference's content words that the question does not have
DISTINCT = 3  # characters of a pattern that does not stand in any passage by chance


def states_fact(question: Question, text: str) -> bool | None:
    """Whether `text` answers the question rightly; None where nothing is known of the answer."""
    if question.must_mention:
        return all(_mentions(text, pattern) for pattern in question.must_mention)
    if question.answers:
        return any(_holds_reference(text, reference, question.text) for reference in question.answers)
    return None


def carries_fact(question: Question, passage: Passage, text: str) -> bool | None:
    """Whether a cited passage (its text maybe wider than its chunk) holds the fact; None where no place is known.

    It does when it shows the evidence, belongs to a relevant document of a collection, or holds all patterns of the
    answer, where these are long enough to mean something.
    """
    if not (question.evidence or question.gains):
        return None
    if any(holds(passage, one) or shows(text, passage.document.name, one) for one in question.evidence):
        return True
    if question.gains.get(passage.document.name, 0) > 0:
        return True
    patterns = question.must_mention
    telling = bool(patterns) and all(len(one) >= DISTINCT for entry in patterns for one in entry.split("|"))
    return telling and all(_mentions(text, pattern) for pattern in patterns)


def reference_share(text: str, reference: str, question: str) -> float:
    """Of the reference's content words and numbers that the question does not have, the share in `text`."""
    wanted = (content_words(reference) | numbers_in(reference)) - content_words(question) - numbers_in(question)
    found = content_words(text) | numbers_in(text)
    return len(wanted & found) / len(wanted) if wanted else float(normalise(reference) in normalise(text))


def _holds_reference(text: str, reference: str, question: str) -> bool:
    if len(content_words(reference)) <= SHORT:
        return re.search(rf"(?<!\w){re.escape(normalise(reference).strip('. '))}(?!\w)", normalise(text)) is not None
    return reference_share(text, reference, question) >= ENOUGH


def _mentions(text: str, pattern: str) -> bool:
    return _compiled(pattern).search(normalise(text)) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """At the beginning of a word; figures and words of up to three letters as whole words: “no” is not in “know”."""
    alternatives: Sequence[str] = [pattern] if "(" in pattern else pattern.split("|")
    bounded = [
        (r"(?<!\w)" if re.match(r"\w", one) else "")
        + f"(?:{one})"
        + (r"(?!\w)" if re.fullmatch(r"\w{1,3}|\d+", one) else "")
        for one in map(str.casefold, alternatives)
    ]
    try:
        return re.compile("|".join(bounded))
    except re.error:  # a person's own question may hold anything
        return re.compile(re.escape(pattern.casefold()))
