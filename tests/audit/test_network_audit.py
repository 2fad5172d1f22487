"""The whole audit on the built page: nothing leaves the sealed tab, and everything that leaves an open one is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from terrarium_build.audit import run_audit
from terrarium_build.audit.copies import linked_copy, rewrite
from terrarium_build.audit.report import Report
from terrarium_build.audit.sessions import sealed_session

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def report(built_index: Path) -> Report:
    return run_audit(built_index)


@pytest.mark.parametrize("which", [0, 1], ids=["file", "http"])
def test_the_scenario_does_its_work_and_sends_nothing(report: Report, which: int) -> None:
    session = report.sealed[which]
    assert session.played is not None
    assert session.played.problems == []
    assert len(session.played.steps) > 20
    assert session.leaks == []


@pytest.mark.parametrize("which", [0, 1], ids=["file", "http"])
def test_the_page_never_tries(report: Report, which: int) -> None:
    played = report.sealed[which].played
    assert played is not None
    assert (played.ledger, played.own_code) == ([], [])


def test_the_watch_sees_every_way_out_of_an_unsealed_copy(report: Report) -> None:
    assert [attempt for attempt in [*report.unsealed.attempts, *report.unsealed.beyond] if not attempt.seen] == []
    assert {attempt.place for attempt in report.unsealed.attempts} == {
        "page",
        "engine worker",
        "worker in the engine",
        "reader worker",
        "worker in the reader",
        "Python of the reader",
        "Python",
        "Python, urllib",
    }


@pytest.mark.parametrize(
    "place",
    ["page", "engine-worker", "worker-in-the-engine", "reader-worker", "worker-in-the-reader", "Python"],
)
def test_the_debugging_events_see_every_place_too(report: Report, place: str) -> None:
    asked = [url for url in report.unsealed.requests if f"/{place}/" in url]
    assert any("fetch" in url for url in asked)


def test_the_policy_alone_stops_every_request(report: Report) -> None:
    assert [attempt for attempt in report.policy.attempts if attempt.seen] == []


def test_what_the_policy_leaves_open_is_what_the_report_says(report: Report) -> None:
    """When a browser closes one of these, the page may stop calling it its own code's business."""
    open_ways = {attempt.channel for attempt in report.policy.beyond if attempt.seen}
    assert open_ways >= {"window.open", "a[target=_blank]", "RTCPeerConnection", "link[rel=preconnect]", "location"}


def test_nothing_gets_out_of_the_sealed_page(report: Report) -> None:
    assert report.failures() == []


def test_a_page_that_only_looks_a_host_up_is_caught(built_index: Path, tmp_path: Path) -> None:
    index = linked_copy(built_index.parent, tmp_path / "leaky")
    link = '<link rel="dns-prefetch" href="https://leak.example"><title>'
    rewrite(index, index.read_text(encoding="utf-8").replace("<title>", link, 1))
    session = sealed_session(index.parent, "file")
    assert session.played is not None
    assert [leak for leak in session.leaks if leak.startswith("lookup in Chromium's log")]
    assert "<link href> https://leak.example" in session.played.own_code
