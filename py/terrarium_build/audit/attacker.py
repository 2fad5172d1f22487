"""Somebody who waits on 127.0.0.1 for anything that gets out: HTTP, WebSocket, other TCP (TLS, TURN), UDP (STUN, QUIC).

One port number for TCP and UDP. What arrives is kept with the path that it asked for, so that a test can tell which
attempt got through. Answers are polite: a script for scripts, an event stream for EventSource, a page for frames.
"""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
import time
from dataclasses import dataclass
from typing import Any

METHODS = (b"GET ", b"POST ", b"HEAD ", b"PUT ", b"OPTIONS ")
TYPES = (
    (("script", "import", "modulepreload", "worker"), "text/javascript", b"0"),
    (("eventsource",), "text/event-stream", b"data: 1\n\n"),
    (("style", "css"), "text/css", b"b{}"),
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """One thing that reached the attacker. `what` is the path of a request, else the first bytes in hexadecimal."""

    time: float
    protocol: str
    what: str


class Attacker:
    """A context manager: listens from `with` on, on a port that TCP and UDP share."""

    def __init__(self) -> None:
        self.arrivals: list[Arrival] = []
        self._tcp = _Tcp(("127.0.0.1", 0), self._serve)
        self.port: int = self._tcp.server_address[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Attacker:
        threading.Thread(target=self._tcp.serve_forever, daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._tcp.shutdown()
        self._tcp.server_close()
        self._udp.close()

    def since(self, start: float) -> list[Arrival]:
        return [arrival for arrival in self.arrivals if arrival.time >= start]

    def _note(self, protocol: str, what: str) -> None:
        self.arrivals.append(Arrival(time.time(), protocol, what))

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                data, _ = self._udp.recvfrom(65535)
                self._note("UDP", data[:16].hex())

    def _serve(self, client: socket.socket) -> None:
        client.settimeout(5)
        head = client.recv(65535)
        if not head.startswith(METHODS):
            # A connection without a byte is an arrival too: a preconnect says nothing.
            return self._note("TCP", head[:16].hex())
        path = head.split(b" ", 2)[1].decode("latin-1")
        if b"\r\nupgrade:" in head.lower():
            return self._note("WebSocket", path)
        self._note("HTTP", path)
        client.sendall(_answer(path))
        return None


class _Tcp(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, address: tuple[str, int], serve: Any) -> None:
        super().__init__(address, socketserver.BaseRequestHandler)
        self._serve = serve

    def finish_request(self, request: Any, client_address: Any) -> None:
        with contextlib.suppress(OSError):
            self._serve(request)


def _answer(path: str) -> bytes:
    channel = path.rsplit("/", 1)[-1].split("?", maxsplit=1)[0]
    kind, body = next(
        ((kind, body) for names, kind, body in TYPES if channel.lower().startswith(names)), ("text/html", b"<p>here")
    )
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nAccess-Control-Allow-Origin: *\r\n"
    )
    return head.encode() + b"Connection: close\r\n\r\n" + body
