"""Models in the tab: onnxruntime-web and @huggingface/tokenizers behind `web/bridge/*.js`.

Arrays are copied once in each direction; a model's weights never pass through Python. Sessions and kept results are
numbers that JavaScript resolves, so nothing here holds a proxy longer than a call.
Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyodide.ffi import JsException, to_js
from terrarium_bridge import assets, gpu, ort, tokenizers

from terrarium.errors import DeviceLost, ModelError
from terrarium.runtime.protocols import Accelerator, Array, Backend, Session, Tensor, Tokenizer
from terrarium.runtime.web_weights import StandIn
from terrarium.weights.plan import Plan

MODELS = "models/"
PLAN = ".weights.json"
NOT_HERE = "The model file {file} is not part of this page, or was loaded before."

# numpy type → (ONNX name, Pyodide buffer name). JavaScript holds float16 and bool in unsigned integers of their size.
DTYPES: dict[str, tuple[str, str]] = {
    "float32": ("float32", "f32"),
    "float64": ("float64", "f64"),
    "float16": ("float16", "u16"),
    "int64": ("int64", "i64"),
    "int32": ("int32", "i32"),
    "int16": ("int16", "i16"),
    "int8": ("int8", "i8"),
    "uint8": ("uint8", "u8"),
    "bool": ("bool", "u8"),
}
NUMPY_NAMES = {onnx: numpy for numpy, (onnx, _) in DTYPES.items()}


class WebTensor:
    """A result that stays in JavaScript."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    @property
    def handle(self) -> int:
        if self._handle is None:
            raise ModelError("A model's result was used after it had been released. Reload the page.")
        return self._handle

    def release(self) -> None:
        if self._handle is not None:
            ort.releaseTensor(self._handle)
            self._handle = None


class WebSession:
    """One graph in onnxruntime-web."""

    def __init__(self, graph: str, made: Any) -> None:
        self._graph, self._id = graph, int(made.id)
        self._inputs, self._outputs = tuple(made.inputs), tuple(made.outputs)

    @property
    def inputs(self) -> tuple[str, ...]:
        return self._inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        return self._outputs

    def allocate(self, dtype: type[np.generic], dims: Sequence[int]) -> Tensor:
        onnx, _ = DTYPES[np.dtype(dtype).name]
        try:
            return WebTensor(int(ort.allocate(self._id, onnx, to_js(list(dims)))))
        except JsException as error:
            raise _model_error(error, f"The model {self._graph} got no memory for its results") from error

    async def run(
        self,
        feeds: Mapping[str, Array | Tensor],
        fetch: Collection[str],
        keep: Collection[str] = (),
        into: Mapping[str, Tensor] = MappingProxyType({}),
    ) -> tuple[dict[str, Array], dict[str, Tensor]]:
        """As `Session.run`. Other messages are let in before each run, so that a cancel is seen."""
        packed = to_js([_feed(name, value) for name, value in feeds.items()])
        places = to_js([_feed(name, value) for name, value in into.items()])
        try:
            fetched, kept = await ort.run(self._id, packed, to_js(list(fetch)), to_js(list(keep)), places)
        except JsException as error:
            raise _model_error(error, f"The model {self._graph} could not be run") from error
        arrays = {name: _array(*result) for name, result in zip(fetch, fetched, strict=True)}
        handles: dict[str, Tensor] = {name: WebTensor(int(handle)) for name, handle in zip(keep, kept, strict=True)}
        return arrays, handles

    async def release(self) -> None:
        await ort.release(self._id)


def _model_error(error: JsException, what: str) -> ModelError:
    if error.name == "DeviceLost":
        return DeviceLost(f"{error.message} Reload the page if the next question fails as well.")
    return ModelError(f"{what}: {error}")


