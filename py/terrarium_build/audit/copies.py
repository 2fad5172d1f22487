"""Copies of the built page with its locks taken off, for the negative controls.

A watcher that sees nothing proves nothing until it has been shown something to see. `open_copy` lets everything out;
`policy_copy` keeps the browser's policies and takes away only what the project's own code adds to them, so that the
report can tell the two layers apart. Third-party assets are linked, not copied.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from terrarium_build.paths import BuildError

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n?')
# Appended to seal.js, whose functions are ordinary script-level names. The engine's source begins with the text of
# removeNetwork, so its `toString` is the way in: the engine's closed `fetch` then falls through to the real one.
NO_REMOVAL = r"""
removeNetwork = () => {};
removeNetwork.toString = () => `
  const auditFetch = self.fetch, auditDefine = Object.defineProperty;
  Object.defineProperty = (owner, name, property) =>
    owner === self && name === "fetch"
      ? auditDefine(owner, name, { value: (...args) => property.value(...args).catch(() => auditFetch(...args)) })
      : auditDefine(owner, name, property);
  function removeNetwork() {}`;
seal.guard = () => {};
"""
NO_SEAL = "seal.tighten = () => {};\n"


def open_copy(site: Path, folder: Path) -> Path:
    """No policy, no second policy, no function removed: the address of its index.html is returned."""
    index = linked_copy(site, folder)
    html, count = POLICY.subn("", index.read_text(encoding="utf-8"))
    if count != 1:
        raise BuildError("index.html has not the one policy that the audit takes off; audit/copies.py must follow it.")
    rewrite(index, html)
    _append(folder / "seal.js", NO_REMOVAL + NO_SEAL)
    return index


def policy_copy(site: Path, folder: Path) -> Path:
    """Both policies, but no function removed and no guard."""
    index = linked_copy(site, folder)
    _append(folder / "seal.js", NO_REMOVAL)
    return index


def linked_copy(site: Path, folder: Path) -> Path:
    """The same page elsewhere; its files are the same files where the disk allows."""

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)

    shutil.copytree(site, folder, copy_function=link)
    return folder / "index.html"


def _append(file: Path, code: str) -> None:
    source = file.read_text(encoding="utf-8")
    if "function removeNetwork(" not in source or "const seal = " not in source:
        raise BuildError(
            f"{file.name} has changed in a way that the audit does not know; audit/copies.py must follow it."
        )
    rewrite(file, source + code)


def rewrite(file: Path, text: str) -> None:
    """Change a file of a linked copy, never through the link: the built page stays as it is."""
    file.unlink()
    file.write_text(text, encoding="utf-8")
