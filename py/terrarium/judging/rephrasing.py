"""The question in other words, by the generator: people ask in their own, documents answer in theirs.

What a small model writes is searched for and never shown, so a bad paraphrase costs a search and no more. It is taken
only when it is one question that keeps every name and number and brings a new word.
"""

from __future__ import annotations

from terrarium.generation.generator import GenerationSettings, Generator
from terrarium.generation.prompt import neutralise
from terrarium.questions.wording import content_words, names

SETTINGS = GenerationSettings(max_new_tokens=40)
_TASK = "Say the question in the words that a manual or a contract would use. Write one question and nothing else."
_EXAMPLES = (
    ("My card is gone. What now?", "What is the procedure when a card is lost or stolen?"),
    ("Can I bring the book back later?", "How can the loan period of a book be extended?"),
    ("Was kostet es, wenn ich zu spät komme?", "Welche Gebühr fällt bei Verspätung an?"),
)


async def rephrase(question: str, generator: Generator) -> str | None:
    """Another wording, None when what was written is of no use."""
    written = await generator.write_line(_TASK, _EXAMPLES, neutralise(question), SETTINGS)
    return written if useful(written, question) else None


def useful(written: str, question: str) -> bool:
    """Whether it is one question with the same names and a word of its own."""
    if not written.endswith(("?", "？")) or len(written) > 3 * len(question) + 40:
        return False
    lower = written.casefold()
    kept = all(name.casefold() in lower for name in names(question))
    known = {word.casefold() for word in content_words(question)}
    return kept and any(word.casefold() not in known for word in content_words(written))
