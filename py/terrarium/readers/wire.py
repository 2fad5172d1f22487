"""A file as it was read, as text and buffers that travel between workers: the bytes inside of it beside the JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from terrarium.model import Block, Document, Word
from terrarium.readers.content import ReadFile

BLOCK = [field.name for field in fields(Block)]


def dumps(read: ReadFile) -> tuple[str, list[bytes]]:
    """(JSON, the bytes of each file inside, in the JSON's order). The bytes of `read` itself stay behind."""
    buffers: list[bytes] = []
    return json.dumps(_packed(read, buffers), ensure_ascii=False, separators=(",", ":")), buffers


def loads(text: str, data: bytes, buffers: Sequence[bytes]) -> ReadFile:
    """The same again; `data` are the bytes of the file itself."""
    return _unpacked(json.loads(text), data, iter(buffers))


def dump_words(words: Sequence[Word]) -> str:
    return json.dumps([_values(word) for word in words], ensure_ascii=False)


def load_words(text: str) -> tuple[Word, ...]:
    return tuple(Word(*values) for values in json.loads(text))


def _values(item: Any) -> list[Any]:
    return [getattr(item, field.name) for field in fields(item)]


def _packed(read: ReadFile, buffers: list[bytes]) -> dict[str, Any]:
    document = {field.name: getattr(read.document, field.name) for field in fields(Document)}
    parts = {name: [_values(item) for item in document[name]] for name in ("blocks", "recognised")}
    buffers += [enclosed.data for enclosed in read.enclosed]
    return {"document": document | parts, "enclosed": [_packed(enclosed, buffers) for enclosed in read.enclosed]}


def _unpacked(packed: dict[str, Any], data: bytes, buffers: Iterator[bytes]) -> ReadFile:
    document: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in packed["document"].items()
    }
    document["blocks"] = tuple(_block(values) for values in document["blocks"])
    document["recognised"] = tuple(Word(*values) for values in document["recognised"])
    datas = [next(buffers) for _ in packed["enclosed"]]
    enclosed = [_unpacked(one, inner, buffers) for one, inner in zip(packed["enclosed"], datas, strict=True)]
    return ReadFile(Document(**document), data, tuple(enclosed))


def _block(values: list[Any]) -> Block:
    block: dict[str, Any] = dict(zip(BLOCK, values, strict=True))
    return Block(**block | {"cells": tuple(tuple(cell) for cell in block["cells"])})
