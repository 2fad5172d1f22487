"""A thin hand on `onnx.helper`: names nodes, shares equal constants, puts large ones into one external file.

The bytes it writes depend on its inputs alone, so two conversions of the same weights are equal byte for byte.
It builds and saves; it neither checks nor runs what was built.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

MICROSOFT = "com.microsoft"  # onnxruntime's own operators
OPSET = 21
ALIGNMENT = 4096  # external tensors start on a page, so that they can be mapped into memory
INLINE_LIMIT = 1024  # bytes; smaller tensors stay in the graph file

Shape = Sequence[int | str]


class Graph:
    """Collects nodes and constants. With `data`, constants from INLINE_LIMIT bytes up go into that file (< 2 GB)."""

    def __init__(self, name: str, data: Path | None = None) -> None:
        self.name = name
        self._data = data
        self._file: BinaryIO | None = None
        self._digest = hashlib.sha256()
        self._offset = 0
        self._nodes: list[onnx.NodeProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._initializers: list[onnx.TensorProto] = []
        self._shared: dict[tuple[str, tuple[int, ...], bytes], str] = {}

    def __enter__(self) -> Graph:
        if self._data is not None:
            self._file = self._data.open("wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def input(self, name: str, dtype: type[np.generic], shape: Shape) -> str:
        self._inputs.append(helper.make_tensor_value_info(name, _onnx_type(np.dtype(dtype)), shape))
        return name

    def output(self, name: str, dtype: type[np.generic], shape: Shape) -> None:
        self._outputs.append(helper.make_tensor_value_info(name, _onnx_type(np.dtype(dtype)), shape))

    def constant(self, values: NDArray[Any] | np.generic) -> str:
        """The name of an initializer with these values; equal small ones are stored once."""
        array = np.asarray(values, order="C")
        key = (array.dtype.str, array.shape, array.tobytes() if array.nbytes < INLINE_LIMIT else b"")
        if key[2] and key in self._shared:
            return self._shared[key]
        name = f"constant_{len(self._initializers)}"
        tensor = onnx.TensorProto(name=name, data_type=_onnx_type(array.dtype), dims=array.shape)
        if self._file is None or array.nbytes < INLINE_LIMIT:
            tensor.raw_data = array.tobytes()
            self._shared[key] = name
        else:
            self._store(tensor, array)
        self._initializers.append(tensor)
        return name

    def node(self, op: str, *inputs: str, out: str | Sequence[str] = "", domain: str = "", **attributes: Any) -> str:
        """Add a node; return the name of its first output, which is made up unless `out` gives it."""
        outputs = [out] if isinstance(out, str) else list(out)
        name = f"{op}_{len(self._nodes)}"
        outputs[0] = outputs[0] or name
        self._nodes.append(helper.make_node(op, inputs, outputs, name=name, domain=domain, **attributes))
        return outputs[0]

    def save(self, path: Path) -> None:
        """Write the graph. It records the SHA-256 of the external file, so its own hash stands for both."""
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._initializers)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)],
            ir_version=10,
            producer_name="terrarium",
        )
        if self._data is not None:
            helper.set_model_props(model, {"weights_sha256": self._digest.hexdigest()})
        path.write_bytes(model.SerializeToString(deterministic=True))

    def _store(self, tensor: onnx.TensorProto, array: NDArray[Any]) -> None:
        assert self._file is not None and self._data is not None
        self._write(b"\0" * (-self._offset % ALIGNMENT))
        place = {"location": self._data.name, "offset": str(self._offset), "length": str(array.nbytes)}
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in place.items():
            tensor.external_data.add(key=key, value=value)
        self._write(array.data)

    def _write(self, data: bytes | memoryview) -> None:
        assert self._file is not None
        self._file.write(data)
        self._digest.update(data)
        self._offset += len(data) if isinstance(data, bytes) else data.nbytes


def _onnx_type(dtype: np.dtype[Any]) -> int:
    return int(helper.np_dtype_to_tensor_dtype(dtype))
