"""What the page sends with a question, checked: nothing behind this meets an argument that it does not expect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from terrarium.errors import TerrariumError
from terrarium.filters import Filter
from terrarium.questions.follow_ups import Turn

Mode = Literal["both", "answer", "quote"]

MOST_TURNS = 8  # more is kept of no conversation: the newest count
MOST_PASSAGES = 100


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the library. `turns` are the earlier ones of its conversation, the newest last."""

    question: str
    mode: Mode = "both"
    turns: tuple[Turn, ...] = ()
    filter: Filter | None = None
    limit: int = 10  # passages, for `search`

    @classmethod
    def of(cls, args: Mapping[str, Any]) -> Request:
        """From {question, mode?, turns?: [{question, answer?}], filter?, limit?}; see `Filter.of`.

        Raises TerrariumError with a sentence that says which argument is wrong and what it may be.
        """
        question, mode, limit = args.get("question"), args.get("mode", "both"), args.get("limit", 10)
        if not isinstance(question, str) or not question.strip():
            raise TerrariumError("There is no question. Type one, then ask again.")
        if mode not in get_args(Mode):
            raise TerrariumError(f"The kind of answer “{mode}” is not known. It is “both”, “answer” or “quote”.")
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_PASSAGES:
            raise TerrariumError(
                f"The limit “{limit}” is not understood. It is a whole number from 1 to {MOST_PASSAGES}."
            )
        given = args.get("filter")
        if given is not None and not isinstance(given, Mapping):
            raise TerrariumError(
                "The filter is not understood. It is an object of conditions, such as {“kinds”: [“pdf”]}."
            )
        return cls(question, mode, _turns(args.get("turns") or []), Filter.of(given), limit)


def _turns(given: Any) -> tuple[Turn, ...]:
    if not isinstance(given, list | tuple) or not all(
        isinstance(one, Mapping) and isinstance(one.get("question"), str) and isinstance(one.get("answer", ""), str)
        for one in given
    ):
        raise TerrariumError("The earlier turns are not understood. They are a list of {question, answer}, both texts.")
    return tuple(Turn(one["question"], one.get("answer", "")) for one in given[-MOST_TURNS:])
