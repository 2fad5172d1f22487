"""The pure parts of `build.py bench`: ratios, tables, speeds out of events, memory out of /proc."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import pytest

from terrarium_build.__main__ import parse
from terrarium_build.bench import bench_models
from terrarium_build.bench.events import first_and_last, rate, steps
from terrarium_build.bench.figures import Figure, Report, shown, stage_medians, table
from terrarium_build.bench.generators import Rates, check
from terrarium_build.bench.lexical import lexical_figures
from terrarium_build.bench.memory import PROC, renderer_memory, watched_peak
from terrarium_build.bench.prompts import prompt_of
from terrarium_build.bench.selftest import rows, without_backend
from terrarium_build.bench.serving import serve
from terrarium_build.bench.texts import QUESTIONS, hut_names, made_text, question, sources
from terrarium_build.bench.writer_pages import Run
from terrarium_build.paths import BuildError

EVENTS = [
    {"type": "progress", "stage": "reading", "done": 1, "after": 0.5},
    {"type": "progress", "stage": "embedding", "done": 0, "after": 1.0},
    {"type": "evidence", "after": 1.5},
    {"type": "progress", "stage": "embedding", "done": 8, "after": 2.0},
    {"type": "evidence", "after": 2.5},
    {"type": "progress", "stage": "embedding", "done": 20, "after": 5.0},
]

PEERS = (("q8", 3.0), ("fp32", 2.0))


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


def holder(megabytes: int, kind: str) -> subprocess.Popen[bytes]:
    """A process that holds so much memory until it is left."""
    waits = "import sys; held = bytearray(int(sys.argv[1])); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", waits, str(megabytes * 10**6), kind]
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdout
    running.stdout.readline()
    return running


@pytest.mark.skipif(not PROC.is_dir(), reason="this system has no /proc")
def test_memory_of_the_largest_renderer_below() -> None:
    with holder(300, "--type=gpu"), holder(10, "--type=renderer"), holder(120, "--type=renderer") as large:
        found = renderer_memory()
        assert found
        assert 120 <= found.rest <= found.peak < 200
        assert renderer_memory(large.pid) is None, "a process is not below itself"


@pytest.mark.skipif(not PROC.is_dir(), reason="this system has no /proc")
def test_a_watched_peak_outlives_the_renderer() -> None:
    with watched_peak(0.01) as peak:
        with holder(300, "--type=gpu"), holder(120, "--type=renderer"):
            limit = time.monotonic() + 30
            while peak() < 120 and time.monotonic() < limit:
                time.sleep(0.01)
        assert 120 <= peak() < 200


def test_ratios_of_the_models_are_those_of_medians() -> None:
    rates = Rates(1, lookup=[(9.0, 6.0)])
    # (tokens, seconds) of reading 10 and 20 tokens: a slow middle round changes no median.
    for slow in (1, 10, 1):
        for length, seconds in ((10, 1.0), (20, 4.0)):
            ours = Run(length, seconds * slow, 8, 1.0 * slow)
            theirs = Run(length, 10 * seconds * slow, 8, 4.0 * slow)
            rates.add(length, ours, theirs, Run(length, 2 * seconds * slow, 1, 1.0))
    assert rates.summary() == {
        "decode_vs_wllama": 4.0,
        "prefill_vs_wllama": 10.0,
        "prefill_in_pieces_vs_wllama": 5.0,
        "prefill_20_over_10": 0.5,
        "prefill_in_pieces_20_over_10": 0.5,
        "decode_20_over_10": 1.0,
        "decode_vs_wllama_20": 4.0,
        "prefill_vs_wllama_20": 10.0,
        "lookup_vs_plain": 1.5,
    }
    report = Report(list(rates.figures()), summary={"wasm": rates.summary()})
    assert json.loads(report.json())["wasm"]["decode_vs_wllama"] == 4.0
    assert "| prefill_vs_wllama | 10.00 |" in report.markdown()
    assert "| Writing behind 20 tokens, 1 thread | 8.00 tokens/s | 2.00 tokens/s | **4.00** |" in report.markdown()


def test_models_json_begins_with_the_ratios(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure(index: Path, threads: int, rounds: int) -> Rates:
        rates = Rates(threads, lookup=[(3.0, 2.0)] if threads == 1 else [])
        for length in (143, 900):
            rates.add(length, Run(length, 2.0, 32, 4.0), Run(length, 28.0, 32, 12.0), Run(length, 4.0, 1, 1.0))
        return rates

    embedding = {name: Figure(name, "chunks/s", "peer", (4.0, 30.0, 6.0), (theirs,) * 3) for name, theirs in PEERS}
    monkeypatch.setattr("terrarium_build.bench.models.measure_generators", measure)
    monkeypatch.setattr("terrarium_build.bench.models.embed_vs_transformers_js", lambda index, rounds: embedding)
    monkeypatch.setattr("terrarium_build.bench.STATE", tmp_path)
    assert bench_models(tmp_path / "index.html", rounds=1, as_json=True) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed)[:2] == ["wasm", "wasm_2_threads"]
    wanted = {"decode_vs_wllama": 3.0, "prefill_vs_wllama": 14.0, "embed_vs_transformers_js": 2.0}
    assert {name: printed["wasm"][name] for name in wanted} == pytest.approx(wanted)
    assert printed["wasm"]["prefill_900_over_143"] == pytest.approx(900 / 143)
    assert printed["wasm"]["embed_vs_transformers_js_fp32"] == 3.0
    assert "lookup_vs_plain" not in printed["wasm_2_threads"]
    assert json.loads((tmp_path / "bench" / "models.json").read_text(encoding="utf-8")) == printed
    assert "**14.00**" in (tmp_path / "bench" / "models.md").read_text(encoding="utf-8")


def test_sides_that_did_different_work_are_not_compared() -> None:
    check(Run(143, 1.0, 32, 1.0), 143, "text")
    with pytest.raises(BuildError, match="read 140 tokens where the prompt has 143"):
        check(Run(140, 1.0, 32, 1.0), 143, "text")
    with pytest.raises(BuildError, match="wrote 3 of 32"):
        check(Run(143, 1.0, 3, 1.0), 143, "text")


class Bytes:
    """A token a byte of UTF-8."""

    def ids(self, text: str) -> list[int]:
        return list(text.encode())

    def text(self, ids: Sequence[int]) -> str:
        return bytes(ids).decode(errors="replace")


def test_prompt_has_exactly_the_tokens_that_were_asked_for() -> None:
    assert prompt_of(Bytes(), 4, 0, "one\ntwo\n") == "one\n"
    # Three bytes of the first line end inside a character, and the last line is too short.
    assert prompt_of(Bytes(), 3, 0, "ää\nabc\nd") == "abc"
    assert prompt_of(Bytes(), 3, 2, "ää\nabc\nd") == "abc"
    with pytest.raises(BuildError, match="exactly 30 tokens"):
        prompt_of(Bytes(), 30, 0, "one\ntwo\n")
    # Of the project's own pages, which grow: another round, another text.
    assert len({prompt_of(Bytes(), 900, number) for number in range(5)}) == 5


def test_sources_hold_what_the_questions_ask() -> None:
    (first, second), name = sources(3)
    assert first.startswith(f"{name}: The {name} hut has ")
    assert all(word in first for word in ("euros", "hours", "spring", "telephone", "open from"))
    assert name not in second
    assert all("{name}" in form for form in QUESTIONS)


@pytest.mark.parametrize("isolated", [True, False])
def test_host_serves_files_and_threads_only_when_isolated(tmp_path: Path, isolated: bool) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.wasm").write_bytes(b"\0asm")
    (tmp_path / "secret").write_text("no")
    with serve({"/page.html": "<p>ü", "/files/": tmp_path / "folder"}, isolated=isolated) as address:
        with urllib.request.urlopen(f"{address}page.html?x=1") as page:
            assert page.read().decode() == "<p>ü"
            assert (page.headers["Cross-Origin-Embedder-Policy"] == "require-corp") is isolated
            assert (page.headers["Cross-Origin-Opener-Policy"] == "same-origin") is isolated
        with urllib.request.urlopen(f"{address}files/a.wasm") as file:
            assert (file.headers["Content-Type"], file.read()) == ("application/wasm", b"\0asm")
        for path in ("other", "files/none", "files/%2e%2e/secret"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(address + path)


def test_rounds_of_the_models_are_chosen_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    options = parse(["bench", "--models", "--rounds", "1", "--json"])
    assert (options.models, options.rounds, options.json) == (True, 1, True)
    with pytest.raises(SystemExit):
        parse(["bench", "--models", "--rounds", "0"])
    assert "invalid choice" in capsys.readouterr().err


def test_selftest_report_tells_refused_backends_from_models_that_run_nowhere() -> None:
    def verdict(model: str, backend: str, **more: object) -> dict[str, object]:
        return {"model": model, "backend": backend, "passed": False, "chosen": False, "reason": "", "reading": 0.0,
                "writing": 0.0, **more}  # fmt: skip

    refused = verdict("writer@1", "webgpu", reason="There is no adapter.")
    runs = verdict("writer@1", "wasm", passed=True, chosen=True, reading=45.2, writing=9.73)
    probe = verdict("gpu-probe@2", "webgpu", reason="Wrong.")
    assert rows([refused, runs]) == [
        ["writer@1", "webgpu", "refused", "", "", "There is no adapter."],
        ["writer@1", "wasm", "chosen", "45.2", "9.73", ""],
    ]
    assert without_backend([refused, runs, probe]) == set()
    assert without_backend([refused, probe]) == {"writer@1"}
