"""A thin hand on `onnx.helper`: names nodes, shares equal constants, refers to external tensors in one file.

The bytes it writes depend on its inputs alone, so two conversions of the same weights are equal byte for byte.
It builds and saves; it neither checks nor runs what was built, and external weights it only places.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from terrarium.weights.plan import Place

MICROSOFT = "com.microsoft"  # onnxruntime's own operators
OPSET = 21
INLINE_LIMIT = 1024  # bytes; equal constants below this are stored once

Shape = Sequence[int | str]


class Graph:
    """Collects nodes and constants. `weights` names the file of the external tensors."""

    def __init__(self, name: str, weights: str = "") -> None:
        self.name = name
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._initializers: list[onnx.TensorProto] = []
        self._shared: dict[tuple[str, tuple[int, ...], bytes], str] = {}

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
        tensor = self._initializer(array.dtype, array.shape)
        tensor.raw_data = array.tobytes()
        if key[2]:
            self._shared[key] = tensor.name
        return str(tensor.name)

    def external(self, dtype: type[np.generic], shape: Sequence[int], place: Place) -> str:
        """An initializer that lies in the weights file."""
        tensor = self._initializer(np.dtype(dtype), shape)
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", self._weights), ("offset", place.offset), ("length", place.bytes)):
            tensor.external_data.add(key=key, value=str(value))
        return str(tensor.name)

    def cast(self, x: str, dtype: type[np.generic]) -> str:
        return self.node("Cast", x, to=_onnx_type(np.dtype(dtype)))

    def node(self, op: str, *inputs: str, out: str | Sequence[str] = "", domain: str = "", **attributes: Any) -> str:
        """Add a node; return the name of its first output, which is made up unless `out` gives it."""
        outputs = [out] if isinstance(out, str) else list(out)
        name = f"{op}_{len(self._nodes)}"
        outputs[0] = outputs[0] or name
        self._nodes.append(helper.make_node(op, inputs, outputs, name=name, domain=domain, **attributes))
        return outputs[0]

    def save(self, path: Path, weights_sha256: str = "") -> None:
        """Write the graph. It records the SHA-256 of its weights file, so its own hash stands for both."""
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._initializers)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)],
            ir_version=10,
            producer_name="terrarium",
        )
        if weights_sha256:
            helper.set_model_props(model, {"weights_sha256": weights_sha256})
        path.write_bytes(model.SerializeToString(deterministic=True))

    def _initializer(self, dtype: np.dtype[Any], shape: Sequence[int]) -> onnx.TensorProto:
        name = f"constant_{len(self._initializers)}"
        tensor = onnx.TensorProto(name=name, data_type=_onnx_type(dtype), dims=shape)
        self._initializers.append(tensor)
        return tensor


def _onnx_type(dtype: np.dtype[Any]) -> int:
    return int(helper.np_dtype_to_tensor_dtype(dtype))
