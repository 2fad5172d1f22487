"""The reader of Chromium's network log, on logs written here in the format of net/log/net_log_util.cc."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from terrarium_build.audit.net_log import NetEvent, annotation_hash, read_net_log

TYPES = {
    "REQUEST_ALIVE": 1,
    "URL_REQUEST_START_JOB": 2,
    "HOST_RESOLVER_MANAGER_REQUEST": 3,
    "TCP_CONNECT_ATTEMPT": 4,
    "UDP_CONNECT": 5,
    "UDP_BYTES_SENT": 6,
}
SOURCES = {"URL_REQUEST": 1, "SOCKET": 2, "NETWORK_QUALITY_ESTIMATOR": 3}


def write_log(folder: Path, *events: tuple[str, int, Mapping[str, object]], source_type: str = "URL_REQUEST") -> Path:
    constants = {"logEventTypes": TYPES, "logSourceType": SOURCES, "timeTickOffset": 1_000_000}
    lines = [
        json.dumps(
            {
                "type": TYPES[name],
                "phase": 1,
                "time": "500",
                "source": {"id": source, "type": SOURCES[source_type]},
                "params": params,
            }
        )
        for name, source, params in events
    ]
    path = folder / "log.json"
    path.write_text('{"constants":' + json.dumps(constants) + ',\n"events": [\n' + ",\n".join(lines) + "]}\n")
    return path


def test_a_request_a_lookup_a_connection_and_a_packet_are_all_seen(tmp_path: Path) -> None:
    log = write_log(
        tmp_path,
        ("URL_REQUEST_START_JOB", 1, {"url": "https://a.example/x"}),
        ("HOST_RESOLVER_MANAGER_REQUEST", 2, {"host": "https://b.example"}),
        ("TCP_CONNECT_ATTEMPT", 3, {"address": "192.0.2.1:443"}),
        ("UDP_CONNECT", 4, {"address": "192.0.2.2:3478"}),
        ("UDP_BYTES_SENT", 4, {"byte_count": 20}),
    )
    assert read_net_log(log) == [
        NetEvent(1000.5, "request", "https://a.example/x"),
        NetEvent(1000.5, "lookup", "https://b.example"),
        NetEvent(1000.5, "connection", "192.0.2.1:443"),
        NetEvent(1000.5, "datagram", "192.0.2.2:3478"),
    ]


@pytest.mark.parametrize("url", ["file:///x", "blob:null/1", "data:,x", "about:blank"])
def test_loads_that_never_leave_the_machine_do_not_count(tmp_path: Path, url: str) -> None:
    assert read_net_log(write_log(tmp_path, ("URL_REQUEST_START_JOB", 1, {"url": url}))) == []


def test_a_connected_socket_that_sends_nothing_is_no_packet(tmp_path: Path) -> None:
    assert read_net_log(write_log(tmp_path, ("UDP_CONNECT", 1, {"address": "[2001:db8::1]:443"}))) == []


def test_only_the_browsers_own_annotation_excuses_a_request(tmp_path: Path) -> None:
    """The numbers are from logs of Chromium 156: its sign-in check, and a request of a page."""
    own = ("REQUEST_ALIVE", 1, {"traffic_annotation": 35565745})
    page = ("REQUEST_ALIVE", 2, {"traffic_annotation": 101845102})
    start = [("URL_REQUEST_START_JOB", source, {"url": f"https://accounts.google.com/{source}"}) for source in (1, 2)]
    assert [event.target for event in read_net_log(write_log(tmp_path, own, page, *start))] == [
        "https://accounts.google.com/2"
    ]


def test_annotation_hashes_are_chromiums() -> None:
    assert annotation_hash("gaia_auth_list_accounts") == 35565745
    assert annotation_hash("blink_resource_loader") == 101845102


def test_a_log_that_was_cut_off_is_read_to_its_last_whole_event(tmp_path: Path) -> None:
    log = write_log(tmp_path, *(("URL_REQUEST_START_JOB", n, {"url": f"https://a.example/{n}"}) for n in range(3)))
    log.write_text(log.read_text()[:-40])
    assert [event.target[-1] for event in read_net_log(log)] == ["0", "1"]


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("<html>")
    with pytest.raises(ValueError, match="not a network log"):
        read_net_log(tmp_path / "x")
