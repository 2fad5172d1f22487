"""How long a built page's writer takes to load and what it costs in memory and on the disk; several builds in turn.

    python -m terrarium_build.bench.writer_load dist other/dist --rounds 3 [--writer NAME] [--json]

For whoever changes how weights are packed: give it the folder of before and the one of after. Memory on Linux only.
Each round opens every build once from disk with a fresh profile, so a busy minute slows them alike. The files come out
of the system's cache (the first round warms it): a slow disk or stick adds its own time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median

from terrarium_build.bench.boot import SETTLE
from terrarium_build.bench.events import steps
from terrarium_build.bench.figures import shown, table
from terrarium_build.bench.memory import renderer_memory, watched_peak
from terrarium_build.driving import TerrariumPage, open_chromium
from terrarium_build.paths import BuildError, say

UNITS = {"folder": "MB", "shards": "s", "session": "s", "prefix": "s", "peak": "MB", "rest": "MB"}


@dataclass(frozen=True, slots=True)
class WriterLoad:
    """One opening of one build. Seconds, and MB of 10^6 bytes."""

    folder: float  # all files of the build
    shards: float  # the writer's assets read, decoded and checked
    session: float  # from the command to a session that runs and has proved itself
    prefix: float  # reading the prompt's fixed beginning
    peak: float  # most memory that the page's process ever had
    rest: float  # its memory once the writer is ready


def load_writer(index: Path, writer: str) -> WriterLoad:
    """Raises BuildError when the build has no such writer, or it does not load."""
    with watched_peak() as peak, open_chromium() as context:
        driven = TerrariumPage.open(context, index.as_uri(), writer=writer)
        driven.wait_writer()
        chosen, shards = driven.page.evaluate("[terrarium.info.generator, terrarium.info.timings['load writer']]")
        if chosen != writer:
            raise BuildError(f"{index} was built without the writer {writer}; build it with --generator {writer}.")
        (call,) = driven.calls("load_generator")
        if "error" in call:
            raise BuildError(f"The writer of {index} did not load: {call['error']['message']}")
        read = [seconds for _, seconds in steps(call["events"], "generator")]
        if len(read) < 2:
            raise BuildError(f"{index} did not say how far the prompt's beginning was read; nothing can be told apart.")
        # The first step is the session and one piece of the prompt, each later one a piece.
        session = read[0] - read[1]
        time.sleep(SETTLE)
        memory = renderer_memory()
        rest = memory.rest if memory else 0.0
    files = sum(path.stat().st_size for path in index.parent.rglob("*") if path.is_file())
    return WriterLoad(files / 1e6, shards, session, call["seconds"] - session, peak(), rest)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m terrarium_build.bench.writer_load", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="built pages")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--writer", default="small", help="which of the packed writers (default: small)")
    parser.add_argument("--json", action="store_true", help="print every round as one JSON object")
    options = parser.parse_args(arguments)
    indexes = [(folder / "index.html").resolve() for folder in options.folders]
    loads: dict[str, list[WriterLoad]] = {str(folder): [] for folder in options.folders}
    for number in range(options.rounds):
        for (name, rounds), index in zip(loads.items(), indexes, strict=True):
            say(f"Loading the writer of {name}, round {number + 1} of {options.rounds}")
            rounds.append(load_writer(index, options.writer))
    if options.json:
        print(json.dumps({name: [asdict(one) for one in rounds] for name, rounds in loads.items()}, indent=1))
        return 0
    names = [field.name for field in fields(WriterLoad)]
    rows = [
        [name, *(f"{shown(median(getattr(one, kind) for one in rounds))} {UNITS[kind]}" for kind in names)]
        for name, rounds in loads.items()
    ]
    print(table(["build", *names], rows))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BuildError as error:
        sys.exit(f"writer_load: {error}")
