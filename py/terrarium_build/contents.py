"""What goes into dist/assets/, and under which names. web/types.d.ts lists them for the page."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from terrarium_build.fetch import Fetcher
from terrarium_build.lock import Asset
from terrarium_build.models import EMBEDDERS, Model, build_model, model_for, packed_models, read_models
from terrarium_build.npm import bundle
from terrarium_build.packing import Content, InMemory, OnDisk, bundle_of
from terrarium_build.paths import NODE_MODULES, ROOT, WEB, BuildError

PYODIDE_FILES = (
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
    "micropip-0.9.0-py3-none-any.whl",
    "packaging-24.2-py3-none-any.whl",
)
# onnxruntime-web in two builds, of which the page loads one.
ORT_BUILDS = {
    "ort-wasm": ("ort.wasm.min.js", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"),
    "ort-webgpu": ("ort.jspi.min.js", "ort-wasm-simd-threaded.jspi.mjs", "ort-wasm-simd-threaded.jspi.wasm"),
}
# Text recognition. Of tesseract.js-core's builds the one whose instructions the page asks every browser for anyway.
OCR_FILES = (
    "ocr/tesseract-core-simd-lstm.js",
    "ocr/tesseract-core-simd-lstm.wasm",
    *(f"ocr/{language}.traineddata.gz" for language in ("eng", "deu", "chi_sim")),
)
INTERPRETER_FILES = ("micropython.mjs", "micropython.wasm", "pyscript-core.css")
GPU_PROBE = "gpu-probe"
WORKER_LIBRARIES = ("pyodide.js", "pyodide.asm.js")
# Timestamps inside the project's own wheel; zip knows none before 1980.
EPOCH = "315532800"


class Contents:
    """Collects assets group by group; every `Content` is made from the lock file, node_modules and the sources only."""

    def __init__(self, lock: dict[str, Asset], fetcher: Fetcher) -> None:
        self._lock = lock
        self._fetcher = fetcher

    def collect(self, generators: Sequence[str], embedders: Sequence[str]) -> list[Content]:
        """In the order in which the page loads them."""
        self._fetcher.fetch_all(asset for asset in self._lock.values() if is_packed(asset))
        contents = [*self.interface(), *self.engine(), *self.runtimes(), *self.pdf(), *self.ocr()]
        for embedder in embedders:
            model = read_models()[EMBEDDERS[embedder]]
            contents += self.model(model, f"embedder-{embedder}", f"models-{embedder}")
        for generator in generators:
            contents += self.generator(generator, model_for(generator))
        return contents

    def interface(self) -> Iterator[Content]:
        core = bundle(NODE_MODULES / "@pyscript/core/dist/core.js", "esm")
        yield Content("pyscript-core.mjs", "interface", InMemory(core))
        yield from self._pinned(INTERPRETER_FILES, "interface")
        yield bundle_of("ui", "interface", tree(WEB / "ui", "*.py", "ui/"))

    def engine(self) -> Iterator[Content]:
        yield bundle_of("worker-source", "engine", self._worker_source())
        yield from self._pinned(PYODIDE_FILES, "engine")
        wheels = [name for name in self._lock if name.startswith("wheels/")]
        wheel_files = {name: self._source(name).read() for name in sorted(wheels)}
        yield bundle_of("wheels", "engine", wheel_files | own_wheel())
        for model in packed_models([], []):
            yield from self.model(model, "engine", f"models-{model.id}")

    def runtimes(self) -> Iterator[Content]:
        for group, (library, *files) in ORT_BUILDS.items():
            # Evaluated in a worker's strict script, the UMD file leaves its name where Python's bridge cannot see it.
            yield Content(library, group, InMemory(self._source(library).read() + b"\n;self.ort=ort;\n"))
            yield from self._pinned(tuple(files), group)
        yield from self.model(read_models()[GPU_PROBE], "ort-webgpu", f"models-{GPU_PROBE}")

    def pdf(self) -> Iterator[Content]:
        yield Content("pdf_worker.js", "pdf", InMemory(bundle(WEB / "pdf_worker.js", "iife")))
        yield Content("page_worker.js", "pdf", InMemory(bundle(WEB / "page_worker.js", "iife")))
        pdfjs = NODE_MODULES / "pdfjs-dist"
        maps = tree(pdfjs / "cmaps", "*.bcmap", "pdf/cmaps/")
        fonts = tree(pdfjs / "standard_fonts", "*.[pt][ft][bf]", "pdf/standard_fonts/")
        decoders = tree(pdfjs / "wasm", "[jo]*.wasm", "pdf/wasm/")
        yield bundle_of("pdf", "pdf", maps | fonts | decoders)

    def ocr(self) -> Iterator[Content]:
        yield Content("ocr_worker.js", "ocr", InMemory(bundle(WEB / "ocr_worker.js", "iife")))
        yield from self._pinned(OCR_FILES, "ocr")

    def generator(self, name: str, model: Model) -> Iterator[Content]:
        """Everything that the page loads with a generator: what its group in the folder or its model pack holds."""
        yield from self.model(model, f"generator-{name}", f"models-{name}")

    def model(self, model: Model, group: str, bundle_name: str) -> Iterator[Content]:
        files = build_model(model, self._lock, self._fetcher)
        described = (f"{model.id}.toml", f"{model.id}.files.json")
        yield bundle_of(bundle_name, group, {f"models/{name}": files.pop(name).read() for name in described})
        for name in sorted(model.packed):
            yield Content(f"models/{name}", group, files[name])

    def _worker_source(self) -> dict[str, bytes]:
        libraries = {name: self._source(name).read() for name in WORKER_LIBRARIES}
        tokenizers = bundle(
            NODE_MODULES / "@huggingface/tokenizers/dist/tokenizers.mjs", "iife", global_name="tokenizers"
        )
        own = tree(WEB / "bridge", "*.js", "bridge/") | tree(WEB, "reader_worker.js", "") | tree(WEB, "worker.js", "")
        return libraries | {"tokenizers.js": tokenizers} | own

    def _pinned(self, names: tuple[str, ...], group: str) -> Iterator[Content]:
        for name in names:
            yield Content(name, group, self._source(name))

    def _source(self, name: str) -> OnDisk:
        if name not in self._lock:
            raise BuildError(f"assets.lock.toml has no {name}, which the page needs.")
        return OnDisk(self._fetcher.fetch(self._lock[name]), self._lock[name].sha256)


def is_packed(asset: Asset) -> bool:
    """Whether an asset is packed as it is. The others are inputs of models and tests."""
    runtimes = (name for files in ORT_BUILDS.values() for name in files)
    names = (*INTERPRETER_FILES, *PYODIDE_FILES, *runtimes, *WORKER_LIBRARIES, *OCR_FILES)
    return asset.name in names or asset.name.startswith("wheels/")


def tree(folder: Path, pattern: str, prefix: str) -> dict[str, bytes]:
    """The files below a folder by name, sorted. Raises BuildError when there is none."""
    paths = sorted(path for path in folder.rglob(pattern) if "__pycache__" not in path.parts)
    if not paths:
        raise BuildError(f"{folder.relative_to(ROOT)}/{pattern} is missing; the page cannot be built without it.")
    return {prefix + path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def own_wheel() -> dict[str, bytes]:
    """The engine as a wheel, the same bytes from the same sources."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        environment = os.environ | {"SOURCE_DATE_EPOCH": EPOCH}
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
        if done.returncode:
            raise BuildError(f"The project's own wheel could not be made:\n{done.stdout}{done.stderr}")
        (wheel,) = Path(folder).glob("*.whl")
        return {f"wheels/{wheel.name}": wheel.read_bytes()}
