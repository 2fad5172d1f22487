"""The build as a whole on a few small assets: nothing twice, nothing stale, the same bytes again."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from terrarium_build import site
from terrarium_build.__main__ import embedder_list, generator_list, parse
from terrarium_build.contents import own_wheel, tree
from terrarium_build.packing import Content, InMemory, bundle_of, pack
from terrarium_build.page import copy_page
from terrarium_build.paths import ROOT, BuildError
from terrarium_build.site import State

A = Content("a", "engine", InMemory(b"one"))
B = bundle_of("b", "interface", {"x": b"two", "y": b"three"})


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(site, "STATE", tmp_path / "state")
    return tmp_path / "dist"


def finish(out: Path, *contents: Content) -> None:
    state = State(out)
    entries = [state.entry(content) or pack(content, out) for content in contents]
    for entry in entries:
        state.remember(entry)
    state.finish("inputs", {shard["file"] for entry in entries for shard in entry["shards"]}, entries)


def test_what_is_packed_is_not_packed_again(out: Path) -> None:
    assert State(out).entry(A) is None
    finish(out, A, B)
    state = State(out)
    assert state.inputs == "inputs"
    assert state.is_whole()
    assert state.entry(A) == pack(A, out)
    assert state.entry(B) == pack(B, out)


def test_other_bytes_members_or_groups_are_packed_again(out: Path) -> None:
    finish(out, A, B)
    state = State(out)
    assert state.entry(Content("a", "engine", InMemory(b"new"))) is None
    assert state.entry(Content("a", "pdf", InMemory(b"one"))) is None
    assert state.entry(bundle_of("b", "interface", {"x": b"twoth", "y": b"ree"})) is None


def test_a_cut_or_missing_shard_is_noticed(out: Path) -> None:
    finish(out, A)
    (shard,) = (out / "assets").iterdir()
    shard.write_bytes(shard.read_bytes()[:-1])
    assert not State(out).is_whole()
    assert State(out).entry(A) is None


def test_a_build_that_was_interrupted_resumes_after_its_last_asset(out: Path) -> None:
    State(out).remember(pack(A, out))
    resumed = State(out)
    assert resumed.inputs == ""
    assert resumed.entry(A) is not None
    assert resumed.entry(B) is None


def test_files_of_an_earlier_build_go_and_those_of_others_stay(out: Path) -> None:
    finish(out, A, B)
    foreign = out / "assets" / "notes.txt"
    foreign.write_text("mine", encoding="utf-8")
    before = set((out / "assets").iterdir())
    finish(out, A)
    gone = before - set((out / "assets").iterdir())
    assert [path.name.partition(".")[0] for path in gone] == ["b"]
    assert foreign.exists()


def test_the_page_takes_what_it_names(tmp_path: Path) -> None:
    web = tmp_path / "web"
    web.mkdir()
    code = "boot()"
    (web / "index.html").write_text(
        f'<meta content="script-src {{{{csp-hashes}}}}"><link rel="icon" href="data:,"><link href="style.css">'
        f'<script src="assets/manifest.js"></script><script defer src="boot.js"></script><script>{code}</script>',
        encoding="utf-8",
    )
    (web / "style.css").write_bytes(b"body{}")
    (web / "worker.js").write_bytes(b"unnamed")
    with pytest.raises(BuildError, match=r"web/boot\.js is missing"):
        copy_page(tmp_path / "dist", web)
    assert not (tmp_path / "dist" / "index.html").exists()

    (web / "boot.js").write_bytes(b"1")
    assert copy_page(tmp_path / "dist", web) == {"index.html", "style.css", "boot.js"}
    assert not (tmp_path / "dist" / "worker.js").exists()
    expected = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert f"script-src 'sha256-{expected}'\"" in (tmp_path / "dist" / "index.html").read_text(encoding="utf-8")


def test_the_projects_wheel_is_the_same_twice_and_holds_the_engine_only() -> None:
    first = own_wheel()
    assert first == own_wheel()
    ((name, data),) = first.items()
    assert name.startswith("wheels/terrarium-") and name.endswith("-py3-none-any.whl")
    assert b"terrarium/engine.py" in data or b"terrarium/model.py" in data
    assert b"terrarium_build" not in data


def test_a_missing_part_of_the_page_is_named() -> None:
    with pytest.raises(BuildError, match=r"web/\*\.absent is missing"):
        tree(ROOT / "web", "*.absent", "")


def test_generators_are_chosen_by_name() -> None:
    assert generator_list("small,none") == ["small"]
    assert generator_list("none") == []
    with pytest.raises(Exception, match="there is no huge"):
        generator_list("huge")


def test_embedders_are_chosen_by_name_in_the_page_s_order() -> None:
    assert embedder_list("multilingual, english") == ["english", "multilingual"]
    with pytest.raises(Exception, match="at least one"):
        embedder_list("")


def test_arguments_after_test_go_to_pytest() -> None:
    assert parse(["test", "-k", "packing", "--lf"]).pytest == ["-k", "packing", "--lf"]
    assert parse(["ask", "a.pdf", "b.md", "-q", "Why?", "--json"]).files == [Path("a.pdf"), Path("b.md")]
