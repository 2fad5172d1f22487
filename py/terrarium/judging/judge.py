"""The judge: does what was found answer the question? A calibrated probability, one of three verdicts, and why.

Logistic regression over the signals of `signals.py`, its weights and thresholds in `judge.toml`, which
`terrarium_build.judging` makes of development questions; `models/judge.md` says how good it is. Which signals there are
depends on what ran, so there are weights for each case (a profile). What it cannot do: tell a question whose answer is
missing from one that is answered in the same words nearby. The checks after writing are for that.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from terrarium.judging.signals import Evidence
from terrarium.model import Judgement, Verdict
from terrarium.questions.demands import demanded
from terrarium.questions.scope import REASONS, requested

FOREIGN = 0.75  # share of the question's weight in words that the library never uses: it is about something else
NAMED = 3  # words that a reason names at most


@dataclass(frozen=True, slots=True)
class Profile:
    """probability = 1 / (1 + exp(-(intercept + Σ weight · signal)))."""

    intercept: float
    weights: Mapping[str, float]
    correct: float  # from this probability on
    incorrect: float  # below this probability

    def probability(self, signals: Mapping[str, float]) -> float:
        total = self.intercept + sum(weight * signals[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, total))))

    def verdict(self, probability: float) -> Verdict:
        if probability < self.incorrect:
            return "incorrect"
        return "correct" if probability >= self.correct else "ambiguous"


@cache
def profiles() -> dict[str, Profile]:
    """By name, as the package brings them."""
    return read_profiles(files("terrarium.judging").joinpath("judge.toml").read_text(encoding="utf-8"))


def read_profiles(text: str) -> dict[str, Profile]:
    table: dict[str, Any] = tomllib.loads(text)
    keys = ("intercept", "weights", "correct", "incorrect")
    return {name: Profile(**{key: one[key] for key in keys}) for name, one in table["profiles"].items()}


def judge(evidence: Evidence) -> Judgement:
    """The judgement on what was found; `out_of_scope` only with the verdict "incorrect"."""
    signals = evidence.signals
    profile = profiles()[evidence.profile]
    probability = profile.probability(signals)
    if demanded(evidence.question):  # the refusal says why
        return Judgement("incorrect", min(probability, profile.incorrect), (), signals, True)
    verdict = profile.verdict(probability)
    request = requested(evidence.question)
    carried = verdict == "correct" and signals["coverage"] == 1.0
    if request and not carried:
        return Judgement("incorrect", min(probability, profile.incorrect), (REASONS[request],), signals, True)
    if evidence.profile == "meaning":  # another language than the documents': words say nothing
        reasons = () if verdict == "correct" else (_FAR,)
        return Judgement(verdict, probability, reasons, signals)
    foreign = signals["unknown_share"]
    if evidence.words and foreign == 1.0:
        return Judgement("incorrect", min(probability, profile.incorrect), (_none(evidence),), signals, True)
    why = () if verdict == "correct" else _reasons(evidence)
    return Judgement(verdict, probability, why, signals, verdict == "incorrect" and foreign >= FOREIGN)


_FAR = "No sentence of the documents comes close to the question."


def _reasons(evidence: Evidence) -> tuple[str, ...]:
    """What the question names and the documents do not, the rarest first."""
    ordered = sorted((w for w in evidence.words if not w.covered), key=lambda w: (-w.word.name, -w.weight))
    unknown = [w.word.text for w in ordered if not w.chunks][:NAMED]
    apart = [w.word.text for w in ordered if w.chunks][:NAMED]
    reasons = []
    if unknown:
        reasons.append(f"{_listed(unknown)} in none of your documents.")
    if apart:
        reasons.append(f"{_listed(apart)} in your documents, but not in the passages that come closest.")
    return tuple(reasons) or (_FAR,)


def _none(evidence: Evidence) -> str:
    if len(evidence.words) == 1:
        return f"{_listed([evidence.words[0].word.text])} in none of your documents."
    return "None of the words that the question is about stands in your documents."


def _listed(words: list[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    if len(quoted) == 1:
        return f"The word {quoted[0]} stands"
    return f"The words {', '.join(quoted[:-1])} and {quoted[-1]} stand"