def _feed(name: str, value: Array | Tensor) -> list[Any]:
    """What `bridge/ort.js` calls a feed: [name, handle] or [name, type, dims, typed array]."""
    if isinstance(value, WebTensor):
        return [name, value.handle]
    assert isinstance(value, np.ndarray)
    array = np.ascontiguousarray(value)
    onnx, buffer = DTYPES[array.dtype.name]
    raw = array.view(np.uint16 if array.dtype == np.float16 else np.uint8) if buffer in {"u16", "u8"} else array
    return [name, onnx, list(value.shape), ort.copyIn(raw.reshape(-1), buffer)]


def _array(onnx: str, dims: Any, data: Any) -> Array:
    """A typed array of JavaScript as a numpy array of its own memory."""
    array = np.empty(tuple(int(size) for size in dims), dtype=NUMPY_NAMES[onnx])
    if array.size:
        data.assign_to(array.reshape(-1).view(np.uint16) if array.dtype == np.float16 else array.reshape(-1))
    return array


class WebTokenizer:
    """One tokenizer.json."""

    def __init__(self, file: str) -> None:
        self._id = int(tokenizers.open(MODELS + file))

    def encode_batch(self, texts: Sequence[str], *, special: bool) -> list[NDArray[np.int32]]:
        if not texts:
            return []
        flat, lengths = tokenizers.encodeBatch(self._id, to_js(list(texts)), special)
        ids = np.empty(flat.length, dtype=np.int32)
        ends = np.empty(lengths.length, dtype=np.int32)
        lengths.assign_to(ends)
        if ids.size:
            flat.assign_to(ids)
        return np.split(ids, np.cumsum(ends)[:-1])

    def decode(self, ids: Sequence[int]) -> str:
        return str(tokenizers.decode(self._id, to_js([int(i) for i in ids])))

    def token_id(self, token: str) -> int | None:
        found = int(tokenizers.tokenId(self._id, token))
        return None if found < 0 else found


class WebRuntime:
    """The tab's own `Runtime`: files are the asset table's entries under `models/`."""

    @property
    def name(self) -> str:
        return str(ort.name())

    def has(self, file: str) -> bool:
        return bool(assets.has(MODELS + file))

    async def session(self, graph: str, data: str | None = None, backend: Backend = "wasm") -> Session:
        """Load a graph. The weights' bytes leave the asset table, and on "wasm" the graph's: it can be loaded once.

        Weights that are no asset are made of blocks. These are kept for as long as another backend may want them.
        """
        if not self.has(graph):
            raise ModelError(NOT_HERE.format(file=graph))
        if data and not self.has(data):
            plan = self._plan_for(data)
            await assets.restore(MODELS + plan.blocks)
            with StandIn(plan, data, MODELS + plan.blocks) as weights:
                made = await self._create(graph, [[data, weights.file]], backend)
            if (await self.accelerator()).refused:
                assets.take(MODELS + plan.blocks)
            else:
                await assets.park(MODELS + plan.blocks)
        else:
            made = await self._create(graph, [[data, MODELS + data]] if data else [], backend)
        return WebSession(graph, made)

    async def _create(self, graph: str, externals: list[list[Any]], backend: Backend) -> Any:
        try:
            return await ort.create(MODELS + graph, to_js(externals), backend)
        except JsException as error:
            trouble = "could not be loaded; the tab may be short of memory. Close other tabs and reload the page"
            raise _model_error(error, f"The model {graph} {trouble}") from error

    def _plan_for(self, weights: str) -> Plan:
        """The plan that makes a weights file. Raises ModelError when there is none, or when its blocks are gone."""
        for name in assets.names().to_py():
            if name.endswith(PLAN):
                plan = Plan.from_json(json.loads(assets.text(name)))
                if weights in plan.files and self.has(plan.blocks):
                    return plan
        raise ModelError(NOT_HERE.format(file=weights))

    async def accelerator(self) -> Accelerator:
        found = await gpu.describe()
        return Accelerator(found.refused, found.name, int(found.binding), bool(found.float16))

    def tokenizer(self, file: str) -> Tokenizer:
        return WebTokenizer(file)

    def read_text(self, file: str) -> str:
        return str(assets.text(MODELS + file))
