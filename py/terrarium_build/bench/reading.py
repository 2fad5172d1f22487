"""`build.py bench --reading`: files read at the desk and inside the built page, each compared with what is expected.

For each file whether it came out as expected on both sides, how long it took and the most memory; how many pages of
`--documents` are read a second; and how steadily the longest file tells how far it is. At the desk a file's seconds
hold the start of its process, which the pages a second leave out; the tab keeps its reader between files. On a busy
machine all of them are too long.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from terrarium.desk.expectations import unmet
from terrarium.desk.read import read_expected
from terrarium.desk.reading import Reading, read, read_apart
from terrarium.errors import TerrariumError
from terrarium_build.bench.figures import shown, table
from terrarium_build.drive_read import PageReader
from terrarium_build.driving import open_chromium
from terrarium_build.packing import write_whole
from terrarium_build.paths import ROOT, STATE, BuildError, say

PAGE = ROOT / "docs" / "reading.md"
MARKS = ("<!-- measured by `build.py bench --reading`: begin -->", "<!-- measured: end -->")
ROUNDS = 3  # of the documents whose pages are counted


@dataclass(frozen=True, slots=True)
class Came:
    """One file on both sides; `why` is "" where it came out as expected."""

    file: str
    why: tuple[str, str]  # desk, tab
    seconds: tuple[float, float]
    megabytes: tuple[int, int]
    kind: str


@dataclass(frozen=True, slots=True)
class Pace:
    """Progress of one file in the tab."""

    file: str
    pages: int
    seconds: float
    events: int
    largest_gap: float  # seconds between two of them, the start and the end of reading among them
    quarters: tuple[
        float, ...
    ]  # what share of the pages had been told after a quarter, half, three quarters of the time


@dataclass(frozen=True, slots=True)
class Speed:
    file: str
    pages: int
    desk: float  # pages a second, the median of the rounds
    tab: float
    ratio: float  # tab ÷ desk, the median of the rounds' own


def bench_reading(
    index: Path, expect: Path, documents: Sequence[Path], *, as_json: bool = False, write: bool = False
) -> int:
    """Print the report, and keep it; with `write` in docs/reading.md too. Always 0. Raises BuildError."""
    try:
        expected = read_expected(expect)
    except TerrariumError as error:
        raise BuildError(str(error)) from error
    with open_chromium() as context:
        tab = PageReader(context, index)
        came, pace = _corpus(expect.parent, expected, tab)
        speeds = _speeds([file for path in documents for file in _pdfs(path)], tab)
    found = as_record(came, pace, speeds)
    write_whole(STATE / "bench" / "reading.json", f"{json.dumps(found, ensure_ascii=False, indent=1)}\n".encode())
    text = as_markdown(came, pace, speeds)
    if write:
        PAGE.write_text(between_marks(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")
    print(json.dumps(found, ensure_ascii=False, indent=1) if as_json else text)
    return 0


def _pdfs(path: Path) -> list[Path]:
    return sorted(path.rglob("*.pdf")) if path.is_dir() else [path]


def _corpus(folder: Path, expected: dict[str, dict[str, Any]], tab: PageReader) -> tuple[list[Came], Pace | None]:
    came: list[Came] = []
    longest: Pace | None = None
    for name, known in expected.items():
        file = folder / name
        desk = [read_apart(file, None)]
        page = [tab.read(file, None)]
        if page[0].pages and page[0].pages > (longest.pages if longest else 1) and tab.progress:
            longest = pace_of(name, page[0], tab.progress)
        if known.get("password"):
            desk += [read_apart(file, known["password"])] if desk[0].error_kind == "PasswordNeeded" else []
            page += [tab.read(file, known["password"])] if page[0].error_kind == "PasswordNeeded" else []
        why = (unmet(known, *desk), unmet(known, *page))
        say(f"{name}: {' / '.join(reason or 'as expected' for reason in why)}")
        seconds = (desk[-1].seconds, page[-1].seconds)
        kind = desk[-1].kind or page[-1].kind
        came.append(Came(name, why, seconds, (desk[-1].megabytes, page[-1].megabytes), kind))
    return came, longest


def pace_of(name: str, reading: Reading, progress: Sequence[tuple[int, int, float]]) -> Pace:
    times = [0.0, *(seconds for _, _, seconds in progress), reading.seconds]
    gaps = [after - before for before, after in pairwise(times)]
    told = [
        max(
            (done / total for done, total, seconds in progress if total and seconds <= part * reading.seconds),
            default=0,
        )
        for part in (0.25, 0.5, 0.75)
    ]
    return Pace(name, reading.pages or 0, reading.seconds, len(progress), max(gaps), tuple(told))


def _speeds(files: Sequence[Path], tab: PageReader) -> list[Speed]:
    found = []
    for file in files:
        say(f"Pages a second of {file.name}")
        rounds = [(_read_here(file), tab.read(file, None)) for _ in range(ROUNDS)]
        if wrong := next((page.error for _, page in rounds if page.error), ""):
            raise BuildError(f"{file.name} could not be read: {wrong}")
        pages = rounds[0][1].pages or 0
        paces = [(pages / seconds, pages / page.seconds) for seconds, page in rounds]
        desk, page = (median(pace[side] for pace in paces) for side in (0, 1))
        found.append(Speed(file.name, pages, desk, page, median(page / desk for desk, page in paces)))
    return found


def _read_here(file: Path) -> float:
    """Seconds at the desk without the start of a process for each file; pdf.js runs in a new Node as ever."""
    started = time.perf_counter()
    try:
        with ThreadPoolExecutor(1) as thread:  # this one has the loop of the browser's driver
            thread.submit(asyncio.run, read(file, None)).result()
    except TerrariumError as error:
        raise BuildError(str(error)) from error
    return time.perf_counter() - started


def as_record(came: Sequence[Came], pace: Pace | None, speeds: Sequence[Speed]) -> dict[str, Any]:
    """As JSON: `met` counts the files that came out as expected on that side."""
    record: dict[str, Any] = {"total": len(came)}
    for side, name in enumerate(("desk", "tab")):
        failures = [{"file": one.file, "why": one.why[side]} for one in came if one.why[side]]
        record[name] = {"met": len(came) - len(failures), "failures": failures}
        slowest = max(came, key=lambda one: one.seconds[side], default=None)
        record[name] |= {"slowest": [slowest.file, slowest.seconds[side]]} if slowest else {}
        record[name] |= {"megabytes": max((one.megabytes[side] for one in came), default=0)}
    record["pace"] = {name: getattr(pace, name) for name in Pace.__slots__} if pace else None
    record["speeds"] = [{name: getattr(one, name) for name in Speed.__slots__} for one in speeds]
    record["files"] = [{name: getattr(one, name) for name in Came.__slots__} for one in came]
    return record


def as_markdown(came: Sequence[Came], pace: Pace | None, speeds: Sequence[Speed]) -> str:
    record = as_record(came, pace, speeds)
    desk, tab = record["desk"], record["tab"]
    parts = [
        f"As expected: **{desk['met']} of {len(came)}** at the desk, **{tab['met']} of {len(came)}** in the page. "
        f"The slowest file took {shown(desk['slowest'][1])} s at the desk ({desk['slowest'][0]}) and "
        f"{shown(tab['slowest'][1])} s in the page ({tab['slowest'][0]}). The most memory was {desk['megabytes']:,} MB "
        f"of the process that read a file, and {tab['megabytes']:,} MB of the whole tab.",
    ]
    if pace:
        first, second, third = (f"{share:.0%}" for share in pace.quarters)
        listed = f"{first}, {second} and {third}".replace("%", " %")
        parts.append(
            f"{pace.file} ({pace.pages:,} pages) took {shown(pace.seconds)} s in the page and told {pace.events:,} "
            f"times how far it was. The longest silence was {shown(pace.largest_gap)} s; after a quarter, half and "
            f"three quarters of the time {listed} of its pages were told."
        )
    if speeds:
        head = ["PDF", "pages", "pages a second, desk", "in the page", "page ÷ desk"]
        rows = [[s.file, f"{s.pages:,}", shown(s.desk), shown(s.tab), f"**{s.ratio:.2f}**"] for s in speeds]
        parts += [f"Medians of {ROUNDS} rounds, both sides one after the other:", table(head, rows)]
    head = ["file", "kind", "desk", "page", "s, desk", "s, page", "MB, desk", "what was not met"]
    parts.append(table(head, [_row(one) for one in came]))
    return "\n\n".join(parts)


def _row(one: Came) -> list[str]:
    met = ["no" if why else "met" for why in one.why]
    seconds = [f"{value:.2f}" for value in one.seconds]
    why = one.why[0] if one.why[0] == one.why[1] else "; ".join(
        f"{side}: {reason}" for side, reason in zip(("desk", "page"), one.why, strict=True) if reason
    )  # fmt: skip
    return [one.file, one.kind or "–", *met, *seconds, str(one.megabytes[0]), why.replace("|", "/").replace("\n", " ")]


def between_marks(text: str, measured: str) -> str:
    """The page with what stands between its marks exchanged. Raises BuildError where there are none."""
    begin, end = (re.escape(mark) for mark in MARKS)
    new, found = re.subn(f"({begin})\n.*?({end})", lambda m: f"{m[1]}\n\n{measured}\n\n{m[2]}", text, flags=re.DOTALL)
    if not found:
        raise BuildError("docs/reading.md has lost the marks between which its measurements stand.")
    return new
