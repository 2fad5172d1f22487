"""From signals to a verdict, and the fit of its weights against what can be worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.unit.test_evidence import evidence

from terrarium.judging.judge import Profile, judge, profiles
from terrarium_build.judging.fit import PROFILES, SIGNS, fit
from terrarium_build.judging.sets import is_development
from terrarium_build.judging.toml import written

PROFILE = Profile(intercept=-1.0, weights={"coverage": 2.0, "missing": -0.5}, correct=0.7, incorrect=0.3)


def test_a_probability_is_the_logistic_function_of_the_weighed_signals():
    p = PROFILE.probability({"coverage": 0.8, "missing": 0.4, "focus": 1.0})
    assert p == pytest.approx(1 / (1 + math.exp(-(-1.0 + 2.0 * 0.8 - 0.5 * 0.4))))


@pytest.mark.parametrize(
    ("p", "verdict"), [(0.29, "incorrect"), (0.3, "ambiguous"), (0.69, "ambiguous"), (0.7, "correct")]
)
def test_two_thresholds_make_three_verdicts(p: float, verdict: str):
    assert PROFILE.verdict(p) == verdict


def test_the_profiles_of_the_package_know_their_signals_and_thresholds():
    assert set(profiles()) == set(PROFILES)
    for name, profile in profiles().items():
        assert set(profile.weights) <= set(PROFILES[name])
        assert 0 < profile.incorrect < profile.correct < 1
        assert all(SIGNS[signal] * weight >= 0 for signal, weight in profile.weights.items())


def test_more_of_the_question_in_the_passages_never_counts_against_them():
    profile = profiles()["dense"]
    low = dict.fromkeys(PROFILES["dense"], 0.0) | {"missing": 1.0, "unknown": 1.0, "unknown_share": 1.0}
    high = dict.fromkeys(PROFILES["dense"], 1.0) | {"missing": 0.0, "unknown": 0.0, "unknown_share": 0.0}
    assert profile.verdict(profile.probability(low)) == "incorrect"
    assert profile.verdict(profile.probability(high | {"missing_names": 0.0})) == "correct"


def test_what_no_document_names_is_named():
    judgement = judge(evidence("Which port does MongoDB open on Kubernetes?"))
    assert judgement.verdict == "incorrect"
    assert judgement.out_of_scope
    assert "None of the words" in judgement.reasons[0]
    alone = judge(evidence("What is MongoDB?"))
    assert alone.reasons == ("The word “MongoDB” stands in none of your documents.",)


def test_a_request_is_refused_even_where_its_words_stand():
    judgement = judge(evidence("Write me a poem about dogs and bicycles."))
    assert (judgement.verdict, judgement.out_of_scope) == ("incorrect", True)


def test_reasons_tell_what_the_library_lacks_from_what_the_passages_lack():
    texts = ["The ferry takes bicycles."] * 1 + [f"Rule {n} concerns lanterns only." for n in range(8)]
    judgement = judge(evidence("Does the ferry take bicycles with lanterns to Reykjavik?", *texts, limit=1))
    assert judgement.verdict != "correct"
    assert judgement.reasons[0] == "The word “Reykjavik” stands in none of your documents."
    assert judgement.reasons[1].startswith("The word “lanterns” stands in your documents, but not in the passages")


def rows(counts: dict[tuple[float, bool], int], name: str = "one") -> list[dict[str, Any]]:
    return [
        {"set": name, "id": str(n), "kind": "answerable" if label else "uncovered", "signals": {"coverage": value}}
        for (value, label), count in counts.items()
        for n in range(count)
    ]


def test_with_one_yes_or_no_signal_the_fit_is_the_log_odds(monkeypatch: pytest.MonkeyPatch):
    # With hardly any penalty, logistic regression gives the odds themselves: ln(80/20) and ln(10/90) here, both halves
    # weighing alike, so 80 of 90 · 1/… are balanced to equal shares of answerable and not.
    monkeypatch.setattr("terrarium_build.judging.fit.RIDGES", (1e-6,))
    data = rows({(1.0, True): 80, (0.0, True): 20, (1.0, False): 25, (0.0, False): 75})
    found = fit(data + [row | {"set": "two"} for row in data], ["coverage"])
    one, zero = math.log(0.80 / 0.25), math.log(0.20 / 0.75)
    assert found.intercept == pytest.approx(zero, abs=0.05)
    assert found.weights["coverage"] == pytest.approx(one - zero, abs=0.1)
    assert found.left_out_auc["two"] == pytest.approx((0.8 * 0.75) + 0.5 * (0.8 * 0.25 + 0.2 * 0.75), abs=1e-3)


def test_a_signal_that_would_be_turned_round_is_left_out():
    rng = np.random.default_rng(0)
    labels = rng.random(400) < 0.5
    data = [
        {
            "set": "one" if n % 2 else "two",
            "id": str(n),
            "kind": "answerable" if label else "uncovered",
            "signals": {"coverage": float(label) + rng.normal(), "missing": float(label) + rng.normal()},
        }
        for n, label in enumerate(labels)
    ]
    assert set(fit(data, ["coverage", "missing"]).weights) == {"coverage"}


def test_what_the_fit_writes_is_what_the_engine_reads(monkeypatch: pytest.MonkeyPatch):
    from terrarium.judging.judge import read_profiles  # noqa: PLC0415

    data = rows({(1.0, True): 40, (0.2, True): 10, (0.9, False): 10, (0.0, False): 40})
    data += [row | {"set": "two"} for row in data]
    found = fit(data, ["coverage"])
    profile = read_profiles(written({"dense": (found, "hash", data)}))["dense"]
    assert profile.weights["coverage"] == pytest.approx(found.weights["coverage"], abs=1e-4)
    assert (profile.correct, profile.incorrect) == (found.correct, found.incorrect)


def test_a_question_stays_in_its_half():
    assert [is_development(str(n)) for n in range(8)] == [is_development(str(n)) for n in range(8)]
    assert 400 < sum(is_development(f"question {n}") for n in range(1000)) < 600
