"""Hidden states of the frozen embedder for many texts, computed once and kept on disk as float16.

The converted int8 graph is read with the outputs of some layers laid open, so that the head is trained on the very
numbers that it will see. A folder holds `tokens.npy` (the ids of all texts joined), `starts.npy`, `texts.json`,
`sentence.npy`, and one file of raw float16 rows a layer. An interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Tokenizer

MAX_TOKENS = 256
BATCH = 16
KEPT_EVERY = 64  # batches between two notes of how far the work is
WIDTH = 384


class Known(Protocol):
    """Texts by place, and what the embedder makes of them."""

    @property
    def place(self) -> Mapping[str, int]: ...

    @property
    def sentence(self) -> NDArray[np.floating]:
        """[texts, width], rows of unit length."""
        ...

    def hidden(self, place: int, layers: Sequence[int]) -> NDArray[np.floating]:
        """[tokens, layers * width], without the markers."""
        ...


class States:
    """The texts of one folder: token ids, hidden states by layer, and the sentence vector."""

    def __init__(self, folder: Path) -> None:
        self.texts: list[str] = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
        self.place = {text: place for place, text in enumerate(self.texts)}
        self.starts: NDArray[np.int64] = np.load(folder / "starts.npy")
        self.ids: NDArray[np.int32] = np.load(folder / "tokens.npy")
        self.sentence: NDArray[np.float16] = np.load(folder / "sentence.npy", mmap_mode="r")
        layers = sorted(int(path.stem.removeprefix("layer")) for path in folder.glob("layer*.f16"))
        self.layers = {layer: _rows(folder, layer, len(self.ids), "r") for layer in layers}

    def tokens(self, place: int) -> NDArray[np.int32]:
        """Without [CLS] and [SEP]; an empty text has nothing else, so they stand in for it."""
        return self.ids[self._inner(place)]

    def hidden(self, place: int, layers: Sequence[int]) -> NDArray[np.float16]:
        """[tokens, layers * width], without the markers."""
        inner = self._inner(place)
        return np.concatenate([self.layers[layer][inner] for layer in layers], axis=1)

    def _inner(self, place: int) -> slice:
        start, end = int(self.starts[place]), int(self.starts[place + 1])
        return slice(start + 1, end - 1) if end - start > 2 else slice(start, end)


def compute(models: Path, texts: Sequence[str], folder: Path, layers: Sequence[int], threads: int = 2) -> States:
    """Make or complete the folder. `models` holds the converted minilm-l6. Raises ValueError for other texts there."""
    folder.mkdir(parents=True, exist_ok=True)
    unique = list(dict.fromkeys(texts))
    listed = folder / "texts.json"
    if listed.exists() and json.loads(listed.read_text(encoding="utf-8")) != unique:
        raise ValueError(f"{folder} holds the states of other texts; name another folder, or remove it.")
    listed.write_text(json.dumps(unique, ensure_ascii=False), encoding="utf-8")

    tokenizer = Tokenizer.from_file(str(models / "minilm-l6.tokenizer.json"))
    ids = [_cut(one.ids) for one in tokenizer.encode_batch(unique)]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in ids])]).astype(np.int64)
    np.save(folder / "starts.npy", starts)
    np.save(folder / "tokens.npy", np.concatenate([np.array(one, np.int32) for one in ids]))

    rows = {layer: _rows(folder, layer, int(starts[-1]), "r+") for layer in layers}
    sentence = _sentences(folder, len(unique))
    session = ort.InferenceSession(_opened(models / "minilm-l6.onnx", layers), _options(threads))
    order = sorted(range(len(ids)), key=lambda place: (len(ids[place]), place))
    note = folder / "done.txt"
    done = int(note.read_text()) if note.exists() else 0
    for number, first in enumerate(range(done, len(order), BATCH), start=1):
        places = order[first : first + BATCH]
        outputs = _run(session, [ids[place] for place in places])
        for row, place in enumerate(places):
            length = len(ids[place])
            sentence[place] = outputs[0][row]
            for layer, states in zip(layers, outputs[1:], strict=True):
                rows[layer][starts[place] : starts[place + 1]] = states[row, :length]
        if number % KEPT_EVERY == 0 or first + BATCH >= len(order):
            for one in (sentence, *rows.values()):
                one.flush()
            note.write_text(str(min(first + BATCH, len(order))))
            print(f"{folder.name}: {min(first + BATCH, len(order))} of {len(order)} texts", flush=True)
    return States(folder)


def _run(session: ort.InferenceSession, ids: Sequence[Sequence[int]]) -> list[NDArray[Any]]:
    lengths = np.array([len(one) for one in ids])
    tokens = np.zeros((len(ids), lengths.max()), np.int64)
    for row, one in enumerate(ids):
        tokens[row, : len(one)] = one
    mask = (np.arange(tokens.shape[1]) < lengths[:, None]).astype(np.int64)
    found = session.run(None, {"input_ids": tokens, "attention_mask": mask})
    return [found[0], *(one.reshape(*tokens.shape, -1) for one in found[1:])]


def _opened(graph: Path, layers: Sequence[int]) -> bytes:
    """The graph with outputs sentence and the states after each of the layers, the first layer being 1."""
    model = onnx.load(graph)
    joins = [node.output[0] for node in model.graph.node if node.op_type == "SkipLayerNormalization"]
    del model.graph.output[:]
    for name in ("sentence", *(joins[2 * layer - 1] for layer in layers)):
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    serialised: bytes = model.SerializeToString()
    return serialised


def _options(threads: int) -> ort.SessionOptions:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other work shares the cores
    return options


def _rows(folder: Path, layer: int, count: int, mode: Any) -> NDArray[np.float16]:
    path = folder / f"layer{layer}.f16"
    fresh = mode == "r+" and not path.exists()
    return np.memmap(path, np.float16, "w+" if fresh else mode, shape=(count, WIDTH))


def _sentences(folder: Path, count: int) -> Any:
    path = folder / "sentence.npy"
    if path.exists():
        return np.lib.format.open_memmap(path, mode="r+")
    return np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=(count, WIDTH))


def _cut(ids: list[int]) -> list[int]:
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]
