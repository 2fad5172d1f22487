"""The arguments of `terrarium index`, and the libraries that the other commands open."""

from __future__ import annotations

import argparse
from pathlib import Path

from terrarium.desk.index import index
from terrarium.desk.run import Plan, Say
from terrarium.errors import TerrariumError
from terrarium.storage.library_file import is_library_file
from terrarium.storage.memory import MemoryStore
from terrarium.storage.protocol import Store
from terrarium.storage.sqlite import SqliteStore
from terrarium.transfer import open_library_file, read_entry

NO_TARGET = "Say where the library is to be: -o NAME.terrarium for a file that the page takes in, or --library STORE."
NO_FILE = "There is no {path}. Check its name, then try again."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FOLDER|FILE")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="LIBRARY", help="a file that the page takes in, *.terrarium"
    )
    parser.add_argument("--library", type=Path, metavar="STORE", help="a store that later runs add to (SQLite)")
    parser.add_argument("--no-originals", action="store_true", help="leave the files themselves out: text is enough")
    parser.add_argument("--collection", default="", metavar="NAME", help="the collection that the documents belong to")
    engine_help = "where files are read: in this process on one core, or on a dask cluster (default: process)"
    parser.add_argument("--engine", choices=("process", "dask"), default="process", help=engine_help)
    scheduler_help = "with --engine dask: the cluster's; without it one is made of this machine's cores"
    parser.add_argument("--scheduler", metavar="ADDRESS", help=scheduler_help)
    parser.add_argument(
        "--workers", type=int, metavar="N", help="with --engine dask: how many processes on this machine"
    )


async def run(args: argparse.Namespace, say: Say) -> int:
    """The exit status. Raises TerrariumError."""
    if args.output is None and args.library is None:
        raise TerrariumError(NO_TARGET)
    for path in args.files:
        if not path.exists():
            raise TerrariumError(NO_FILE.format(path=path))
    plan = Plan(
        paths=args.files,
        models=args.models.resolve(),  # workers have other working folders
        output=args.output,
        library=args.library,
        embedder=args.embedder,
        collection=args.collection,
        originals=not args.no_originals,
        tokens=args.token_vectors == "stored",
        engine=args.engine,
        scheduler=args.scheduler,
        workers=args.workers,
    )
    return 1 if await index(plan, say) else 0


async def open_store(path: Path | None) -> Store:
    """A store on the disk, a library file read into memory, or without a path an empty memory. Raises StorageError."""
    if path is None:
        return MemoryStore()
    if path.is_file():
        with path.open("rb") as file:
            if is_library_file(file.read(71)):
                store = MemoryStore()
                reader = open_library_file(file)
                for entry in reader.entries:
                    _, values = read_entry(reader, entry)
                    await store.put(values)
                return store
    return SqliteStore(path)
