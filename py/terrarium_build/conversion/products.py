"""How a decoder multiplies with tensors of its GGUF file, in three arithmetics over one set of blocks.

`ExactProducts`: float32, what the others are held against. `Int8Products`: uint8 rows × int8 columns, quick on
WebAssembly, rounded once more than the file. `BlockProducts`: MatMulNBits over the file's own levels and scales,
nothing rounded in float32, activations and scales rounded in float16. Each places its tensors and says how they are
made; no weight passes through here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from terrarium.weights.blocks import FORMATS, Format
from terrarium.weights.layouts import ROW_SCALES, row_scales
from terrarium.weights.plan import Made, Place

from .arithmetic import RowInt8, Weight
from .gguf_weights import GgufWeights
from .graph import MICROSOFT, Graph
from .weights_files import WeightsFile

Float = type[np.float32] | type[np.float16]


class ExternalTensors:
    """A graph's tensors in its weights file: their places, and how they are made."""

    def __init__(self, graph: Graph, weights: GgufWeights, file: WeightsFile) -> None:
        self.graph = graph
        self.weights = weights
        self.made: list[Made] = []
        self._file = file

    def add(self, layout: str, sources: tuple[str, ...], dtype: type[np.generic], *shape: int) -> str:
        return self.placed(layout, sources, dtype, *shape)[0]

    def placed(self, layout: str, sources: tuple[str, ...], dtype: type[np.generic], *shape: int) -> tuple[str, Place]:
        """A tensor's name in the graph, and its place, over which another may be laid."""
        made = self._file.made(layout, sources, int(np.prod(shape)) * np.dtype(dtype).itemsize)
        self.made.append(made)
        return self.graph.external(dtype, shape, made.place), made.place

    def vector(self, *sources: str, dtype: Float = np.float32) -> str:
        """[n], the sources one after the other."""
        size = sum(self.weights.shape(source)[1] for source in sources)
        return self.add(np.dtype(dtype).name, sources, dtype, size)

    def table(self, source: str) -> str:
        """A small tensor as it is, in float32."""
        return self.add("float32", (source,), np.float32, *self.weights.shape(source))

    def shape(self, *sources: str) -> tuple[int, int]:
        """[outputs, inputs] of sources whose rows are stacked. Raises ValueError when their widths differ."""
        shapes = [self.weights.shape(source) for source in sources]
        if len({columns for _, columns in shapes}) > 1:
            raise ValueError(f"{', '.join(sources)} read inputs of different widths.")
        return sum(rows for rows, _ in shapes), shapes[0][1]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Tensors of a matrix in the graph; which are there depends on the arithmetic."""

    levels: str
    scales: str = ""
    offsets: str = ""
    format: Format | None = None
    shape: tuple[int, int] = (0, 0)  # [outputs, inputs]
    scales_place: Place | None = None


class Products(Protocol):
    def can_stack(self, *sources: str) -> bool:
        """Whether the tensors can be one matrix, rows below rows."""
        ...

    def matrix(self, *sources: str) -> Matrix: ...

    def multiply(self, x: str, matrix: Matrix) -> str:
        """[1, s, inputs] → [1, s, outputs], no bias."""
        ...

    def embedded(self, ids: str, matrix: Matrix) -> str:
        """[1, s] ids → [1, s, inputs]: an embedding looked up in the matrix that is also the output head."""
        ...


class ExactProducts:
    """Of activations and weights in `dtype`."""

    def __init__(self, tensors: ExternalTensors, dtype: Float = np.float32) -> None:
        self.tensors = tensors
        self.graph = tensors.graph
        self._dtype = dtype

    def can_stack(self, *sources: str) -> bool:
        return True

    def matrix(self, *sources: str) -> Matrix:
        rows, columns = self.tensors.shape(*sources)
        layout = f"{np.dtype(self._dtype).name}_columns"
        return Matrix(self.tensors.add(layout, sources, self._dtype, columns, rows))

    def multiply(self, x: str, matrix: Matrix) -> str:
        return self.graph.node("MatMul", x, matrix.levels)

    def embedded(self, ids: str, matrix: Matrix) -> str:
        return _looked_up(self.graph, ids, matrix.levels)


class Int8Products:
    def __init__(self, tensors: ExternalTensors) -> None:
        self.tensors = tensors
        self.graph = tensors.graph
        self._arithmetic = RowInt8(tensors.graph, axis=1)

    def can_stack(self, *sources: str) -> bool:
        return True

    def matrix(self, *sources: str) -> Matrix:
        rows, columns = self.tensors.shape(*sources)
        scales = tuple(self._row_scales(source) for source in sources)
        levels = self.tensors.add("int8_columns", sources, np.int8, columns, rows)
        return Matrix(levels, self.tensors.vector(*scales))

    def _row_scales(self, source: str) -> str:
        weights, name = self.tensors.weights, source + ROW_SCALES
        weights.add(name, row_scales(weights.kind(source), weights.rows(source))[None])
        return name

    def multiply(self, x: str, matrix: Matrix) -> str:
        return self._arithmetic.multiply(x, Weight(matrix.levels, matrix.scales))

    def embedded(self, ids: str, matrix: Matrix) -> str:
        graph = self.graph
        levels = graph.node("Cast", _looked_up(graph, ids, matrix.levels), to=1)
        scale = graph.node("Gather", matrix.scales, ids)
        return graph.node("Mul", levels, graph.node("Unsqueeze", scale, graph.constant(np.array([-1]))))


class BlockProducts:
    """Levels are those of the file in both types of activations; in float16 its scales and offsets are rounded to that.

    Offsets of a block (Q4_1, Q4_K) are a product of their own, with the sums of the block's inputs.

    WebGPU's MatMulNBits takes whole zero points only, and the offsets of these formats are no multiples of the scales.
    """

    def __init__(self, tensors: ExternalTensors, dtype: Float = np.float32) -> None:
        self.tensors = tensors
        self.graph = tensors.graph
        self._plain = ExactProducts(tensors, dtype)
        self._dtype = dtype
        self._suffix = "" if dtype is np.float32 else f"_{np.dtype(dtype).name}"
        self._sums: dict[tuple[str, int], str] = {}

    def can_stack(self, *sources: str) -> bool:
        formats = [FORMATS.get(self.tensors.weights.kind(source)) for source in sources]
        return len({(f.bits, f.size, f.minimum is None) if f else None for f in formats}) == 1

    def matrix(self, *sources: str) -> Matrix:
        format = FORMATS.get(self.tensors.weights.kind(sources[0]))
        if format is None:
            return self._plain.matrix(*sources)
        rows, columns = self.tensors.shape(*sources)
        blocks = columns // format.size
        add = self.tensors.add
        levels = add("block_levels", sources, np.uint8, rows, blocks, format.size * format.bits // 8)
        scales, place = self.tensors.placed("block_scales" + self._suffix, sources, self._dtype, rows, blocks)
        offsets = add("block_offsets" + self._suffix, sources, self._dtype, blocks, rows) if format.minimum else ""
        return Matrix(levels, scales, offsets, format, (rows, columns), place)

    def multiply(self, x: str, matrix: Matrix) -> str:
        if matrix.format is None:
            return self._plain.multiply(x, matrix)
        (rows, columns), format = matrix.shape, matrix.format
        product = self.graph.node(
            "MatMulNBits",
            *(x, matrix.levels, matrix.scales),
            domain=MICROSOFT,
            N=rows,
            K=columns,
            bits=format.bits,
            block_size=format.size,
            # 0 keeps the activations as they are; from 4 on onnxruntime's CPU kernels round them to int8.
            accuracy_level=0,
        )
        if not matrix.offsets:
            return product
        shifted = self.graph.node("MatMul", self._block_sums(x, columns, format.size), matrix.offsets)
        return self.graph.node("Add", product, shifted)

    def embedded(self, ids: str, matrix: Matrix) -> str:
        if matrix.format is None:
            return self._plain.embedded(ids, matrix)
        graph, (rows, columns), format = self.graph, matrix.shape, matrix.format
        # The head's levels are read by both operators, so a device holds them once. Its scales have a second name: this
        # operator wants a third dimension where MatMulNBits wants none.
        assert matrix.scales_place
        scales = graph.external(self._dtype, (rows, columns // format.size, 1), matrix.scales_place)
        found = graph.node(
            "GatherBlockQuantized",
            *(matrix.levels, ids, scales),
            domain=MICROSOFT,
            bits=format.bits,
            block_size=format.size,
            gather_axis=0,
            quantize_axis=2,
        )  # [1, s, blocks, size]
        if matrix.offsets:
            offsets = _looked_up(graph, ids, matrix.offsets)
            found = graph.node("Add", found, graph.node("Unsqueeze", offsets, graph.constant(np.array([-1]))))
        return graph.node("Reshape", found, graph.constant(np.array([1, -1, columns])))

    def _block_sums(self, x: str, columns: int, size: int) -> str:
        """[1, s, columns] → [1, s, columns / size]."""
        if (x, size) not in self._sums:
            graph = self.graph
            apart = graph.node("Reshape", x, graph.constant(np.array([1, -1, columns // size, size])))
            self._sums[x, size] = graph.node("ReduceSum", apart, graph.constant(np.array([-1])), keepdims=0)
        return self._sums[x, size]


def _looked_up(graph: Graph, ids: str, matrix: str) -> str:
    """Columns of [k, n] by ids [1, s], as [1, s, k]."""
    return graph.node("Transpose", graph.node("Gather", matrix, ids, axis=1), perm=[1, 2, 0])
