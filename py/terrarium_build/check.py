"""`build.py test`: a build, linter, formatter, both type checkers, every test. A failure keeps back none of them."""

from __future__ import annotations

import subprocess
import sys

from terrarium_build.browsers import install_missing_browsers
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock
from terrarium_build.models import build_model, model_for
from terrarium_build.paths import NODE_MODULES, ROOT, say
from terrarium_build.site import build

LARGE = "--large"


def check(pytest_arguments: list[str]) -> int:
    """0 when everything passed. With arguments for pytest only that part of the tests is run, and nothing else.

    `--large` stands for the tests of the large generator, whose model is made first.
    """
    install_missing_browsers("chromium", "firefox-esr")
    # Tests open the built page, and the desk's tests use the models that a build leaves in the cache.
    build(ROOT / "dist", ["small"])
    if LARGE in pytest_arguments:
        build_model(model_for("large"), read_lock(), Fetcher())
        pytest_arguments = ["-m", "large", *(one for one in pytest_arguments if one != LARGE)]
    python = [sys.executable, "-m"]
    steps = {
        "ruff check": [*python, "ruff", "check", "."],
        "ruff format": [*python, "ruff", "format", "--check", "."],
        "mypy": [*python, "mypy"],
        "tsc": ["node", str(NODE_MODULES / "typescript/bin/tsc"), "--project", "tsconfig.json"],
    }
    tests = [*python, "pytest", *pytest_arguments]
    failed = [] if pytest_arguments else [name for name, command in steps.items() if not _passes(name, command)]
    if not _passes("pytest", tests):
        failed.append("pytest")
    say(f"Failed: {', '.join(failed)}" if failed else "All checks passed.")
    return 1 if failed else 0


def _passes(name: str, command: list[str]) -> bool:
    say(f"— {name}")
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0
