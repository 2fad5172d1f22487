"""The prompt: three short example turns, then the passages and the cleaned question.

Examples steer a half-billion-parameter model far better than instructions do: of twelve hand-written questions
the 0.5B answered seven with three examples and one to three with instructions alone. The third example shows a
question that the sources do not answer.

Passages are data. `neutralise` breaks whatever in them could be read as a chat marker or a source number, because
a tokenizer turns the text "<|im_end|>" into the control token wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

NOT_FOUND = "Not found in the documents."

_SYSTEM = (
    "You answer questions from numbered sources. Write one or two full sentences and put the number of the source in "
    f"square brackets after each. If the sources do not contain the answer, say: {NOT_FOUND}"
)


@dataclass(frozen=True, slots=True)
class Example:
    """One example turn: sources, question, answer."""

    sources: tuple[str, ...]
    question: str
    answer: str


EXAMPLES = (
    Example(
        ("Members may borrow up to six books for 21 days.", "The reading room closes at 19:00 on Fridays."),
        "How many books may a member borrow at once?",
        "A member may borrow up to six books at once [1].",
    ),
    Example(
        ("Smoking is not allowed on the ferry.", "Bicycles travel free of charge on the lower deck."),
        "Can I take my bike on board, and what does it cost?",
        "Yes, bicycles may be taken on the lower deck, free of charge [2].",
    ),
    Example(
        ("The bridge is 310 metres long.", "The bridge was painted green in 2010."),
        "Who designed the bridge?",
        NOT_FOUND,
    ),
)

_CHAT_MARKER = re.compile(r"<(?=[|/]?\w*[|>])|<(?=\|)")
_SOURCE_NUMBER = re.compile(r"\[(\d{1,2})\]")


def neutralise(text: str) -> str:
    """The text as one line of data: no chat markers, no bracketed numbers that look like a source's."""
    text = _CHAT_MARKER.sub("‹", text)
    return " ".join(_SOURCE_NUMBER.sub(r"(\1)", text).split())


def _sources(texts: Sequence[str]) -> str:
    return "Sources:\n" + "\n".join(f"[{number}] {text}" for number, text in enumerate(texts, start=1))


def _turn(role: str, text: str) -> str:
    return f"<|im_start|>{role}\n{text}<|im_end|>\n"


def prompt_prefix() -> str:
    """What every prompt starts with (ChatML). It never changes, so its keys and values are computed once.

    It ends behind "user\\n": a newline before a letter is a token border for the byte-level BPE in use, so prefix and
    rest may be tokenized apart.
    """
    turns = [_turn("system", _SYSTEM)]
    for example in EXAMPLES:
        turns.append(_turn("user", f"{_sources(example.sources)}\n\nQuestion: {example.question}"))
        turns.append(_turn("assistant", example.answer))
    return "".join(turns) + "<|im_start|>user\n"


def prompt_rest(sources: Sequence[str], question: str) -> str:
    """What follows `prompt_prefix`: numbered sources, question, and the assistant's opening marker."""
    texts = [neutralise(source) for source in sources]
    return f"{_sources(texts)}\n\nQuestion: {neutralise(question)}<|im_end|>\n<|im_start|>assistant\n"
