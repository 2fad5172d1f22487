"""The commands of build.py."""

from __future__ import annotations

import argparse
import contextlib
import sys
import webbrowser
from pathlib import Path

from terrarium.desk.read import add_arguments as add_reading_options
from terrarium_build.browsers import install_missing_browsers
from terrarium_build.models import EMBEDDERS, GENERATORS
from terrarium_build.paths import ROOT, BuildError, say
from terrarium_build.site import build


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="build.py", description="Builds one folder that opens by double-click.")
    _add_build_options(top)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands (none: build only)")

    _add_build_options(commands.add_parser("open", help="build, then open the page in the browser"))

    test_help = "all checks and tests; with arguments, which go to pytest, only these; --large: the large generator's"
    commands.add_parser("test", help=test_help)

    ask = commands.add_parser("ask", help="ask the built page a question about files, without a window")
    ask.add_argument("files", nargs="+", type=Path, metavar="FILE")
    ask.add_argument("-q", "--question", required=True)
    ask.add_argument("--json", action="store_true", help="print one JSON object")
    modes_help = "quotes of the documents, a written answer, or both (default)"
    ask.add_argument("--mode", choices=("both", "answer", "quote"), default="both", help=modes_help)
    _add_build_options(ask)

    reading = commands.add_parser("read", help="read files inside the built page and compare them with --expect")
    add_reading_options(reading)
    _add_build_options(reading)

    _add_build_options(commands.add_parser("audit", help="count what the page sends anywhere (must be nothing)"))
    bench = commands.add_parser("bench", help="measure speed against peers in the same run")
    bench.add_argument("--json", action="store_true", help="print one JSON object")
    bench.add_argument("--models", action="store_true", help="the models alone, against others on the same weights")
    bench.add_argument("--library", action="store_true", help="a large library in the tab, against the same natively")
    chunks_help = "with --library: how large (default: 100000)"
    bench.add_argument("--chunks", type=int, default=100_000, metavar="N", help=chunks_help)
    bench.add_argument("--selftest", action="store_true", help="which backend each model gets on this machine, and why")
    turns_help = "what a turn costs stage by stage, over the questions of this set, asked about --documents"
    bench.add_argument("--turns", type=Path, metavar="SET", help=turns_help)
    documents_help = "with --turns, and with --reading the PDFs whose pages are counted"
    bench.add_argument("--documents", nargs="+", type=Path, default=[], metavar="PATH", help=documents_help)
    reading_help = "read the files of these expectations at the desk and in the page, and compare them"
    bench.add_argument("--reading", type=Path, metavar="JSONL", help=reading_help)
    bench.add_argument("--write", action="store_true", help="with --reading: put the result into docs/reading.md")
    accuracy_help = "how close the graphs of the generators are to the files that they were made of"
    bench.add_argument("--accuracy", action="store_true", help=accuracy_help)
    rounds_help = "with --models: how often each thing is measured (default: 3)"
    bench.add_argument("--rounds", type=int, default=3, choices=range(1, 21), metavar="N", help=rounds_help)
    _add_build_options(bench)

    pack = commands.add_parser("pack", help="write model packs: generators as files, for pages whose folder lacks them")
    pack.add_argument("generators", type=generator_list, metavar="NAMES", help=f"a list of: {', '.join(GENERATORS)}")
    pack.add_argument("--out", default=ROOT / "packs", type=Path, metavar="FOLDER", help="where to (default: packs)")
    return top


def parse(arguments: list[str]) -> argparse.Namespace:
    # Not argparse.REMAINDER, which leaves `-k` to this parser (https://github.com/python/cpython/issues/61252).
    if arguments[:1] == ["test"] and arguments[1:2] not in (["-h"], ["--help"]):
        return argparse.Namespace(command="test", pytest=arguments[1:])
    return parser().parse_args(arguments)


def _add_build_options(command: argparse.ArgumentParser) -> None:
    names = ", ".join(GENERATORS)
    # SUPPRESS: a command's own default would overwrite what stands before the command.
    command.add_argument(
        "--generator",
        default=argparse.SUPPRESS,
        type=generator_list,
        metavar="NAMES",
        help=f"models that write answers, a list of: {names}; or none, for answers by quotation (default: small)",
    )
    command.add_argument(
        "--embedder",
        default=argparse.SUPPRESS,
        type=embedder_list,
        metavar="NAMES",
        help=f"models that find passages by meaning, a list of: {', '.join(EMBEDDERS)} (default: all of them)",
    )
    command.add_argument(
        "--out", default=argparse.SUPPRESS, type=Path, metavar="FOLDER", help="where to build (default: dist)"
    )


def generator_list(text: str) -> list[str]:
    """ "small,none" → ["small"]: quoting is always there as a choice, so `none` adds nothing."""
    return [name for name in _names(text, [*GENERATORS, "none"]) if name != "none"]


def embedder_list(text: str) -> list[str]:
    """At least one, in the order in which the page offers them."""
    names = _names(text, list(EMBEDDERS))
    if not names:
        raise argparse.ArgumentTypeError(f"at least one is needed of {', '.join(EMBEDDERS)}")
    return names


def _names(text: str, known: list[str]) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in known]:
        raise argparse.ArgumentTypeError(f"there is no {', '.join(unknown)}; choose from {', '.join(known)}")
    return [name for name in known if name in names]


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if options.command == "test":
        from terrarium_build.check import check

        return check(options.pytest)

    if options.command == "pack":
        from terrarium_build.packs import make_pack

        for generator in options.generators:
            make_pack(generator, options.out.resolve())
        return 0

    generators = getattr(options, "generator", ["small"])
    if options.command == "bench" and options.accuracy:
        from terrarium_build.bench.accuracy import accuracy

        print(accuracy([GENERATORS[name] for name in generators]))
        return 0

    out = getattr(options, "out", ROOT / "dist").resolve()
    # These print what programs read; what the build has to say goes beside it.
    with contextlib.redirect_stdout(sys.stderr if options.command in ("ask", "read", "bench") else sys.stdout):
        embedders = getattr(options, "embedder", list(EMBEDDERS))
        index = build(out, generators, embedders)
    if options.command in ("ask", "read", "audit", "bench"):
        install_missing_browsers("chromium")
    if options.command == "open":
        say(f"Opening {index}")
        webbrowser.open(index.as_uri())
    elif options.command == "ask":
        from terrarium_build.drive_ask import ask

        return ask(index, options.files, options.question, as_json=options.json, mode=options.mode)
    elif options.command == "read":
        from terrarium_build.drive_read import read

        return read(index, options)
    elif options.command == "audit":
        from terrarium_build.audit import audit

        return audit(index)
    elif options.command == "bench":
        from terrarium_build.bench import bench, bench_library, bench_models

        if options.selftest:
            from terrarium_build.bench.selftest import selftest

            return selftest(index, as_json=options.json)
        if options.turns:
            from terrarium_build.bench.turns import bench_turns

            return bench_turns(index, options.turns, options.documents, as_json=options.json)
        if options.reading:
            from terrarium_build.bench.reading import bench_reading

            documents = options.documents
            return bench_reading(index, options.reading, documents, as_json=options.json, write=options.write)
        if options.models:
            return bench_models(index, rounds=options.rounds, as_json=options.json)
        if options.library:
            return bench_library(index, chunks=options.chunks, as_json=options.json)
        return bench(index, as_json=options.json)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BuildError as error:
        sys.exit(f"build.py: {error}")
    except KeyboardInterrupt:
        say("Interrupted. Run the same command again; finished work is kept.")
        sys.exit(130)
