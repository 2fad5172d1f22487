"""The attacker, the made documents, the search of our own sources and the verdict: each must be able to say no."""

from __future__ import annotations

import io
import re
import shutil
import socket
import time
import urllib.request
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from terrarium_build.audit.attacker import Attacker
from terrarium_build.audit.controls import Attempt
from terrarium_build.audit.copies import open_copy, policy_copy
from terrarium_build.audit.hostile import FACTS, fact, hostile_files
from terrarium_build.audit.net_log import NetEvent
from terrarium_build.audit.own_code import ALLOWED, search_own_code
from terrarium_build.audit.report import Report
from terrarium_build.audit.scenario import Played
from terrarium_build.audit.sessions import Session
from terrarium_build.audit.watcher import Witnessed
from terrarium_build.paths import BuildError

ROOT = Path(__file__).resolve().parents[2]


def wait_for(attacker: Attacker, count: int) -> list[tuple[str, str]]:
    deadline = time.time() + 5
    while len(attacker.arrivals) < count and time.time() < deadline:
        time.sleep(0.01)
    return [(arrival.protocol, arrival.what) for arrival in attacker.arrivals]


def test_the_attacker_hears_http_sockets_and_datagrams() -> None:
    with Attacker() as attacker:
        urllib.request.urlopen(f"{attacker.url}/page/fetch").read()
        upgrade = b"GET /page/WebSocket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
        for message in (upgrade, b"\x16\x03\x01"):
            with socket.create_connection(("127.0.0.1", attacker.port)) as client:
                client.sendall(message)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"\x00\x01", ("127.0.0.1", attacker.port))
        heard = wait_for(attacker, 4)
    assert sorted(heard) == [
        ("HTTP", "/page/fetch"),
        ("TCP", "160301"),
        ("UDP", "0001"),
        ("WebSocket", "/page/WebSocket"),
    ]


def test_a_connection_that_says_nothing_is_heard() -> None:
    with Attacker() as attacker:
        socket.create_connection(("127.0.0.1", attacker.port)).close()
        assert wait_for(attacker, 1) == [("TCP", "")]


def test_every_made_document_holds_its_fact_and_beacons() -> None:
    server = "http://127.0.0.1:9"
    for (kind, _), (name, data) in zip(FACTS.items(), hostile_files(server).items(), strict=True):
        if kind == "docx":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                whole = b"".join(archive.read(member) for member in archive.namelist())
        else:
            whole = data
        assert fact(kind).encode() in whole, name
        assert len(set(re.findall(rb"http://127\.0\.0\.1:9/[\w/.-]+", whole))) >= 3, name


def test_the_made_pdf_has_a_correct_cross_reference_table() -> None:
    data = hostile_files("http://127.0.0.1:9")["hostile.pdf"]
    offsets = [int(entry) for entry in re.findall(rb"(\d{10}) 00000 n", data)]
    assert [data[offset:].split()[0] for offset in offsets] == [b"%d" % n for n in range(1, len(offsets) + 1)]


def test_the_projects_own_sources_use_nothing_without_a_reason() -> None:
    known, findings = search_own_code()
    assert findings == []
    # A reason that nothing needs any more hides the next use.
    used = {
        (file, means)
        for file, means in ALLOWED
        if any(line.startswith(f"{file}:") and f" {means}:" in line for line in known)
    }
    assert used == set(ALLOWED)


@pytest.mark.parametrize(
    "line",
    [
        "window.open(address);",
        'link.target = "_blank";',
        "location.href = address;",
        "new RTCPeerConnection();",
        "element.innerHTML = text;",
        'link.rel = "preconnect";',
        'const home = "https://example.org/";',
        "link.click();",
    ],
)
def test_the_search_finds_what_should_not_be_there(tmp_path: Path, line: str) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web/page.js").write_text(f"// window.open(x)\n{line}\n")
    known, findings = search_own_code(tmp_path)
    assert (known, len(findings)) == ([], 1)
    assert findings[0].startswith("web/page.js:2 ")


def test_copies_take_the_locks_off_and_leave_the_page_alone(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in ("index.html", "seal.js"):
        shutil.copyfile(ROOT / "web" / name, site / name)
    before = {path.name: path.read_bytes() for path in site.iterdir()}
    unsealed = open_copy(site, tmp_path / "unsealed").read_text()
    alone = policy_copy(site, tmp_path / "alone").read_text()
    assert "Content-Security-Policy" not in unsealed
    assert alone == before["index.html"].decode()
    assert "seal.tighten = " in (tmp_path / "unsealed/seal.js").read_text()
    assert "seal.tighten = " not in (tmp_path / "alone/seal.js").read_text()
    assert {path.name: path.read_bytes() for path in site.iterdir()} == before


def test_a_seal_that_the_audit_does_not_know_stops_it(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    shutil.copyfile(ROOT / "web/index.html", tmp_path / "site/index.html")
    (tmp_path / "site/seal.js").write_text("// something else\n")
    with pytest.raises(BuildError, match="copies.py must follow"):
        open_copy(tmp_path / "site", tmp_path / "copy")


SEEN = Attempt("page", "fetch", "done", 0, 1, True, True)
BLOCKED = replace(
    SEEN, arrived=False, logged=False, result="fetch is switched off: nothing leaves this tab (asked for x)."
)


def passing() -> Report:
    beyond_seen = [Attempt("page", way, "done", 0, 1, True, True) for way in ("window.open", "link[rel=preconnect]")]
    beyond_blocked = [replace(a, arrived=False, logged=False) for a in beyond_seen]
    sealed = [
        Session(f"sealed, {over}://", [BLOCKED], list(beyond_blocked), Played(steps=["x"])) for over in ("file", "http")
    ]
    return Report(
        sealed, Session("unsealed", [SEEN], beyond_seen), Session("policy alone", [BLOCKED], beyond_seen), [], [], "x"
    )


def test_a_clean_report_passes_and_shows_each_way() -> None:
    report = passing()
    assert report.failures() == []
    assert "| page | `fetch` | seen | blocked by code | blocked by code | blocked by code |" in report.markdown()
    assert report.json()["passed"] is True


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r.sealed[0].leaks.append("arrived over HTTP: /html/image"),
        lambda r: r.sealed[1].attempts.__setitem__(0, SEEN),
        lambda r: r.sealed[0].beyond.__setitem__(0, replace(SEEN, channel="window.open")),
        lambda r: r.sealed[0].played.problems.append("hostile.pdf is indexed: no"),
        lambda r: r.sealed[0].played.ledger.append("page: img-src http://x"),
        lambda r: r.sealed[0].played.own_code.append("open http://x"),
        lambda r: r.policy.attempts.__setitem__(0, SEEN),
        lambda r: r.unsealed.attempts.__setitem__(0, BLOCKED),
        lambda r: r.unsealed.beyond.__setitem__(0, replace(BLOCKED, channel="window.open")),
        lambda r: r.unknown_uses.append("web/x.js:1 a new window: `open()`"),
    ],
)
def test_each_kind_of_finding_fails_the_audit(spoil) -> None:
    report = passing()
    spoil(report)
    assert len(report.failures()) == 1
    assert "**Failed: 1 findings.**" in report.markdown()


def test_the_pages_own_host_is_excused_by_its_exact_address_only() -> None:
    seen = Witnessed(
        events=[NetEvent(5, "request", "http://127.0.0.1:80/a"), NetEvent(5, "request", "http://127.0.0.1:8080/b")]
    )
    assert seen.between(0, 9, own="127.0.0.1:80") == ["request in Chromium's log: http://127.0.0.1:8080/b"]
    assert len(seen.between(0, 9)) == 2
