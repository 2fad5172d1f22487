"""The other judge that was tried: a generator is shown examples and asked whether a text states a sentence, yes or no.

The probability is that of “yes” against “no” as the next token (as in Nogueira et al., "Document Ranking with a
Pretrained Sequence-to-Sequence Model", 2020). `models/local-judge.md` says what it gave.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from terrarium.generation.prefill import Pace, prefill
from terrarium.generation.prompt import chat_turn, given_to, neutralise
from terrarium.runtime.protocols import Cache, Decoder

_TASK = "Does the text say what the claim says? Answer yes or no."
_SHOWN = (
    ("Members may borrow up to six books for 21 days.", "A member may borrow six books.", "yes"),
    ("Members may borrow up to six books for 21 days.", "A member may borrow six books for 30 days.", "no"),
    ("The bridge was opened in 1931. Anna Keller designed the tower.", "Anna Keller designed the bridge.", "no"),
    ("Bicycles travel free of charge, dogs do not.", "Bicycles travel free of charge.", "yes"),
    ("Smoking is not allowed on board.", "Dogs must be on a lead on board.", "no"),
    ("The museum, built in 1880, closes at five on Sundays.", "The museum closes at 5 on Sundays.", "yes"),
)
_AT_ONCE = Pace(tokens=128, least=128, most=128)


class YesNoJudge:
    """The Judge of `terrarium.evaluation.ragas` over a decoder that follows ChatML."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._yes, self._no = (self._encode(word)[0] for word in ("yes", "no"))
        self._prefix: Cache | None = None

    @property
    def id(self) -> str:
        return f"yes or no by {self._decoder.id}"

    async def supported(self, statement: str, contexts: Sequence[str]) -> float:
        """The largest probability that one of the contexts gives."""
        return max([await self._one(statement, context) for context in contexts], default=0.0)

    async def _one(self, statement: str, context: str) -> float:
        if self._prefix is None:
            turns = [
                chat_turn("user", _given(text, claim)) + chat_turn("assistant", said) for text, claim, said in _SHOWN
            ]
            ids = self._encode(chat_turn("system", _TASK) + "".join(turns))
            _, self._prefix = await prefill(self._decoder, ids, None, _AT_ONCE)
        logits, _ = await prefill(
            self._decoder, self._encode(given_to(_given(context, statement))), self._prefix, _AT_ONCE
        )
        return 1 / (1 + math.exp(-float(logits[self._yes] - logits[self._no])))

    def _encode(self, text: str) -> list[int]:
        return [int(i) for i in self._decoder.tokenizer.encode_batch([text], special=False)[0]]


def _given(text: str, claim: str) -> str:
    return f"Text: {neutralise(text)}\n\nClaim: {neutralise(claim)}"
