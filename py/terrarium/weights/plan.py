"""How a graph's external weights are made of blocks: which layout of which tensors stands where in the file.

The plan and the index of the blocks travel as JSON beside the model. Gaps between tensors are zeros, so the file that a
plan describes is the same bytes wherever it is made. Any tensor can be made alone, a slab at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrarium.weights.blocks import Bytes, Floats, row_bytes
from terrarium.weights.layouts import LAYOUTS, ROW_SCALES, Layout

SLAB = 1 << 23  # weights handed on at a time
TILE = 1 << 17  # weights worked on at a time, so that they stay in the processor's cache


Read = Callable[[int, int], Bytes]  # bytes of the blocks from offset to end


@dataclass(frozen=True, slots=True)
class Entry:
    """A tensor [rows, columns] among the blocks, `offset` bytes from their start."""

    kind: str
    rows: int
    columns: int
    offset: int

    @property
    def row_bytes(self) -> int:
        return row_bytes(self.kind, self.columns)

    def read(self, first: int, last: int, read: Read) -> Bytes:
        """Rows from `first` to before `last`, [n, bytes of a row]."""
        start, end = (self.offset + row * self.row_bytes for row in (first, last))
        return read(start, end).reshape(last - first, self.row_bytes)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor of a graph lies in its weights file."""

    offset: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Made:
    """A tensor of a graph: a layout of sources, their rows one below the other."""

    layout: str
    sources: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Slab:
    """A part of a tensor as bytes [lines, width], from byte `start` of each line of `line` bytes on."""

    bytes: Bytes
    start: int
    line: int


Index = Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class Plan:
    """The weights files of a model's graphs, by name, and the name of the blocks that they are made of."""

    blocks: str
    index: Index
    files: Mapping[str, Sequence[Made]]

    def size(self, file: str) -> int:
        """Bytes of a weights file."""
        last = self.files[file][-1].place
        return last.offset + last.bytes

    def slabs(self, made: Made, read: Read) -> Iterator[Slab]:
        """The tensor in parts that together are the whole."""
        layout = LAYOUTS[made.layout]
        rows = sum(self.index[name].rows for name in made.sources)
        start = 0
        for name in made.sources:
            entry = self.index[name]
            step = max(1, SLAB // entry.columns)
            for first in range(0, entry.rows, step):
                last = min(first + step, entry.rows)
                scales = self._row_scales(name, first, last, read) if layout.scaled else np.empty(0, np.float32)
                part = _in_tiles(layout, entry, entry.read(first, last, read), scales)
                line = part.shape[1] // (last - first) * rows if layout.across else made.place.bytes
                yield Slab(part, start, line)
                start += part.shape[1]

    def _row_scales(self, name: str, first: int, last: int, read: Read) -> Floats:
        offset = self.index[name + ROW_SCALES].offset
        return read(offset + 4 * first, offset + 4 * last).view(np.float32)

    def to_json(self) -> dict[str, Any]:
        return {
            "blocks": self.blocks,
            "tensors": {name: [e.kind, e.rows, e.columns, e.offset] for name, e in self.index.items()},
            "files": {
                name: [[m.layout, [*m.sources], m.place.offset, m.place.bytes] for m in tensors]
                for name, tensors in self.files.items()
            },
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Plan:
        index = {name: Entry(*values) for name, values in content["tensors"].items()}
        files = {
            name: [Made(layout, tuple(sources), Place(*place)) for layout, sources, *place in tensors]
            for name, tensors in content["files"].items()
        }
        return cls(content["blocks"], index, files)


def _in_tiles(layout: Layout, entry: Entry, rows: Bytes, scales: Floats) -> Bytes:
    """Bytes of one line, or of one for each column of weights when the layout lies across."""
    step = max(1, TILE // entry.columns)
    whole: NDArray[Any] | None = None
    for first in range(0, len(rows), step):
        part = layout.make(entry.kind, rows[first : first + step], scales[first : first + step])
        if whole is None:
            shape = (len(part), len(rows)) if layout.across else (len(rows), *part.shape[1:])
            whole = np.empty(shape, part.dtype)
        (whole.T if layout.across else whole)[first : first + step] = part.T if layout.across else part
    assert whole is not None
    return whole.view(np.uint8).reshape(len(whole) if layout.across else 1, -1)
