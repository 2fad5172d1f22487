"""The pure parts of `build.py bench`: ratios, tables, speeds out of events, memory out of /proc."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from terrarium_build.bench.events import first_and_last, rate, steps
from terrarium_build.bench.figures import Figure, Report, shown, stage_medians, table
from terrarium_build.bench.lexical import lexical_figures
from terrarium_build.bench.memory import PROC, renderer_memory
from terrarium_build.bench.texts import hut_names, made_text, question

EVENTS = [
    {"type": "progress", "stage": "reading", "done": 1, "after": 0.5},
    {"type": "progress", "stage": "embedding", "done": 0, "after": 1.0},
    {"type": "evidence", "after": 1.5},
    {"type": "progress", "stage": "embedding", "done": 8, "after": 2.0},
    {"type": "evidence", "after": 2.5},
    {"type": "progress", "stage": "embedding", "done": 20, "after": 5.0},
]


def test_ratio_is_the_median_of_the_rounds_own_ratios() -> None:
    # A machine that is ten times slower in one round changes neither ratio nor its spread.
    figure = Figure("boot", "s", "bare", (2.0, 30.0, 4.0), (1.0, 10.0, 1.0))
    assert figure.ratios == [2.0, 3.0, 4.0]
    assert figure.ratio == 3.0
    assert figure.row() == ["boot", "4.00 s", "1.00 s", "**3.00**", "2.00 to 4.00", "bare"]


@pytest.mark.parametrize(("ours", "theirs"), [((1.0, 2.0), (1.0,)), ((), ())])
def test_rounds_have_two_halves(ours: tuple[float, ...], theirs: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="boot"):
        Figure("boot", "s", "bare", ours, theirs)


@pytest.mark.parametrize(
    ("value", "text"), [(1234.5, "1,234"), (100, "100"), (12.34, "12.3"), (1.234, "1.23"), (0.0123, "0.012"), (0, "0")]
)
def test_shown_keeps_the_digits_that_matter(value: float, text: str) -> None:
    assert shown(value) == text


def test_table_is_markdown() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_stage_medians_bear_a_stage_that_one_round_lacks() -> None:
    rounds = [{"check": 1.0, "seal": 5.0}, {"check": 3.0}, {"check": 2.0, "seal": 7.0}]
    assert stage_medians(rounds) == {"check": 2.0, "seal": 6.0}


def test_report_says_the_same_in_both_forms() -> None:
    report = Report([Figure("boot", "s", "bare", (2.0,), (1.0,))], {"check": 0.5}, ["no /proc"])
    assert "| boot | 2.00 s | 1.00 s | **2.00** | one round | bare |" in report.markdown()
    assert "| check | 0.50 s |" in report.markdown()
    assert "* no /proc" in report.markdown()
    (figure,) = json.loads(report.json())["figures"]
    assert figure == {"name": "boot", "unit": "s", "peer": "bare", "ours": [2.0], "theirs": [1.0], "ratio": 2.0}


def test_rate_counts_from_the_first_event_to_the_last() -> None:
    assert rate(EVENTS, "embedding") == 20 / 4
    assert steps(EVENTS, "embedding") == [(8, 1.0), (12, 3.0)]
    with pytest.raises(ValueError, match="reading: 1 events"):
        rate(EVENTS, "reading")


def test_first_and_last_event_of_a_type() -> None:
    assert first_and_last(EVENTS, "evidence") == (1.5, 2.5)
    with pytest.raises(ValueError, match="writing"):
        first_and_last(EVENTS, "writing")


def test_made_texts_differ_by_round_and_hold_the_answer() -> None:
    assert made_text(1) == made_text(1) != made_text(2)
    name = question(1).split(" the ")[1].split(" hut ")[0]
    assert name in hut_names(1)
    assert made_text(1).count(f"The {name} hut has ") == 1


def test_lexical_peers_are_measured_over_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terrarium_build.bench.lexical.CHUNKS", 300)
    monkeypatch.setattr("terrarium_build.bench.lexical.QUERIES", 5)
    indexing, asking = lexical_figures(rounds=1)
    assert indexing.ratio > 0
    assert asking.ratio > 0


@pytest.mark.skipif(not PROC.is_dir(), reason="this system has no /proc")
def test_memory_of_the_largest_renderer_below() -> None:
    waits = "import sys; held = bytearray(int(sys.argv[1])); print(flush=True); sys.stdin.read()"

    def start(megabytes: int, kind: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", waits, str(megabytes * 10**6), kind]
        running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert running.stdout
        running.stdout.readline()
        return running

    with start(300, "--type=gpu"), start(10, "--type=renderer"), start(120, "--type=renderer") as large:
        found = renderer_memory()
        assert found
        assert 120 <= found.rest <= found.peak < 200
        assert renderer_memory(large.pid) is None, "a process is not below itself"
