"""Browsers that are on the machine, for tests and for `ask`. Installed only on Debian and only as root."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from terrarium_build.paths import say

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
CHROMIUM_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
FIREFOX_NAMES = ("firefox-esr", "firefox")
FIREFOX_PATHS = ("/Applications/Firefox.app/Contents/MacOS/firefox", r"C:\Program Files\Mozilla Firefox\firefox.exe")


def find_chromium() -> Path | None:
    """A browser of the Chromium family; the environment variable TERRARIUM_CHROMIUM goes before all others."""
    return _find(os.environ.get("TERRARIUM_CHROMIUM"), CHROMIUM_NAMES, CHROMIUM_PATHS)


def find_firefox() -> Path | None:
    """Firefox; the environment variable TERRARIUM_FIREFOX goes before all others."""
    return _find(os.environ.get("TERRARIUM_FIREFOX"), FIREFOX_NAMES, FIREFOX_PATHS)


def _find(chosen: str | None, names: tuple[str, ...], paths: tuple[str, ...]) -> Path | None:
    found = [chosen, *(shutil.which(name) for name in names), *paths]
    return next((Path(path) for path in found if path and Path(path).is_file()), None)


def install_missing_browsers(*packages: str) -> None:
    """Of "chromium" and "firefox-esr", by apt on Debian as root; elsewhere it says what to do."""
    found = {"chromium": find_chromium(), "firefox-esr": find_firefox()}
    missing = [package for package in packages if found[package] is None]
    if not missing:
        return
    if not Path("/etc/debian_version").is_file() or not shutil.which("apt-get") or os.geteuid() != 0:
        names = " and no ".join(missing)
        say(f"No {names} was found. Install it, or name the program in TERRARIUM_CHROMIUM or TERRARIUM_FIREFOX.")
        return
    say(f"Installing {' and '.join(missing)} …")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    quiet = ["apt-get", "-qq", "-o=Dpkg::Use-Pty=0"]
    subprocess.run([*quiet, "update"], check=False, env=environment)
    for package in missing:
        # One at a time: a distribution that has only one of them still gets that one.
        done = subprocess.run(
            [*quiet, "install", "-y", "--no-install-recommends", package], env=environment, check=False,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        if done.returncode:
            say(f"{package} could not be installed; tests that need it will say so.")
