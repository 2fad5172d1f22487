"""A graph's weights in the tab, made of the generator's blocks while onnxruntime-web loads the graph.

The blocks lie in JavaScript's asset table and the tensors go to onnxruntime's memory, a slab at a time, so neither is
ever whole in Python. Not for the desk: importing this module needs Pyodide and the worker's `terrarium_bridge`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pyodide.ffi import create_proxy
from terrarium_bridge import assets, weights

from terrarium.weights.blocks import Bytes
from terrarium.weights.plan import Plan


class StandIn:
    """What the bridge's `ort.create` is given as a weights file, for as long as it loads. `blocks` names an asset."""

    def __init__(self, plan: Plan, file: str, blocks: str) -> None:
        self._plan = plan
        self._made = {made.place.offset: made for made in plan.files[file]}
        self._blocks = assets.bytes(blocks)
        self._fill = create_proxy(self._fill_tensor)
        self._problem: Exception | None = None
        self.file = weights.standIn(plan.size(file), self._fill)

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Raises what went wrong with a tensor: onnxruntime turns every exception of a file into one number."""
        self._fill.destroy()
        if self._problem:
            raise self._problem from error

    def _fill_tensor(self, start: int, target: Any) -> None:
        try:
            for slab in self._plan.slabs(self._made[start], self._read):
                weights.lay(target, slab.bytes, slab.start, slab.line)
        except Exception as error:
            self._problem = error
            raise

    def _read(self, start: int, end: int) -> Bytes:
        return np.asarray(self._blocks.subarray(start, end).to_memoryview())
