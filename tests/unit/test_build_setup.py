"""build.py itself: the sentence for a missing Node, and the order of cache and network."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import build
import pytest

from terrarium_build import browsers, paths


def fake_program(folder: Path, name: str, output: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {output}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("version", "sentence"),
    [("v18.19.0", "Node v18.19.0"), ("nonsense", "Node nonsense"), ("v20.0.0", ""), ("v26.1.0", "")],
)
def test_node_must_be_new_enough(version: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_program(tmp_path, "node", version)
    fake_program(tmp_path, "npm", "10")
    monkeypatch.setenv("PATH", str(tmp_path))
    problem = build.node_problem()
    assert problem.startswith(sentence) and bool(problem) == bool(sentence)


def test_a_missing_node_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "Install Node 20 or newer" in build.node_problem()


class Commands:
    """Records the pip commands; `offline` lets installation fail until something was downloaded."""

    def __init__(self, wheels_are_there: bool) -> None:
        self.wheels_are_there = wheels_are_there
        self.seen: list[str] = []

    def run(self, command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        verb = "download" if "download" in command else "install"
        self.seen.append(verb)
        assert "--require-hashes" in command
        assert ("--no-index" in command) == (verb == "install")
        self.wheels_are_there |= verb == "download"
        return subprocess.CompletedProcess(command, 0 if self.wheels_are_there else 1)


@pytest.mark.parametrize(
    ("wheels_are_there", "expected"), [(True, ["install"]), (False, ["install", "download", "install"])]
)
def test_the_network_is_asked_only_for_what_the_cache_lacks(
    wheels_are_there: bool, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = Commands(wheels_are_there)
    monkeypatch.setattr(subprocess, "run", commands.run)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    build.install_packages()
    assert commands.seen == expected


def test_a_finished_setup_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = tmp_path / "package-lock.json"
    lock.write_text("{}", encoding="utf-8")
    (tmp_path / "node_modules").mkdir()
    runs: list[Any] = []
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "PACKAGE_LOCK", lock)
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **_: runs.append(arguments))
    build.install_node_modules()
    build.install_node_modules()
    assert len(runs) == 1
    lock.write_text('{"changed": true}', encoding="utf-8")
    build.install_node_modules()
    assert len(runs) == 2


def test_build_py_and_the_build_agree_on_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert build.cache_folder() == paths.cache_folder()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert build.cache_folder() == paths.cache_folder() == tmp_path / "terrarium"


def test_a_named_browser_goes_before_those_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_program(tmp_path, "chromium", "on the path")
    chosen = tmp_path / "mine"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TERRARIUM_CHROMIUM", raising=False)
    assert browsers.find_chromium() == tmp_path / "chromium"
    fake_program(tmp_path, "mine", "chosen")
    monkeypatch.setenv("TERRARIUM_CHROMIUM", str(chosen))
    assert browsers.find_chromium() == chosen
