"""What speaks for and against the passages found: signals from 0 to 1, of which `judge.py` makes a probability.

Each is one number that a person can understand, and none depends on how large the library is. What is missing says
more than what is there: a question about MongoDB over manuals that never name it shares every other word with them.
(Corrective RAG, Yan et al. 2024, arXiv:2401.15884, asks a fine-tuned T5 instead.)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from terrarium.library import Library
from terrarium.model import Passage
from terrarium.questions.asked import AskedWord, asked_words, question_language
from terrarium.retrieval.funnel import Retrieval
from terrarium.retrieval.matches import SentenceMatch, closeness
from terrarium.text import terms

_PART = re.compile(r"[^\W_]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
AGREEING = 10  # places of each ranking in which the two retrievers may agree


@dataclass(frozen=True, slots=True)
class Weighed:
    """A word of the question with how many chunks of the library hold it, and its weight: rarer ones count more."""

    word: AskedWord
    rare: bool  # a name, or no whole word of the embedder's vocabulary: hardly ever another word for something known
    chunks: int
    weight: float  # inverse document frequency as a share of the largest, 1 for a word that no chunk holds
    covered: bool  # by one of the passages


class Evidence:
    """The passages found for one question, held against its words."""

    def __init__(
        self,
        question: str,
        retrieval: Retrieval,
        passages: Sequence[Passage],
        matches: Sequence[Sequence[SentenceMatch]],
        library: Library,
    ) -> None:
        self.question = question
        self._retrieval, self._passages, self._matches, self._library = retrieval, passages, matches, library
        self._asked = asked_words(question)

    @cached_property
    def words(self) -> tuple[Weighed, ...]:
        lexical = self._library.lexical
        every = lexical.chunks
        most = math.log1p((every + 0.5) / 0.5)
        held = [self._held_by(passage) for passage in self._passages]
        found = []
        for word, rare in zip(self._asked, self._rare(), strict=True):
            forms = [self._forms(word, language) for language in self._languages]
            chunks = max(_chunks_with(one, lexical.chunks_with) for one in forms)
            weight = math.log1p((every - chunks + 0.5) / (chunks + 0.5)) / most
            found.append(Weighed(word, rare, chunks, weight, any(word.text in one for one in held)))
        return tuple(found)

    @cached_property
    def profile(self) -> str:
        """Which signals may be trusted: "reranked", "dense", "words" (no vectors of use), "meaning" (no words)."""
        asked = question_language(self.question)
        first = self._passages[0].document.language if self._passages else ""
        if not (self._known(asked) and self._known(first) and self._retrieval.stages.get("dense")):
            return "words"
        if asked and asked not in {passage.document.language or asked for passage in self._passages}:
            return "meaning"
        return "reranked" if "relevant" in self.signals else "dense"

    @cached_property
    def signals(self) -> dict[str, float]:
        """By name. Only those that can be computed: without a reranker there is no "relevant"."""
        found = {
            "coverage": max((self._share(self._held_by(passage)) for passage in self._passages), default=0.0),
            "coverage_together": self._share({w.word.text for w in self.words if w.covered}),
            "focus": max((self._share(held) for held in self._places()), default=0.0),
            "missing": max((w.weight for w in self.words if not w.covered), default=0.0),
            "unknown": max((w.weight for w in self.words if not w.chunks), default=0.0),
            "unknown_share": self._share({w.word.text for w in self.words if not w.chunks}),
            "missing_rare": max((w.weight for w in self.words if w.rare and not w.covered), default=0.0),
            "missing_names": min(sum(w.word.name and not w.covered for w in self.words) / 2, 1.0),
        }
        if dense := self._retrieval.stages.get("dense"):
            found |= self._of_meaning([score for _, score in dense])
        return found | self._of_reranker()

    def _of_meaning(self, cosines: Sequence[float]) -> dict[str, float]:
        unrelated = self._library.embedder.unrelated
        scores = (np.array(cosines) - unrelated) / (1 - unrelated)
        lexical = [key for key, _ in self._retrieval.stages.get("lexical", ())[:AGREEING]]
        dense = [key for key, _ in self._retrieval.stages["dense"][:AGREEING]]
        few = min(len(lexical), len(dense))
        return {
            "cosine": float(scores[0]),
            # How far the best stands out from what any question would find: the score of itself says little.
            "margin": float(scores[0] - np.median(scores)),
            "agreement": len(set(lexical) & set(dense)) / few if few else 0.0,
            "same_first": float(bool(lexical) and lexical[0] == dense[0]),
            "closeness": closeness(self._matches),
        }

    def _of_reranker(self) -> dict[str, float]:
        """Of passages in the languages that its embedder knows; nothing without any."""
        judged = self._retrieval.probabilities.items()
        best = sorted((p for key, p in judged if self._known(self._library.info(key[0]).language)), reverse=True)
        odds = [max(-1.0, min(1.0, math.log(p / (1 - p)) / 6)) for p in np.clip(best, 1e-6, 1 - 1e-6)]
        return {"relevant": odds[0], "relevant_margin": odds[0] - float(np.median(odds))} if odds else {}

    def _known(self, language: str) -> bool:
        """Whether the embedder reads it; of one that reads many, or of a language that nobody knows, it is taken to."""
        spoken = self._library.embedder.languages
        return not spoken or not language or language in spoken

    def _rare(self) -> list[bool]:
        parts = [_PART.findall(word.text) for word in self._asked]
        ids = self._library.embedder.tokenizer.encode_batch([part for one in parts for part in one], special=False)
        pieces = iter([len(one) for one in ids])
        counts = [[next(pieces) for _ in one] for one in parts]
        return [
            word.name or (not _HAN.search(word.text) and max(one, default=0) > 1)
            for word, one in zip(self._asked, counts, strict=True)
        ]

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        """Of the documents: each language stems its words in its own way."""
        return tuple(self._library.lexical.languages) or ("",)

    def _forms(self, word: AskedWord, language: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(terms(word.text, language, singles=False)))

    def _held_by(self, passage: Passage) -> set[str]:
        """The question's words that a passage holds, its headings and its document's title included."""
        chunk = passage.chunk
        return self._held(
            "\n".join((passage.document.title, *chunk.headings, chunk.lead, chunk.text)), passage.document.language
        )

    def _held(self, text: str, language: str) -> set[str]:
        known = set(terms(text, language))
        return {word.text for word in self._asked if _holds(known, self._forms(word, language))}

    def _places(self) -> list[set[str]]:
        """What each sentence holds together with its neighbours and headings."""
        found = []
        for passage, sentences in zip(self._passages, self._matches, strict=True):
            chunk, language = passage.chunk, passage.document.language
            above = self._held("\n".join((passage.document.title, *chunk.headings, chunk.lead)), language)
            held = [self._held(chunk.text[match.start : match.end], language) for match in sentences]
            found += [above.union(*held[max(at - 1, 0) : at + 2]) for at in range(len(held))]
        return found

    def _share(self, held: set[str]) -> float:
        """Of the weight of the question's words."""
        total = sum(w.weight for w in self.words)
        return sum(w.weight for w in self.words if w.word.text in held) / total if total else 0.0


def _holds(known: set[str], forms: Sequence[str]) -> bool:
    """At least half of a word's terms: an identifier comes whole and in parts, an accented word in two spellings."""
    return bool(forms) and 2 * sum(form in known for form in forms) >= len(forms)


def _chunks_with(forms: Sequence[str], count: Callable[[str], int]) -> int:
    """In how many chunks a word can stand at most, by the same rule."""
    if not forms:
        return 0
    return sorted(map(count, forms), reverse=True)[(len(forms) + 1) // 2 - 1]
