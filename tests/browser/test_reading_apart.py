"""Files are read in a worker that can be killed: the engine answers meanwhile, what goes wrong ends with the file."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.pages import open_ready, run
from tests.fixtures.pdf import make_pdf

pytestmark = pytest.mark.browser

PAGES = 300
LONG = make_pdf([[(72, 90, 12, "F1", f"Page {number} of the log.")] for number in range(PAGES)])
NOTE = b"The lift is out of order.\n"

# `limits` are those of the test: (seconds without a step, seconds altogether, megabytes).
READ = """
import asyncio, base64, json
from terrarium.errors import TerrariumError
from terrarium.readers.limits import Limits
steps = []

async def read(limits=None):
    wanted = type(reader)(Limits(*limits)) if limits else reader
    data, name = base64.b64decode(args["data"]), args["name"]
    done = await wanted.read(data, name, progress=lambda done, total: steps.append([done, total]))
    inner = [each.data.decode() for each in done.enclosed]
    return [len(done.document.blocks), done.document.text[:25], done.data == data, inner]

async def outcome(limits=None):
    try:
        return await read(limits)
    except TerrariumError as error:
        return str(error)
"""


@pytest.fixture(scope="module")
def page(browser: Browser, probe: Path) -> Iterator[Page]:
    page = open_ready(browser, (probe / "index.html").as_uri())
    yield page
    page.context.close()


def read(page: Page, name: str, data: bytes, code: str = "json.dumps(await outcome())") -> Any:
    return run(page, READ + code, name=name, data=base64.b64encode(data).decode())


def read_note(page: Page) -> Any:
    return read(page, "note.txt", NOTE)


def test_the_engine_answers_while_a_file_is_read(page: Page) -> None:
    code = READ + "reading = asyncio.ensure_future(read())\nwhile not steps: await asyncio.sleep(0.01)\n"
    code += "emit({'first': steps[0]})\nfound = await reading\njson.dumps([found, steps])"
    outcome = page.evaluate(
        """async (args) => {
          let ended = false, answered = null;
          const { promise } = terrarium.call("run", args, () => {
            terrarium.call("run", { code: "'here'" }).promise.then(({ value }) => (answered = [value, ended]));
          });
          const { value } = await promise;
          ended = true;
          return { answered, value: JSON.parse(value) };
        }""",
        {"code": code, "name": "log.pdf", "data": base64.b64encode(LONG).decode()},
    )
    assert outcome["answered"] == ["here", False]
    (_, beginning, _, _), steps = outcome["value"]
    assert beginning.startswith("Page 0 of the log.")
    assert steps[:PAGES] == [[number, PAGES] for number in range(1, PAGES + 1)]
    assert all(step == [PAGES, PAGES] for step in steps[PAGES:])  # signs of life while the lines are put in order


def test_files_inside_of_a_file_come_with_their_bytes(page: Page) -> None:
    letter = b"From: a@example.org\r\nSubject: Lift\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    letter += b"--b\r\nContent-Type: text/plain\r\n\r\nSee the note.\r\n"
    letter += b'--b\r\nContent-Type: text/plain; name="note.txt"\r\n'
    letter += b'Content-Disposition: attachment; filename="note.txt"\r\n\r\n' + NOTE.strip() + b"\r\n--b--\r\n"
    *_, same, inner = read(page, "letter.eml", letter)
    assert same and [each.strip() for each in inner] == [NOTE.decode().strip()]


def test_a_file_beyond_its_time_is_given_up_and_the_next_one_is_read(page: Page) -> None:
    given_up = read(page, "log.pdf", LONG, "json.dumps(await outcome([30, 0.05, 512]))")
    assert given_up.startswith("Reading “log.pdf” was given up after 0 seconds.")
    assert read_note(page)[1] == NOTE.decode().strip()


def test_a_file_that_needs_too_much_memory_is_refused_and_the_next_one_is_read(page: Page) -> None:
    refused = read(page, "words.txt", b"word after word. \n" * 500_000, "json.dumps(await outcome([60, 60, 48]))")
    assert refused.startswith("“words.txt” needs more than 48 MB of memory to be read.")
    assert read_note(page)[1] == NOTE.decode().strip()


def test_cancelling_ends_the_reader_whatever_it_is_doing(page: Page) -> None:
    code = """
reading = asyncio.ensure_future(read())
while not steps: await asyncio.sleep(0.01)
reading.cancel()
try:
    await reading
except asyncio.CancelledError:
    ended = True
json.dumps([ended, len(steps)])
"""
    ended, steps = read(page, "log.pdf", LONG, code)
    assert ended and steps < PAGES
    assert read_note(page)[1] == NOTE.decode().strip()
