"""Documents, chunks, vectors and postings ↔ bytes for a store.

Each value is one buffer in the layout of safetensors (an 8-byte length, a JSON header, raw arrays), so that reading
it back is a JSON parse and a few views into the bytes: 10,000 chunks open in a fraction of a second in a tab. The
text of a document is stored once, with its blocks; chunks are offsets into it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrarium.indexes.postings import Postings
from terrarium.model import BLOCK_SEPARATOR, Block, Chunk, Document, Word

MAX_VALUE = 64 * 2**20  # bytes of one stored value: larger ones fail or stall in browsers' stores

_DTYPES = {"U8": np.uint8, "I32": np.int32, "F16": np.float16, "F32": np.float32}
_NAMES = {np.dtype(dtype): name for name, dtype in _DTYPES.items()}
_NONE = -1  # stands for "no page" in integer arrays
_OFFSETS = ("start", "end", "parent_start", "parent_end")
_PAGES = ("page", "last_page")
_BOX = ("x", "y", "width", "height")
_LEAD = ("lead_start", "lead_length")
_LEVELS = np.array([[byte % 16 - 8, byte // 16 - 8] for byte in range(256)], np.int8)  # of a byte of token vectors

Arrays = Mapping[str, NDArray[Any]]


def pack(facts: Mapping[str, Any], arrays: Arrays) -> bytes:
    """One buffer of JSON-able facts and named arrays (uint8, int32, float16, float32)."""
    # Widest elements first: every array then starts at a multiple of its element size.
    ordered = sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize)
    ends = list(accumulate((array.nbytes for _, array in ordered), initial=0))
    header: dict[str, Any] = {"__metadata__": {"facts": json.dumps(facts)}}
    for (name, array), span in zip(ordered, pairwise(ends), strict=True):
        header[name] = {"dtype": _NAMES[array.dtype], "shape": list(array.shape), "data_offsets": list(span)}
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    return b"".join([len(head).to_bytes(8, "little"), head, *(array.tobytes() for _, array in ordered)])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Facts and arrays of `pack`; the arrays are read-only views of `data`. Raises ValueError on damage."""
    base = 8 + int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8:base])
        facts = json.loads(header.pop("__metadata__")["facts"])
        arrays = {}
        for name, entry in header.items():
            dtype = np.dtype(_DTYPES[entry["dtype"]])
            start, end = entry["data_offsets"]
            count = (end - start) // dtype.itemsize
            arrays[name] = np.frombuffer(data, dtype, count, base + start).reshape(entry["shape"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"a stored value of {len(data)} bytes is damaged: {error}") from error
    return facts, arrays


def split(data: bytes) -> list[bytes]:
    """Parts of at most `MAX_VALUE` bytes, at least one."""
    return [data[start : start + MAX_VALUE] for start in range(0, max(len(data), 1), MAX_VALUE)]


def pack_document(document: Document) -> bytes:
    """Everything of a document but its file."""
    blocks = document.blocks
    kinds = sorted({block.kind for block in blocks})
    facts = {
        name: getattr(document, name)
        for name in ("id", "name", "kind", "title", "size", "pages", "language", "warnings", "labels")
    }
    facts["recognised"] = [word.text for word in document.recognised]
    arrays: dict[str, NDArray[Any]] = {
        "text": np.frombuffer(document.text.encode("utf-8", "surrogatepass"), dtype=np.uint8),
        "length": _int32(len(block.text) for block in blocks),
        "kind": np.array([kinds.index(block.kind) for block in blocks], dtype=np.uint8),
        "page": _int32(_NONE if block.page is None else block.page for block in blocks),
        "level": _int32(block.level for block in blocks),
        "hidden": np.array([block.hidden for block in blocks], dtype=np.uint8),
        "row": _int32(block.row for block in blocks),
        "cell_count": _int32(len(block.cells) for block in blocks),
        "cell": _int32(number for block in blocks for cell in block.cells for number in cell).reshape(-1, 3),
        "word_page": _int32(word.page for word in document.recognised),
        "word_box": np.array([[getattr(word, side) for side in _BOX] for word in document.recognised], np.float32),
    }
    return pack({**facts, "kinds": kinds}, arrays)


def unpack_text(data: bytes) -> str:
    """`Document.text` alone, without making its blocks."""
    return unpack(data)[1]["text"].tobytes().decode("utf-8", "surrogatepass")


def unpack_document(data: bytes) -> Document:
    facts, arrays = unpack(data)
    text = arrays["text"].tobytes().decode("utf-8", "surrogatepass")
    kinds = facts.pop("kinds")
    lengths = arrays["length"].tolist()
    starts = accumulate((length + len(BLOCK_SEPARATOR) for length in lengths), initial=0)
    columns = (starts, lengths, *(arrays[name].tolist() for name in ("kind", "page", "level", "hidden")))
    blocks = tuple(
        Block(kinds[kind], text[start : start + length], None if page == _NONE else page, level, bool(hidden), *table)
        for (start, length, kind, page, level, hidden), table in zip(
            zip(*columns, strict=False), _table_rows(arrays, len(lengths)), strict=True
        )
    )
    words = _words(facts.pop("recognised", ()), arrays)
    facts |= {name: tuple(facts.get(name, ())) for name in ("warnings", "labels")}
    return Document(**facts, blocks=blocks, recognised=words)


def _table_rows(arrays: Arrays, blocks: int) -> Iterator[tuple[int, tuple[tuple[int, int, int], ...]]]:
    """`row` and `cells` of each block; stored before there were any: without."""
    if "row" not in arrays:
        yield from ((0, ()) for _ in range(blocks))
        return
    cells = iter(arrays["cell"].tolist())
    for row, count in zip(arrays["row"].tolist(), arrays["cell_count"].tolist(), strict=True):
        yield row, tuple((column, start, end) for column, start, end in islice(cells, count))


def _words(texts: Sequence[str], arrays: Arrays) -> tuple[Word, ...]:
    if not texts:
        return ()
    places = zip(texts, arrays["word_page"].tolist(), arrays["word_box"].tolist(), strict=True)
    return tuple(Word(page, text, *box) for text, page, box in places)


def pack_chunks(chunks: Sequence[Chunk]) -> bytes:
    paths = {path: number for number, path in enumerate(dict.fromkeys(chunk.headings for chunk in chunks))}
    arrays = {name: _int32(getattr(chunk, name) for chunk in chunks) for name in _OFFSETS}
    for name in _PAGES:
        arrays[name] = _int32(_NONE if getattr(chunk, name) is None else getattr(chunk, name) for chunk in chunks)
    arrays["lead_start"] = _int32(chunk.lead_start for chunk in chunks)
    arrays["lead_length"] = _int32(len(chunk.lead) for chunk in chunks)
    arrays["path"] = _int32(paths[chunk.headings] for chunk in chunks)
    return pack({"paths": list(paths)}, arrays)


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTable:
    """The chunks of one document. A `Chunk` is made when it is asked for: most never are."""

    document_id: str
    text: str
    paths: tuple[tuple[str, ...], ...]
    columns: Arrays

    def __len__(self) -> int:
        return len(self.columns["start"])

    def __getitem__(self, number: int) -> Chunk:
        start, end, parent_start, parent_end = (int(self.columns[name][number]) for name in _OFFSETS)
        page, last_page = (int(self.columns[name][number]) for name in _PAGES)
        # Stored before there were leads: without.
        lead, length = (int(self.columns[name][number]) if name in self.columns else 0 for name in _LEAD)
        return Chunk(
            document_id=self.document_id,
            number=number,
            text=self.text[start:end],
            start=start,
            end=end,
            parent_start=parent_start,
            parent_end=parent_end,
            page=None if page == _NONE else page,
            last_page=None if last_page == _NONE else last_page,
            headings=self.paths[self.columns["path"][number]],
            lead=self.text[lead : lead + length],
            lead_start=lead,
        )


def unpack_chunks(data: bytes, document_id: str, text: str) -> ChunkTable:
    facts, columns = unpack(data)
    return ChunkTable(document_id, text, tuple(map(tuple, facts["paths"])), columns)


def pack_vectors(vectors: NDArray[np.float32]) -> bytes:
    """[chunks, dimensions], kept as float16: unit vectors lose less than 1e-3 of a cosine."""
    return pack({}, {"vectors": vectors.astype(np.float16)})


def unpack_vectors(data: bytes) -> NDArray[np.float16]:
    return unpack(data)[1]["vectors"]


def pack_tokens(vectors: NDArray[np.int8]) -> bytes:
    """[tokens, dimensions] of one chunk, levels from -8 to 7, two in a byte. Without a header: read chunk by chunk."""
    halves = (vectors + 8).astype(np.uint8)
    return (halves[:, 0::2] | halves[:, 1::2] << 4).tobytes()


def unpack_tokens(data: bytes, dimensions: int) -> NDArray[np.int8]:
    """[tokens, dimensions]. Raises ValueError on damage."""
    return _LEVELS[np.frombuffer(data, np.uint8)].reshape(-1, dimensions)


def pack_postings(postings: Postings) -> bytes:
    return pack(
        {"terms": postings.terms, "language": postings.language},
        {name: getattr(postings, name) for name in ("starts", "chunks", "counts", "lengths")},
    )


def unpack_postings(data: bytes) -> Postings:
    facts, arrays = unpack(data)
    # Without a language: stored when every document was counted as English.
    return Postings(terms=tuple(facts["terms"]), language=facts.get("language", ""), **arrays)


def _int32(values: Iterable[int]) -> NDArray[np.int32]:
    return np.fromiter(values, dtype=np.int32)
