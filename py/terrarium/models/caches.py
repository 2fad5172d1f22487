"""Where a decoder keeps keys and values: the two forms of its graph ask for two ways.

`Growing`: the graph makes new tensors in each pass and reads as many positions of the old ones as it is told. A cache
stays valid whatever is done with others. The form for WebAssembly, where results are copied out of the heap anyway.

`InPlace`: the graph writes into tensors of a fixed size, the same for all caches. A cache is a number of positions, and
what is read behind a shorter one ends the longer ones. The form for WebGPU, where growing tensors would be copied in
each pass and get slower in steps.

Neither moves keys and values out of the runtime; dropping the last positions (`cut`) costs nothing in both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from terrarium.errors import ModelError
from terrarium.runtime.protocols import Array, Cache, Session, Tensor


@dataclass(frozen=True, slots=True)
class Step:
    """What one pass takes of the cache, and where its results go: see `Session.run`."""

    feeds: Mapping[str, Array | Tensor]
    keep: Sequence[str]
    into: Mapping[str, Tensor]


class Caches(Protocol):
    """All caches of one decoder."""

    def before(self, cache: Cache | None, tokens: int) -> Step:
        """The step that adds `tokens` to the cache. Raises ValueError when it is not a valid one of this decoder."""
        ...

    def after(self, length: int, kept: Mapping[str, Tensor]) -> Cache:
        """The cache that the step has made."""
        ...

    def release(self) -> None:
        """Give back what the decoder itself holds. No cache is valid afterwards."""
        ...


def caches_for(session: Session, *, kv_heads: int, head_size: int, max_tokens: int) -> Caches:
    """What the graph's inputs ask for. Only `InPlace` takes room for `max_tokens`."""
    if "seqlens_k" in session.inputs:
        return InPlace(session, (1, kv_heads, max_tokens, head_size))
    return Growing(session, (1, kv_heads, 0, head_size))


def cut_length(cache: Cache, length: int) -> int:
    """`length`, if the cache can be cut to it; raises ValueError otherwise."""
    if not 0 < length <= cache.length:
        raise ValueError(f"A cache of {cache.length} tokens cannot be cut to {length}.")
    return length


@dataclass(slots=True)
class KeyValues:
    """A cache of `Growing`: each layer's keys and values by the names of the graph's inputs."""

    length: int
    tensors: Mapping[str, Tensor]

    def cut(self, length: int) -> KeyValues:
        self.length = cut_length(self, length)
        return self

    def release(self) -> None:
        for tensor in self.tensors.values():
            tensor.release()


class Growing:
    """Over inputs past.i.k, past.i.v and `used`, outputs present.i.k and present.i.v."""

    def __init__(self, session: Session, dims: tuple[int, ...]) -> None:
        self._presents = _presents(session)
        self._empty = {_past(name): np.zeros(dims, np.float32) for name in self._presents}

    def before(self, cache: Cache | None, tokens: int) -> Step:
        if cache is not None and not isinstance(cache, KeyValues):
            raise ValueError("This cache was made by another kind of decoder.")
        used = np.array([cache.length if cache else 0], np.int64)
        return Step({"used": used, **(cache.tensors if cache else self._empty)}, self._presents, {})

    def after(self, length: int, kept: Mapping[str, Tensor]) -> Cache:
        return KeyValues(length, {_past(name): tensor for name, tensor in kept.items()})

    def release(self) -> None:
        """Nothing: each cache holds its own."""


@dataclass(slots=True, eq=False)
class Beginning:
    """A cache of `InPlace`: the first `length` positions."""

    length: int
    valid: list[Beginning]  # those of its decoder

    def cut(self, length: int) -> Beginning:
        self.length = cut_length(self, length)
        return self

    def release(self) -> None:
        if self in self.valid:
            self.valid.remove(self)


class InPlace:
    """Over GroupQueryAttention: past.i and present.i are one tensor, `seqlens_k` says which positions count.

    The tensors are made with the first pass and stay until the session goes.
    """

    def __init__(self, session: Session, dims: tuple[int, ...]) -> None:
        self._session, self._dims = session, dims
        self._presents = _presents(session)
        self._tensors: Mapping[str, Tensor] = {}
        self._valid: list[Beginning] = []

    def before(self, cache: Cache | None, tokens: int) -> Step:
        """From here on all longer caches are invalid: the pass writes over them."""
        if cache is not None and not isinstance(cache, Beginning):
            raise ValueError("This cache was made by another kind of decoder.")
        if cache is not None and cache not in self._valid:
            raise ValueError("This cache was released, or a shorter one was continued after it was made.")
        used = cache.length if cache else 0
        self._valid[:] = [one for one in self._valid if one.length <= used]
        if not self._tensors:
            self._tensors = {name: self._session.allocate(np.float32, self._dims) for name in self._presents}
        counts = {
            "seqlens_k": np.array([used + tokens - 1], np.int32),
            "total_sequence_length": np.array(used + tokens, np.int32),
        }
        pasts = {_past(name): tensor for name, tensor in self._tensors.items()}
        return Step({**counts, **pasts}, (), self._tensors)

    def after(self, length: int, kept: Mapping[str, Tensor]) -> Cache:
        beginning = Beginning(length, self._valid)
        self._valid.append(beginning)
        return beginning

    def release(self) -> None:
        for tensor in self._tensors.values():
            tensor.release()
        self._tensors = {}
        self._valid.clear()


def _presents(session: Session) -> tuple[str, ...]:
    names = tuple(name for name in session.outputs if name.startswith("present."))
    if not names:
        raise ModelError("This graph keeps no keys and values, so it is none of a decoder. Build it again.")
    return names


def _past(present: str) -> str:
    return present.replace("present.", "past.", 1)
