"""A generator's weights on disk: its blocks, once, and the files that plans make of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from terrarium.weights.plan import Entry, Index, Made, Place, Plan

from .gguf_weights import GgufWeights

ALIGNMENT = 64
PAGE = 4096  # a graph's tensors start on a page, so that they can be mapped into memory


class WeightsFile:
    """The places of tensors in a file. Graphs that read one file share the tensors that are the same in both."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._tensors: dict[tuple[str, tuple[str, ...]], Made] = {}
        self._end = 0

    @property
    def tensors(self) -> list[Made]:
        """In the order of their places."""
        return list(self._tensors.values())

    def made(self, layout: str, sources: tuple[str, ...], size: int) -> Made:
        """The tensor of `size` bytes, at the end of the file unless it is there already."""
        key = (layout, sources)
        if key not in self._tensors:
            start = self._end + -self._end % PAGE
            self._tensors[key] = Made(layout, sources, Place(start, size))
            self._end = start + size
        return self._tensors[key]


def write_blocks(path: Path, weights: GgufWeights, tensors: Iterable[Made]) -> Index:
    """Every source of the tensors, once, in the order in which they are read."""
    index: dict[str, Entry] = {}
    with path.open("wb") as file:
        for name in dict.fromkeys(source for made in tensors for source in made.sources):
            file.write(b"\0" * (-file.tell() % ALIGNMENT))
            index[name] = Entry(weights.kind(name), *weights.shape(name), file.tell())
            file.write(weights.rows(name).data)
    return index


def write_weights(path: Path, blocks: Path, plan: Plan) -> str:
    """Make the weights file of that name; returns its SHA-256."""
    content = np.memmap(blocks, np.uint8, "r")
    digest, end = hashlib.sha256(), 0
    with path.open("wb") as file:
        for made in plan.files[path.name]:
            tensor = np.empty(made.place.bytes, np.uint8)
            for slab in plan.slabs(made, lambda start, stop: content[start:stop]):
                tensor.reshape(-1, slab.line)[:, slab.start : slab.start + slab.bytes.shape[1]] = slab.bytes
            for data in (b"\0" * (made.place.offset - end), tensor.data):
                file.write(data)
                digest.update(data)
            end = made.place.offset + made.place.bytes
    return digest.hexdigest()
