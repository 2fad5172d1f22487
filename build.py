"""Sets the project up and hands over to the build: `python build.py [open | test | ask | read | audit | bench | pack]`.

Needs Python >= 3.11 and Node >= 20, nothing else. Makes `.venv` with the packages of requirements.lock.txt and
`node_modules` with those of package-lock.json, both pinned by hash, each only when its list has changed. Wheels are
kept in the user's cache folder, so that a second set-up needs no network. Everything else is `terrarium_build`, run
by the Python of `.venv`.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
REQUIREMENTS = ROOT / "requirements.lock.txt"
PACKAGE_LOCK = ROOT / "package-lock.json"
MINIMUM_NODE = 20


def main() -> int:
    if sys.version_info < (3, 11):
        return complain(f"Python {platform.python_version()} is too old. Run build.py with Python 3.11 or newer.")
    problem = node_problem()
    if problem:
        return complain(problem)
    try:
        make_venv()
        install_node_modules()
        return hand_over([str(PYTHON), "-m", "terrarium_build", *sys.argv[1:]])
    except subprocess.CalledProcessError as error:
        command = " ".join(str(part) for part in error.cmd[:5])
        return complain(f"`{command} …` failed with exit code {error.returncode}; see above. Then run again.")
    except KeyboardInterrupt:
        return complain("Interrupted. Run the same command again; finished work is kept.")


def hand_over(command: list[str]) -> int:
    """Becomes the build where it can, so that whoever stops build.py stops the build and not its parent."""
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)


def complain(sentence: str) -> int:
    say(f"build.py: {sentence}")
    return 1


def say(sentence: str) -> None:
    """Standard output belongs to the result of a command, such as the JSON of `ask --json`."""
    print(sentence, file=sys.stderr, flush=True)


def node_problem() -> str:
    """A sentence when Node or npm is missing or too old, else nothing."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return f"Node and npm were not found. Install Node {MINIMUM_NODE} or newer and put it on the path."
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = version.lstrip("v").split(".")[0]
    if not major.isdigit() or int(major) < MINIMUM_NODE:
        return f"Node {version or 'of unknown version'} at {node} is too old. Install Node {MINIMUM_NODE} or newer."
    return ""


def make_venv() -> None:
    """`.venv` with the pinned packages and the project's own `py/` on its path."""
    marker = VENV / "terrarium.sha256"
    wanted = fingerprint(REQUIREMENTS.read_bytes(), platform.python_version().encode(), str(ROOT).encode())
    if marker.is_file() and marker.read_text() == wanted and PYTHON.exists():
        return
    say("Setting up .venv …")
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except subprocess.CalledProcessError as error:
        raise SystemExit(
            "build.py: this Python cannot make a virtual environment with pip. "
            "On Debian and Ubuntu install the package python3-venv, then run again."
        ) from error
    install_packages()
    purelib = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([PYTHON, "-c", purelib], check=True, capture_output=True, text=True).stdout.strip()
    (Path(site) / "terrarium.pth").write_text(f"{ROOT / 'py'}\n", encoding="utf-8")
    marker.write_text(wanted)


def install_packages() -> None:
    """From the wheels in the cache; those that are missing there are fetched first."""
    wheels = cache_folder() / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check"]
    pinned = ["--require-hashes", "-r", str(REQUIREMENTS)]
    install = [*pip, "install", "-qq", "--no-index", "--find-links", str(wheels), *pinned]
    if subprocess.run(install, check=False, stderr=subprocess.DEVNULL).returncode == 0:
        return
    say(f"Fetching Python packages into {wheels} …")
    subprocess.run([*pip, "download", "-qq", "--dest", str(wheels), *pinned], check=True)
    subprocess.run(install, check=True)


def install_node_modules() -> None:
    """`node_modules` as package-lock.json says. No package's install script is run."""
    marker = ROOT / "node_modules" / ".terrarium.sha256"
    wanted = fingerprint(PACKAGE_LOCK.read_bytes(), sys.platform.encode())
    if marker.is_file() and marker.read_text() == wanted:
        return
    say("Setting up node_modules …")
    npm = shutil.which("npm") or "npm"
    options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([npm, "ci", *options], cwd=ROOT, check=True, stdout=sys.stderr)
    marker.write_text(wanted)


def cache_folder() -> Path:
    """The same folder as `terrarium_build.paths.cache_folder`, which this file cannot import."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "terrarium"


def fingerprint(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
