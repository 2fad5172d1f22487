"""`terrarium read`: files as the engine reads them, each in a process that is stopped when it takes too long.

With --expect they are compared with what is known of them, a line of JSON a file: {file, outcome: "text", "partial",
"error" or "text_or_error", must_contain: [[place, text]], must_not_contain: [text], error, password}. A place that is a
number is a page, and the text must stand on it; of other places only the text is looked for, anywhere in the document.
Texts are equal when they are so after NFKC and with every run of white space as one space.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from terrarium.desk.expectations import unmet
from terrarium.desk.reading import Reading, read_apart
from terrarium.errors import TerrariumError

# (file, password) → what came of it.
ReadOne = Callable[[Path, str | None], Reading]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="without any, those that --expect names")
    parser.add_argument("--expect", type=Path, metavar="JSONL", help="what is known of the files, one line each")
    parser.add_argument("--json", metavar="PATH", help="write the result as JSON there, “-” for standard output")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="that a file may take (default: by its size)")


def run(args: argparse.Namespace, note: Callable[[str], None]) -> int:
    """`terrarium read`: each file in a process of its own, `args.jobs` at once. As `read_all`."""
    with ThreadPoolExecutor(args.jobs) as pool:
        return read_all(args, lambda file, password: read_apart(file, password, args.limit), note, pool.map)


def read_all(
    args: argparse.Namespace, read: ReadOne, note: Callable[[str], None], each: Callable[..., Iterable[Any]] = map
) -> int:
    """Read, compare, and print or write the result, for options of `add_arguments`.

    0 when every file could be read, or came out as expected; 1 when not. Raises TerrariumError.
    """
    expected = read_expected(args.expect) if args.expect else {}
    files = chosen_files(args.files, args.expect, expected)

    def one(file: Path) -> dict[str, Any]:
        known = expected.get(file.name)
        reading = read(file, None)
        if known and known.get("password") and reading.error_kind == "PasswordNeeded":
            opened = read(file, known["password"])
        else:
            opened = None
        why = unmet(known, reading, opened) if known else reading.error
        note(f"{file.name}: {why or 'as expected' if known else why or summary(reading)}")
        return {"file": file.name, "why": why, **reading.record()}

    rows = list(each(one, files))
    failures = [{"file": row["file"], "why": row["why"]} for row in rows if row["why"]]
    result = {"met": len(rows) - len(failures), "total": len(rows), "failures": failures, "files": rows}
    text = json.dumps(result, ensure_ascii=False, indent=1)
    if args.json == "-":
        print(text)
    elif args.json:
        Path(args.json).write_text(text + "\n", encoding="utf-8")
    else:
        print(f"{result['met']} of {result['total']} {'as expected' if expected else 'read'}")
    return 1 if failures else 0


def chosen_files(files: Sequence[Path], expect: Path | None, expected: Mapping[str, Any]) -> Sequence[Path]:
    """Those named, else those beside the file of expectations. Raises TerrariumError."""
    found = files or [expect.parent / name for name in expected if expect]
    if not found:
        raise TerrariumError("Name the files that are to be read, or what is known of them with --expect.")
    for file in found:
        if expect and file.name not in expected:
            raise TerrariumError(f"{expect} says nothing of {file.name}. Leave it out, or add a line for it.")
        if not file.is_file():
            raise TerrariumError(f"There is no file {file}. Check its name, then try again.")
    return found


def read_expected(path: Path) -> dict[str, dict[str, Any]]:
    """By name of the file. Raises TerrariumError."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return {row["file"]: row for row in rows}
    except OSError as error:
        raise TerrariumError(f"{path} could not be read: {error.strerror}. Check its name, then try again.") from error
    except (ValueError, TypeError, KeyError) as error:
        raise TerrariumError(f"{path} does not say what is expected: it must hold a line of JSON a file.") from error


def summary(reading: Reading) -> str:
    pages = f", {reading.pages} pages" if reading.pages else ""
    said = "".join(f"; {warning}" for warning in reading.warnings)
    return f"{reading.kind}{pages}, {reading.words} words{said}"
