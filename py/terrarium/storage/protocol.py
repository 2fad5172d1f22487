"""What the library asks of a store: whole documents in, whole documents out, nothing half-kept.

A store keeps bytes under (kind, key). It knows nothing of chunks or vectors: `library.py` packs and unpacks them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, get_args

Kind = Literal["documents", "blocks", "chunks", "vectors", "tokens", "postings", "originals", "traces", "settings"]

KINDS: tuple[Kind, ...] = get_args(Kind)


class Store(Protocol):
    """Values are bytes of at most 64 MiB; keys are text."""

    @property
    def persistent(self) -> bool:
        """False when closing the tab loses everything (private window, memory store)."""
        ...

    async def put(self, values: Mapping[Kind, Mapping[str, bytes]]) -> None:
        """Write all of it or none of it, durably, before returning. Raises StorageError."""
        ...

    async def get(self, kind: Kind, key: str) -> bytes | None: ...

    async def get_many(self, kind: Kind, keys: Sequence[str]) -> list[bytes | None]:
        """What `get` gives for each key, all read at one moment: one transaction where each costs a millisecond."""
        ...

    async def keys(self, kind: Kind) -> list[str]:
        """The keys of the kind in their order, without reading a value."""
        ...

    async def items(self, kind: Kind) -> dict[str, bytes]:
        """Every value of the kind, in the order of the keys."""
        ...

    async def delete(self, keys: Mapping[Kind, list[str]]) -> None:
        """Remove all of it or none of it; keys that are not there are no error."""
        ...

    async def close(self) -> None: ...
