"""The built page in a real browser without a window, driven as a person would: files through its own picker, questions
through its own box. Used by `build.py ask`, by the audit and by the browser tests.

What the engine replied is read by listening along at `window.terrarium.call`, the one object between the interface and
the engine.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page, sync_playwright

from terrarium_build.browsers import find_chromium
from terrarium_build.paths import BuildError
from terrarium_build.scripts import expression

BOOT_LIMIT = 240.0  # seconds; a busy laptop without a fast disk
STEP_LIMIT = 60.0  # seconds for one click or look
# Chromium's own start-up chatter. `--disable-background-networking` and the like come from Playwright.
QUIET = (
    "--no-sandbox",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    # The last such flag holds, so this one repeats what Playwright switches off for the same reason. Left on is
    # AutofillServerCommunication: on a web server any text field of a page causes such requests, and the audit is to
    # see them. The question box is no such field; the one for a file's password is, while the page asks for it.
    "--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,"
    "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PreconnectToSearch,LensOverlay,AimEnabled",
    # On-demand components are asked for in spite of --disable-component-update; an address without a network answers.
    "--component-updater=url-source=data:,",
)
# No flag of Chromium 156 stops its look at whether somebody is signed in; its host is made one that is never looked up.
BROWSER_HOSTS = "MAP accounts.google.com ~NOTFOUND, MAP update.googleapis.com ~NOTFOUND"


@contextlib.contextmanager
def open_chromium(
    *, net_log: Path | None = None, profile: Path | None = None, resolver: str = "", arguments: Sequence[str] = ()
) -> Iterator[BrowserContext]:
    """A browser with a fresh profile (or the given one). `net_log` is whole after the `with` has ended.

    `resolver` are more rules for `--host-resolver-rules`. Raises BuildError when no Chromium is on the machine.
    """
    executable = find_chromium()
    if executable is None:
        raise BuildError("No Chromium was found. Install Chromium, Chrome or Edge, or name one in TERRARIUM_CHROMIUM.")
    flags = [*QUIET, f"--host-resolver-rules={', '.join(filter(None, (BROWSER_HOSTS, resolver)))}", *arguments]
    if net_log is not None:
        flags += [f"--log-net-log={net_log}", "--net-log-capture-mode=Everything"]
    with contextlib.ExitStack() as stack:
        temporary = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        chromium = stack.enter_context(sync_playwright()).chromium
        context = chromium.launch_persistent_context(
            profile or temporary, executable_path=executable, headless=True, args=flags, accept_downloads=True
        )
        try:
            yield context
        finally:
            context.close()


@contextlib.contextmanager
def serve_folder(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A static host on 127.0.0.1: (address ending in "/", the paths that were asked for so far)."""
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            asked.append(self.path)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", asked
    finally:
        server.shutdown()
        server.server_close()


class TerrariumPage:
    """One opened page. Times out with a sentence instead of waiting for ever."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.set_default_timeout(STEP_LIMIT * 1000)

    @classmethod
    def open(cls, context: BrowserContext, address: str, *, writer: str = "") -> TerrariumPage:
        """Load the page and wait until files may come. `writer`: "" leaves the choice to it, "none" is quotes only."""
        driven = cls(context.pages[0] if context.pages else context.new_page())
        driven.page.goto(f"{address}#writer={writer}" if writer else address)
        driven.wait_ready()
        return driven

    def reload(self) -> None:
        self.page.reload()
        self.wait_ready()

    def wait_ready(self) -> None:
        """Until the library is open. Raises BuildError with the page's own sentence when the page could not start."""
        self._raise_failure()
        self.page.evaluate(expression("listen.js"))
        self._wait(
            "document.documentElement.dataset.stage === 'failed' || !!document.querySelector('.seal-button.sealed')"
        )
        self._raise_failure()

    def _raise_failure(self) -> None:
        if self.page.evaluate("document.documentElement.dataset.stage") == "failed":
            raise BuildError(f"The page could not start. {self.page.inner_text('#boot-failure')}")

    def wait_writer(self) -> None:
        """Until the generator is loaded, or has failed to load; at once when the page was opened without one."""
        loaded = "heardCalls.some((call) => call.command === 'load_generator' && call.done)"
        self._wait(f"!terrarium.info.generator || {loaded}")

    def add(self, files: Sequence[Path], limit: float = 3600) -> list[dict[str, Any]]:
        """Put the files into the picker; wait for all of them. One record a file: {name, result} or {name, error}."""
        before = len(self.calls("add"))
        self.page.set_input_files("#pick-files", [str(file) for file in files])
        self._wait(f"heardCalls.filter((c) => c.command === 'add' && c.done).length >= {before + len(files)}", limit)
        return self.calls("add")[before:]

    def ask(self, question: str, mode: str = "both", limit: float = 900) -> dict[str, Any]:
        """Type the question and wait for the answer: {result, seconds, events} or {error: {kind, message}, …}."""
        before = len(self.calls("ask"))
        if self.page.is_enabled(f"input[name=mode][value={mode}]"):
            self.page.check(f"input[name=mode][value={mode}]", force=True)
        self.page.fill("#question", question)
        self.page.press("#question", "Enter")
        self._wait(f"heardCalls.filter((c) => c.command === 'ask' && c.done).length > {before}", limit)
        # The reply is drawn in the same task; the next question needs the box to be free again.
        self.page.wait_for_selector("form.composer button[type=submit]:not([hidden])")
        answered: dict[str, Any] = self.calls("ask")[-1]
        return answered

    def remove(self, name: str) -> None:
        """Remove a document through its row in the library."""
        row = self.page.locator(".library li.row", has_text=name).first
        row.locator("[data-action=ask-remove]").click(force=True)
        row.locator("[data-action=remove]").click()
        row.wait_for(state="detached")

    def calls(self, command: str) -> list[dict[str, Any]]:
        """What the interface has asked of the engine, in order."""
        heard: list[dict[str, Any]] = self.page.evaluate(
            "(command) => heardCalls.filter((c) => c.command === command)", command
        )
        return heard

    def ledger(self) -> list[dict[str, Any]]:
        """What the page says that it has stopped."""
        entries: list[dict[str, Any]] = self.page.evaluate("terrarium.ledger")
        return entries

    def _wait(self, condition: str, limit: float = BOOT_LIMIT) -> None:
        try:
            self.page.wait_for_function(f"() => {condition}", timeout=limit * 1000, polling=200)
        except Error as error:
            shown = self.page.evaluate("document.body.innerText.slice(0, 400)")
            raise BuildError(f"The page did not get there within {limit:.0f} s. It shows: {shown}") from error
