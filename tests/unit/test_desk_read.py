"""`terrarium read`: files in processes of their own, and whether they came out as expected."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from terrarium import cli
from terrarium.desk import reading as reading_module
from terrarium.desk.expectations import unmet
from terrarium.desk.read import read_expected
from terrarium.desk.reading import Reading, heard, read_apart
from terrarium.errors import UnreadableFile
from terrarium.readers.limits import Limits


def expected(
    outcome: str = "text", contain: Sequence[Any] = (), without: Sequence[Any] = (), error: str = ""
) -> dict[str, Any]:
    return {"outcome": outcome, "must_contain": contain, "must_not_contain": without, "error": error}


PDF = Reading(kind="pdf", text="One ﬁne\nday. Two.", text_of_pages={1: "One ﬁne\nday.", 2: "Two."})
LOCKED = Reading(error="“a” is encrypted.", error_kind="PasswordNeeded")
DAMAGED = Reading(error="“a” is damaged.", error_kind="UnreadableFile")


@pytest.mark.parametrize(
    ("known", "came", "why"),
    [
        (expected(contain=[[1, "One fine day."], ["", "Two."]]), PDF, ""),
        (expected(contain=[[1, "Two."]]), PDF, "“Two.” is not on page 1, but elsewhere"),
        (expected(contain=[["", "Three."]]), PDF, "“Three.” is not there"),
        (expected(without=["fine day"]), PDF, "“fine day” is there"),
        (expected(), DAMAGED, "“a” is damaged."),
        (expected("error", error="corrupt"), DAMAGED, ""),
        (expected("error", error="empty_file"), DAMAGED, "expected empty_file, got “a” is damaged."),
        (expected("error", error="corrupt"), PDF, "expected corrupt, got 0 words"),
        (expected("text_or_error", [[1, "Three."]], error="corrupt"), DAMAGED, ""),
        (expected("text_or_error", [[1, "Three."]], error="corrupt"), PDF, "“Three.” is not on page 1"),
        (expected("error", error="password_required"), LOCKED, ""),
        (
            expected("partial", error="no_text_layer page 2"),
            PDF,
            "expected a warning of no_text_layer page 2, got none",
        ),
        (
            expected("partial", error="no_text_layer page 2"),
            replace(PDF, warnings=("no text layer on page 2 (1 of 2 pages)",)),
            "",
        ),
        (
            expected(contain=[["", "9:00,1.5"]]),
            Reading(kind="csv", text="Time: 8:00 | Bid: 1.5\nTime: 9:00 | Bid: 1.5"),
            "",
        ),
        (expected(contain=[["", "9:00,1.5"]]), Reading(kind="csv", text="a: 9:00\nb: 1.5"), "“9:00,1.5” is not there"),
        (expected("text_or_error"), Reading(error="KeyError: 3", error_kind="Crashed"), "KeyError: 3"),
    ],
)
def test_what_is_met_and_why_not(known, came, why):
    assert unmet(known, came) == why


def test_a_locked_file_must_say_so_and_open_with_its_password():
    known = expected("error", [[1, "One fine day."]], error="password_required")
    assert unmet(known, LOCKED, PDF) == ""
    assert "with its password" in unmet(known, LOCKED, LOCKED)
    assert unmet(known, PDF).startswith("expected password_required")


def test_the_command_compares_and_counts(tmp_path, capsys):
    (tmp_path / "good.txt").write_text("The lift is out of order.")
    (tmp_path / "empty.txt").touch()
    rows = [
        {"file": "good.txt", **expected(contain=[["", "lift"]])},
        {"file": "empty.txt", **expected(contain=[["", "words"]])},
    ]
    (tmp_path / "expected.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert cli.main(["read", "--expect", str(tmp_path / "expected.jsonl"), "--json", "-"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert (result["met"], result["total"]) == (1, 2)
    assert [failure["file"] for failure in result["failures"]] == ["empty.txt"]
    assert "is empty" in result["failures"][0]["why"]


def endless(path, password, megabytes, sender):
    time.sleep(600)


def stepping(path, password, megabytes, sender):
    while True:
        time.sleep(0.01)
        sender.send(None)


def dying(path, password, megabytes, sender):
    raise SystemExit(3)


@pytest.mark.parametrize("work", [endless, stepping])
def test_a_file_that_takes_too_long_is_stopped(work, tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("a")
    monkeypatch.setattr(reading_module, "read_here", work)
    stopped = read_apart(tmp_path / "a.txt", None, 0.3)
    assert stopped.error_kind == "Stopped" and "“a.txt” was given up" in stopped.error


class Sent:
    """A pipe's end at which everything has arrived already."""

    def __init__(self, *messages: Reading | None) -> None:
        self.messages = list(messages)
        self.waits: list[float] = []

    def poll(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return bool(self.messages)

    def recv(self) -> Reading | None:
        return self.messages.pop(0)


def test_each_step_of_a_long_file_is_waited_for_anew_but_not_beyond_the_whole():
    pipe = Sent(None, None, PDF)
    assert heard(pipe, Limits(silence=2.0, whole=60.0, megabytes=512), "a.pdf") is PDF
    assert pipe.waits == [2.0, 2.0, 2.0]
    ended = heard(Sent(None), Limits(silence=2.0, whole=0.0, megabytes=512), "a.pdf")
    assert ended.error_kind == "Stopped"


def test_a_dead_process_is_told(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("a")
    monkeypatch.setattr(reading_module, "read_here", dying)
    assert read_apart(tmp_path / "a.txt", None).error_kind == "Crashed"


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit of a process")
def test_a_file_that_needs_too_much_memory_is_refused(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("word after word. \n" * 1_000_000)
    monkeypatch.setattr(reading_module, "limits_of", lambda data, size: Limits(60.0, 60.0, 64))
    assert "more than 64 MB" in read_apart(tmp_path / "a.txt", None).error


TEXTS = (".txt", ".csv", ".eml", ".mbox", ".html", ".md", ".json", ".py", ".zip", ".epub")


def test_difficult_files_of_others_come_out_as_expected(data_dir):
    """Those that need neither Node nor much time; `terrarium read --expect` does them all."""
    known = read_expected(data_dir / "files" / "expected.jsonl")
    chosen = {name: row for name, row in known.items() if name.endswith(TEXTS)}
    assert len(chosen) > 35
    came = {name: unmet(row, asyncio.run(tried(data_dir / "files" / name))) for name, row in chosen.items()}
    assert {name: why for name, why in came.items() if why} == {}


async def tried(path) -> Reading:
    try:
        return await reading_module.read(path, None)
    except UnreadableFile as error:
        return Reading(error=str(error), error_kind=type(error).__name__)
