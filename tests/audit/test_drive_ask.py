"""`build.py ask` on the built page, and the count of requests that it prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from terrarium_build.audit.net_log import NetEvent
from terrarium_build.drive_ask import as_answer, as_text, ask, count_requests

REQUEST = NetEvent(1, "request", "https://a.example/x")
RESULT = {
    "answer": "It draws 41 watts. [1]",
    "mode": "quoted",
    "refused": False,
    "refusal": None,
    "citations": [
        {"number": 1, "document": "a.txt", "page": None, "quote": "It draws 41 watts.", "start": 0, "end": 18}
    ],
    "quotes": [],
    "conflicts": [],
    "notes": [],
    "removed": [],
    "timings": {"total": 0.12345},
}
PLACES = [
    {"number": 1, "document": "a.txt", "page": None, "quote": "It draws 41 watts.", "start": 0, "end": 18},
    {"number": 2, "document": "b.pdf", "page": 3, "quote": "It draws 45 watts.", "start": 0, "end": 18},
]


def test_a_request_is_counted_once_though_three_places_show_it() -> None:
    connection = NetEvent(1, "connection", "192.0.2.1:443")
    assert count_requests(["https://a.example/x"], [REQUEST, connection]) == 1
    assert count_requests(["https://a.example/y"], [REQUEST]) == 2


def test_a_look_up_alone_is_not_zero() -> None:
    assert count_requests([], [NetEvent(1, "lookup", "https://a.example")]) == 1
    assert count_requests([], []) == 0


def test_the_reply_keeps_the_promised_keys() -> None:
    found = as_answer(RESULT, [], {"boot": 1.23456}, 0)
    assert {"answer", "refused", "citations", "timings", "requests"} <= found.keys()
    assert found["citations"] == [{"document": "a.txt", "page": None, "quote": "It draws 41 watts."}]
    assert found["timings"] == {"boot": 1.235}


def test_quotes_notes_and_conflicts_are_told_the_conflict_first() -> None:
    statements = [{"text": place["quote"], "places": [place]} for place in PLACES]
    result = RESULT | {
        "mode": "generated",
        "quotes": statements[:1],
        "conflicts": [{"about": "the figure", "statements": statements}],
        "notes": ["The answer was cut short."],
    }
    found = as_answer(result, [], {}, 0)
    assert found["quotes"] == [{"document": "a.txt", "page": None, "quote": "It draws 41 watts."}]
    assert [one["document"] for one in found["conflicts"][0]["statements"]] == ["a.txt", "b.pdf"]
    text = as_text(found)
    assert text.index("b.pdf, page 3: “It draws 45 watts.”") < text.index("41 watts. [1]") < text.index("cut short")


def test_a_refusal_is_told_in_words_and_a_failed_file_by_name() -> None:
    refused = RESULT | {"mode": "refused", "refused": True, "refusal": {"code": "not_found", "message": "Not there."}}
    added = [{"name": "b.pdf", "error": {"kind": "UnreadableFile", "message": "b.pdf is damaged."}}]
    found = as_answer(refused, added, {}, 0)
    assert found["answer"] == "Not there."
    assert found["failed"] == [{"document": "b.pdf", "message": "b.pdf is damaged."}]


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(tmp_path / "index.html", [tmp_path / "gone.pdf"], "What?", as_json=True) == 1
    assert "gone.pdf" in capsys.readouterr().err


@pytest.mark.browser
@pytest.mark.slow
def test_the_built_page_answers_with_a_quote_and_no_request(
    built_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "pump ü.txt", tmp_path / "broken.pdf"
    good.write_text("The orchard pump draws 41 watts. It is green.", encoding="utf-8")
    bad.write_bytes(b"%PDF-1.7\nnot a PDF at all")
    question = "How many watts does the orchard pump draw?"
    assert ask(built_index, [good, bad], question, as_json=True, mode="quote") == 0
    found = json.loads(capsys.readouterr().out)
    assert "41 watts" in found["answer"]
    assert found["citations"][0] == {
        "document": "pump ü.txt",
        "page": None,
        "quote": "The orchard pump draws 41 watts.",
    }
    assert (found["refused"], found["requests"]) == (False, 0)
    assert [failed["document"] for failed in found["failed"]] == ["broken.pdf"]


@pytest.mark.browser
@pytest.mark.slow
def test_a_page_that_cannot_start_is_a_sentence(
    built_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in built_index.parent.iterdir():  # all but the assets
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "a.txt").write_text("text")
    assert ask(tmp_path / "index.html", [tmp_path / "a.txt"], "What?", as_json=True, mode="quote") == 1
    assert "The page could not start. The file assets/manifest.js is missing" in capsys.readouterr().err
    (tmp_path / "boot.js").unlink()
    assert ask(tmp_path / "index.html", [tmp_path / "a.txt"], "What?", as_json=True, mode="quote") == 1
    assert "The page could not start. The file boot.js cannot be read" in capsys.readouterr().err
