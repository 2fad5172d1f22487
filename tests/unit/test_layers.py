"""The engine's folders stand one above the other: what lies below knows nothing of what lies above."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "py" / "terrarium"
DESK_ONLY = {"cli", "desk"}
# What Pyodide does not have, or what a page has no use for.
DESK_LIBRARIES = {
    "onnxruntime",
    "tokenizers",
    "sqlite3",
    "distributed",
    "matplotlib",
    "jinja2",
    "subprocess",
    "argparse",
}
DESK_MODULES = {"runtime/native.py", "storage/sqlite.py", "readers/pdf/node.py"}


def _imports(path: Path) -> list[str]:
    """Every module that is imported, also inside functions; of `from a import b` both a and a.b."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def _sources() -> list[tuple[str, Path]]:
    """(top-level module or folder, file)."""
    return [(path.relative_to(PACKAGE).with_suffix("").parts[0], path) for path in sorted(PACKAGE.rglob("*.py"))]


def test_no_folder_imports_one_that_stands_above_it():
    below: dict[str, set[str]] = {}
    for room, path in _sources():
        names = [name.split(".")[1] for name in _imports(path) if name.startswith("terrarium.")]
        below.setdefault(room, set()).update(name for name in names if name != room)
    order = list(TopologicalSorter(below).static_order())  # raises CycleError, which names the circle
    assert order.index("model") < order.index("indexes") < order.index("library") < order.index("retrieval")
    assert order.index("retrieval") < order.index("judging") < order.index("answers") < order.index("engine")
    assert "answers" in below["evaluation"] and not {"engine", "worker"} & below["evaluation"]


def test_the_tab_needs_nothing_of_the_desk():
    for room, path in _sources():
        if room in DESK_ONLY or path.relative_to(PACKAGE).as_posix() in DESK_MODULES:
            continue
        roots = {name.split(".")[0] for name in _imports(path)}
        rooms = {name.split(".")[1] for name in _imports(path) if name.startswith("terrarium.")}
        assert not roots & DESK_LIBRARIES, path
        assert not rooms & DESK_ONLY, path


def test_javascript_is_reached_from_few_places():
    users = {
        path.relative_to(PACKAGE).as_posix()
        for _, path in _sources()
        if {name.split(".")[0] for name in _imports(path)} & {"js", "pyodide", "terrarium_bridge"}
    }
    allowed = {
        "runtime/web.py",
        "runtime/web_files.py",
        "runtime/web_pages.py",
        "runtime/web_recogniser.py",
        "runtime/web_weights.py",
        "readers/apart.py",
        "readers/pdf/web.py",
        "readers/reader_web.py",
    }
    assert users <= allowed | {"storage/indexeddb.py", "worker.py"}
