"""Files of node_modules, which build.py installs as package-lock.json pins it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from terrarium_build.paths import NODE_MODULES, ROOT, BuildError


def npm_package(name: str) -> dict[str, Any]:
    """A package's package.json."""
    path = NODE_MODULES / name / "package.json"
    if not path.is_file():
        raise BuildError(f"The npm package {name} is not installed. Delete node_modules and run again.")
    contents: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return contents


def npm_file(source: str, member: str) -> Path:
    """The path of `member` in the installed package `source`, "name@version"."""
    name, _, version = source.rpartition("@")
    installed = npm_package(name)["version"]
    if installed != version:
        raise BuildError(f"node_modules holds {name} {installed}, {version} is wanted. Delete node_modules, run again.")
    return NODE_MODULES / name / member


def bundle(entry: Path, style: str, *, global_name: str = "") -> bytes:
    """One script of everything that `entry` imports; `style` is "esm" or "iife" (a classic script).

    Same input, same bytes: the output holds no time and no path.
    """
    if not entry.is_file():
        raise BuildError(f"{entry.relative_to(ROOT)} is missing; the page cannot be built without it.")
    options = ["--bundle", "--minify", "--charset=utf8", "--log-level=error", "--target=es2022", f"--format={style}"]
    if global_name:
        options.append(f"--global-name={global_name}")
    command = ["node", str(NODE_MODULES / "esbuild/bin/esbuild"), str(entry), *options]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    if done.returncode:
        raise BuildError(f"esbuild could not bundle {entry.name}:\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def shipped_packages() -> dict[str, dict[str, Any]]:
    """package-lock.json's entries, by path, of all packages whose code may be in the page.

    That is the dependencies and theirs; some of them are there only inside another package's bundle. Development and
    optional packages (Node's canvas for pdf.js) are not.
    """
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    return {
        path: entry
        for path, entry in sorted(lock["packages"].items())
        if path and not any(entry.get(kind) for kind in ("dev", "optional", "peer", "devOptional"))
    }
