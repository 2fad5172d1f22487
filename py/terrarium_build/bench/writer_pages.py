"""Two pages of one browser, served from 127.0.0.1: the built page's engine worker with its writer, and wllama.

wllama (https://github.com/ngxson/wllama) is llama.cpp in WebAssembly; it gets the GGUF that our graph was made from.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import BrowserContext, Error, Page

from terrarium_build.bench.serving import serve
from terrarium_build.driving import BOOT_LIMIT, open_chromium
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.models import model_for
from terrarium_build.paths import NODE_MODULES, BuildError, say
from terrarium_build.scripts import expression, script

WRITER = "small"
WHOLE = 512  # tokens that llama.cpp reads at once at most, and ours beside it
OWN_PACE = 0
LIMIT = 1800.0  # seconds for one text: a busy machine reads two tokens a second


@dataclass(frozen=True, slots=True)
class Run:
    """One text read and continued."""

    prompt_tokens: int
    prefill_seconds: float
    tokens: int
    decode_seconds: float
    text: str = ""

    @property
    def prefill(self) -> float:
        """Tokens a second."""
        return self.prompt_tokens / self.prefill_seconds

    @property
    def decode(self) -> float:
        return self.tokens / self.decode_seconds


class Side(Protocol):
    """One half of each round."""

    name: str

    def write(self, prompt: str, tokens: int) -> Run: ...


class EnginePage:
    """Ours: the engine's worker, with the writer open."""

    name = "ours"

    def __init__(self, context: BrowserContext, host: str, threads: int) -> None:
        self._page = open_page(context, f"{host}engine.html#threads={threads}&writer={WRITER}")
        self._run(script("bench/in_tab.py"))
        self._run(f"await load({model_for(WRITER).id!r})")

    def write(self, prompt: str, tokens: int, *, piece: int = WHOLE, chat: bool = False, lookup: bool = False) -> Run:
        """As in_tab.py's `write`: without `chat` and `lookup`, plain greedy decoding of the given text alone."""
        asked = {"prompt": prompt, "tokens": tokens, "piece": piece, "chat": chat, "lookup": lookup}
        return Run(**self._run(f"await write({json.dumps(asked)!r})"))

    def _run(self, code: str) -> Any:
        return wait(self._page, "bench", code)


class WllamaPage:
    """The peer, with room for texts of up to `positions` tokens."""

    name = "wllama"

    def __init__(self, context: BrowserContext, host: str, threads: int, positions: int) -> None:
        self._page = open_page(context, f"{host}wllama.html#threads={threads}&context={positions}")
        loaded = self._page.evaluate("outcome.threads")
        if loaded != threads:
            raise BuildError(f"wllama runs on {loaded} threads instead of {threads}; the benchmark is void.")

    def write(self, prompt: str, tokens: int) -> Run:
        """Greedy, with the same penalty on repetition."""
        return Run(**wait(self._page, "write", {"prompt": prompt, "tokens": tokens}))


@contextlib.contextmanager
def open_writers(index: Path, threads: int, positions: int) -> Iterator[tuple[EnginePage, WllamaPage]]:
    """Both sides loaded. Raises BuildError when one does not start."""
    plural = "s" if threads > 1 else ""
    with serve(places(index), isolated=threads > 1) as host, open_chromium() as context:
        say(f"Loading the writer, {threads} thread{plural}")
        ours = EnginePage(context, host, threads)
        say(f"Loading wllama, {threads} thread{plural}")
        yield ours, WllamaPage(context, host, threads, positions)


def places(index: Path) -> dict[str, Path | str]:
    """What the two pages read: the build, node_modules, the GGUF and themselves."""
    gguf = read_lock()[model_for(WRITER).description["conversion"]["weights"]]
    more = f'<script type="text/plain" id="more">{script("bench/engine_worker.js")}</script>'
    scripts = '<script src="/shards.js"></script><script src="/engine_link.js"></script>'
    head = '<!doctype html><html><head><meta charset="utf-8"><title>Benchmark</title></head><body>'
    return {
        "/": index.parent,
        "/npm/": NODE_MODULES,
        "/model.gguf": Fetcher().fetch(gguf),
        "/engine.html": f"{head}{more}{scripts}<script>{script('bench/engine_page.js')}</script></body></html>",
        "/wllama.html": f"{head}<script>{script('bench/wllama_page.js')}</script></body></html>",
    }


def open_page(context: BrowserContext, address: str) -> Page:
    """A page whose `outcome` says that it is ready."""
    page = context.new_page()
    page.goto(address)
    try:
        page.wait_for_function("() => globalThis.outcome", timeout=BOOT_LIMIT * 1000, polling=200)
    except Error as error:
        raise BuildError(f"{address} did not start within {BOOT_LIMIT:.0f} s.") from error
    if failure := page.evaluate("outcome.failed"):
        raise BuildError(f"{address} could not start: {failure}")
    return page


def wait(page: Page, function: str, argument: Any) -> Any:
    """What a function of the page resolves to. `evaluate` alone would wait for ever for a worker that has died."""
    try:
        page.evaluate(expression("bench/begin.js"), [function, argument])
        page.wait_for_function("() => globalThis.ended", timeout=LIMIT * 1000, polling=100)
    except Error as error:
        raise BuildError(f"The benchmark's page {page.url} did not finish: {error.message.splitlines()[0]}") from error
    ended = page.evaluate("ended")
    if failure := ended.get("failed"):
        raise BuildError(f"The benchmark's page {page.url} failed: {failure}")
    return ended["value"]
