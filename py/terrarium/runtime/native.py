"""The desk: models from a folder, run by onnxruntime on the CPU, tokenized by the `tokenizers` package.

A run blocks the event loop until it ends, as it does in the tab's worker; callers that work in batches give the loop a
turn between them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import onnxruntime as ort
import tokenizers
from numpy.typing import NDArray

from terrarium.errors import ModelError
from terrarium.runtime.protocols import Accelerator, Array, Backend, Tensor

DEFAULT_THREADS = 2
WARNINGS_OFF = 3  # onnxruntime's log level "error"


def default_folder() -> Path:
    """<cache>/terrarium/models, where the build leaves what it converted."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "terrarium" / "models"


class NativeTensor:
    """An onnxruntime value. Released, it cannot be fed any more."""

    def __init__(self, value: ort.OrtValue) -> None:
        self._value: ort.OrtValue | None = value

    @property
    def value(self) -> ort.OrtValue:
        if self._value is None:
            raise ModelError("A tensor was used after its release; this is a mistake in the program.")
        return self._value

    def release(self) -> None:
        self._value = None


class NativeSession:
    def __init__(self, session: ort.InferenceSession) -> None:
        self._session = session
        self._queue = asyncio.Lock()
        self.inputs = tuple(value.name for value in session.get_inputs())
        self.outputs = tuple(value.name for value in session.get_outputs())

    def allocate(self, dtype: type[np.generic], dims: Sequence[int]) -> Tensor:
        return NativeTensor(ort.OrtValue.ortvalue_from_numpy(np.zeros(dims, dtype)))

    async def run(
        self,
        feeds: Mapping[str, Array | Tensor],
        fetch: Collection[str],
        keep: Collection[str] = (),
        into: Mapping[str, Tensor] = MappingProxyType({}),
    ) -> tuple[dict[str, Array], dict[str, Tensor]]:
        names = [*fetch, *keep, *into]
        async with self._queue:
            try:
                values = self._session.run_with_ort_values(names, {n: _value(feed) for n, feed in feeds.items()})
            except (RuntimeError, ValueError) as error:
                raise ModelError(f"onnxruntime could not run the model: {error}") from error
        results = dict(zip(names, values, strict=True))
        for name, place in into.items():
            _value(place).update_inplace(results[name].numpy())
        return {name: results[name].numpy() for name in fetch}, {name: NativeTensor(results[name]) for name in keep}

    async def release(self) -> None:
        """Nothing to do: the memory goes with the last reference."""


class NativeTokenizer:
    def __init__(self, path: Path) -> None:
        self._tokenizer = tokenizers.Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def encode_batch(self, texts: Sequence[str], *, special: bool) -> list[NDArray[np.int32]]:
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=special)
        return [np.array(encoding.ids, np.int32) for encoding in encodings]

    def decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode([int(i) for i in ids], skip_special_tokens=True)

    def token_id(self, token: str) -> int | None:
        return self._tokenizer.token_to_id(token)


class NativeRuntime:
    """`folder` holds graphs, tokenizers and TOML files under the names that the TOML files use."""

    def __init__(self, folder: Path | None = None, *, threads: int = DEFAULT_THREADS) -> None:
        self.folder = folder or default_folder()
        self._threads = threads

    @property
    def name(self) -> str:
        return f"onnxruntime {ort.__version__}, cpu"

    def has(self, file: str) -> bool:
        return (self.folder / file).is_file()

    async def session(self, graph: str, data: str | None = None, backend: Backend = "wasm") -> NativeSession:
        for file in filter(None, (graph, data)):
            self._path(file)
        options = ort.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = WARNINGS_OFF
        # Waiting threads sleep: on a busy machine, spinning ones keep the core from the thread that they wait for.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            session = ort.InferenceSession(self._path(graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's exceptions have no common base but this one
            raise ModelError(f"The model {graph} does not load ({error}). Build it again.") from error
        return NativeSession(session)

    async def accelerator(self) -> Accelerator:
        return Accelerator(refused="At the desk models run on the CPU.")

    def tokenizer(self, file: str) -> NativeTokenizer:
        return NativeTokenizer(self._path(file))

    def read_text(self, file: str) -> str:
        return self._path(file).read_text(encoding="utf-8")

    def _path(self, file: str) -> Path:
        path = self.folder / file
        if not path.is_file():
            raise ModelError(f"{file} is not in {self.folder}. Run `python build.py` once: it makes the models.")
        return path


def _value(feed: Any) -> ort.OrtValue:
    return feed.value if isinstance(feed, NativeTensor) else ort.OrtValue.ortvalue_from_numpy(feed)
