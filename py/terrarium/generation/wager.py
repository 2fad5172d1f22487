"""How many guessed tokens are worth checking: what a pass costs on this device against how often guesses come true.

A token that is checked beside another costs `beside` of a pass (an eighth on one WASM thread, a thirtieth at the desk)
and saves a whole pass if it is right. So the j-th is worth it while the chance that the first j are all right exceeds
`beside` by a margin. Both numbers are learned while writing, and kept from one answer to the next.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from statistics import median

# A chance is an average over answers, and some quote nothing. Over 41 answers, with the costs of one WASM thread, the
# unluckiest took 1.3 times as long as without guesses with a margin of 1 and 1.03 times with 3;
# all together gained as much.
MARGIN = 3.0
RECENT = 9  # measurements whose median counts: on a busy machine single ones are far off
FORGET = 20  # passes of one token after which an assumption replaces the oldest measurement of a longer one
ASSUMED = 0.1
MEMORY = 40.0  # trials after which older ones fade


@dataclass(slots=True)
class Rate:
    """A share of hits; it starts with what others' answers showed, as if from `trials` of them."""

    hits: float
    trials: float

    @property
    def share(self) -> float:
        return self.hits / self.trials

    def learn(self, hit: bool) -> None:
        fade = min(1.0, MEMORY / (self.trials + 1))
        self.hits = (self.hits + hit) * fade
        self.trials = (self.trials + 1) * fade


def _rates() -> list[Rate]:
    return [Rate(share * 10, 10) for share in (0.25, 0.6, 0.75, 0.9)]


@dataclass(slots=True)
class Wager:
    """`most` bounds one pass, so that a cancel does not wait long for it; 0 switches guessing off."""

    most: int = 16
    beside: float = ASSUMED  # cost of each further token, in passes of one; at first this, then what was measured
    rates: list[Rate] = field(default_factory=_rates)  # by how many tokens before the guess agreed: 1, 2, …
    _singles: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))  # seconds
    _costs: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))
    _unmeasured: int = 0

    def __post_init__(self) -> None:
        self._costs.extend([self.beside] * RECENT)

    def tokens(self, agreed: int) -> int:
        """How many to check behind a place where `agreed` tokens matched."""
        chance, count = 1.0, 0
        while count < self.most:
            chance *= self._rate(agreed + count).share
            if chance <= self.beside * MARGIN:
                break
            count += 1
        return count

    def learn(self, agreed: int, hit: bool) -> None:
        """A guess behind `agreed` matching tokens came true, or did not; whether it was checked does not matter."""
        self._rate(agreed).learn(hit)

    def learn_time(self, tokens: int, seconds: float) -> None:
        """A pass of so many tokens took so long."""
        if tokens == 1:
            self._singles.append(seconds)
            self._unmeasured += 1
            if self._unmeasured % FORGET == 0:  # or a busy minute could end guessing for good
                self._costs.append(ASSUMED)
        elif self._singles:
            self._costs.append(max((seconds / median(self._singles) - 1) / (tokens - 1), 0.0))
            self._unmeasured = 0
        self.beside = median(self._costs)

    def _rate(self, agreed: int) -> Rate:
        return self.rates[min(agreed, len(self.rates)) - 1]
