"""The prompt: two short example turns, then the passages and the cleaned question.

Examples steer a half-billion-parameter model far better than instructions do. None of them shows a question without
an answer. With such an example as the last one the 0.5B said “not found” to 11 of 33 answerable questions over 18
manuals; with it as the first one it gave 6 right answers to the 22 questions whose sources held the answer, without it
11. What is not in the documents is decided by code before and after the model instead (`answering.py`, `support.py`).

Passages are data. `neutralise` breaks whatever in them could be read as a chat marker, a speaker, a fence or a source
number, because a tokenizer turns the text "<|im_end|>" into the control token wherever it stands, and a small model
takes "Question:" at the head of a line for the next one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SYSTEM = (
    "You answer questions from numbered sources. Answer in one or two full sentences that repeat the exact numbers, "
    "names and words of the source, and put the number of the source in square brackets."
)


@dataclass(frozen=True, slots=True)
class Example:
    """One example turn: sources, question, answer."""

    sources: tuple[str, ...]
    question: str
    answer: str


EXAMPLES = (
    Example(
        (
            "Borrowing: Members may borrow up to six books. Each book may be kept for 21 days and renewed twice, "
            "unless somebody has reserved it.",
            "Opening hours: The reading room opens at 9:30 and closes at 19:00 on Fridays.",
        ),
        "How long may a book be kept?",
        "A book may be kept for 21 days and renewed twice, unless somebody has reserved it [1].",
    ),
    Example(
        (
            "Ferry: Smoking is not allowed on board. Dogs must be on a lead.",
            "Bicycles: Bicycles travel free of charge on the lower deck. Motorcycles pay the price of a car.",
        ),
        "I want to bring my bike. What does that cost?",
        "Bicycles travel free of charge on the lower deck [2].",
    ),
)

# Of ChatML, Llama, Gemma and DeepSeek: "<|im_end|>", "<start_of_turn>", "</s>", "<<SYS>>", "<｜User｜>", "[/INST]".
_CHAT_MARKER = re.compile(r"<(?=[|｜/]?\w*[|｜>])|<(?=[|｜])")
_INSTRUCTION_MARKER = re.compile(r"\[(/?INST)\]", re.IGNORECASE)
_SPEAKER = re.compile(
    r"^(\W*(?:system|assistant|user|human|developer|tool|questions?|sources?|answers?))[ \t]*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"`{3,}|~{3,}|\"{3,}|#{3,}")
_SOURCE_NUMBER = re.compile(r"[\[【［](\d{1,2}(?:\s*[,;-]\s*\d{1,2})*)[\]】］]")
# Zero width, soft hyphen, direction marks and Unicode tags: they hide text from people, not from a tokenizer.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def neutralise(text: str) -> str:
    """The text as one line of data: nothing in it opens a turn, speaks for anybody or numbers a source."""
    text = _INVISIBLE.sub("", text)
    text = _SPEAKER.sub(r"\1 –", text)
    text = _INSTRUCTION_MARKER.sub(r"(\1)", _CHAT_MARKER.sub("‹", text))
    return " ".join(_SOURCE_NUMBER.sub(r"(\1)", _FENCE.sub(" ", text)).split())


def _sources(texts: Sequence[str]) -> str:
    return "Sources:\n" + "\n".join(f"[{number}] {text}" for number, text in enumerate(texts, start=1))


_ANSWERING = "<|im_start|>assistant\n"  # what follows is the model's


def chat_turn(role: str, text: str) -> str:
    """One turn in ChatML."""
    return f"<|im_start|>{role}\n{text}<|im_end|>\n"


def prompt_prefix() -> str:
    """What every prompt starts with (ChatML). It never changes, so its keys and values are computed once.

    It ends behind "user\\n": a newline before a letter is a token border for the byte-level BPE in use, so prefix and
    rest may be tokenized apart.
    """
    turns = [chat_turn("system", _SYSTEM)]
    for example in EXAMPLES:
        turns.append(chat_turn("user", f"{_sources(example.sources)}\n\nQuestion: {example.question}"))
        turns.append(chat_turn("assistant", example.answer))
    return "".join(turns) + "<|im_start|>user\n"


def prompt_rest(sources: Sequence[str], question: str) -> str:
    """What follows `prompt_prefix`: numbered sources, question, and the assistant's opening marker."""
    texts = [neutralise(source) for source in sources]
    return f"{_sources(texts)}\n\nQuestion: {neutralise(question)}<|im_end|>\n{_ANSWERING}"


def shown_by_examples(task: str, examples: Sequence[tuple[str, str]]) -> str:
    """A prompt's beginning for another task than answering: what to do, and (given, written) of some turns."""
    turns = [chat_turn("user", given) + chat_turn("assistant", written) for given, written in examples]
    return chat_turn("system", task) + "".join(turns)


def given_to(text: str) -> str:
    """What follows `shown_by_examples`: the turn to be answered like them."""
    return chat_turn("user", text) + _ANSWERING
