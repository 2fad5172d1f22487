"""Graphs made from weights, against numpy forward passes; tokenizers made from vocabularies, against BPE by hand."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tests.fixtures import tiny_gguf
from tests.fixtures.tiny_bert import HEADS, LAYERS, tiny_bert
from tests.unit import model_references as reference
from tokenizers import Tokenizer

from terrarium.runtime.native import NativeRuntime
from terrarium_build.conversion import convert
from terrarium_build.conversion.bert_graph import Bert, write_bert
from terrarium_build.conversion.gguf_weights import GgufWeights
from terrarium_build.conversion.tokenizer_files import write_clean_tokenizer, write_vocabulary_tokenizer


@pytest.mark.parametrize("exact", [True, False])
def test_bert_graph_agrees_with_numpy(tmp_path: Path, exact: bool):
    weights = tiny_bert()
    write_bert(tmp_path / "bert.onnx", weights, Bert(heads=HEADS, exact=exact))
    texts = [[1, 5, 9, 2], [1, 2], [1, 7, 7, 8, 30, 11, 2]]
    longest = max(map(len, texts))
    ids = np.array([text + [0] * (longest - len(text)) for text in texts], np.int64)
    mask = np.array([[1] * len(text) + [0] * (longest - len(text)) for text in texts], np.int64)

    async def run():
        session = await NativeRuntime(tmp_path).session("bert.onnx")
        return (await session.run({"input_ids": ids, "attention_mask": mask}, ["sentence"]))[0]["sentence"]

    for vector, text in zip(asyncio.run(run()), texts, strict=True):
        sentence = reference.unit(reference.bert(weights, text, layers=LAYERS, heads=HEADS).mean(0))
        if exact:
            np.testing.assert_allclose(vector, sentence, atol=1e-5)
        else:
            assert reference.cosine(vector, sentence) > 0.995


def bpe_by_hand(word: str) -> list[str]:
    """Merge the earliest rule that applies, leftmost first, until none does."""
    parts = list(word)
    for left, right in (merge.split(" ") for merge in tiny_gguf.MERGES):
        at = 0
        while at < len(parts) - 1:
            if (parts[at], parts[at + 1]) == (left, right):
                parts[at : at + 2] = [left + right]
            at += 1
    return parts


def test_gguf_tokenizer_agrees_with_bpe_by_hand(tmp_path: Path):
    source, target = tmp_path / "tiny.gguf", tmp_path / "tokenizer.json"
    tiny_gguf.write_tiny_gguf(source, "qwen2")
    vocabulary = GgufWeights(source).vocabulary()
    write_vocabulary_tokenizer(vocabulary, target)
    tokenizer = Tokenizer.from_file(str(target))
    ids = {token: number for number, token in enumerate(vocabulary.tokens)}
    printable = tiny_gguf.byte_tokens()
    # Words as Qwen2's pattern cuts them: digits one by one, contractions in any case, the space with what follows.
    words = ["in", " the", " theme", "'LL", " ", "1", "2", "\n\n", "é", "!"]
    expected = [ids[part] for word in words for part in bpe_by_hand("".join(printable[b] for b in word.encode()))]
    assert tokenizer.encode("".join(words)).ids == expected
    assert tokenizer.encode("<|im_start|>in").ids == [ids["<|im_start|>"], ids["in"]]
    assert tokenizer.decode(expected) == "".join(words)
    assert tokenizer.token_to_id("[PAD0]") is None


def test_clean_tokenizer_has_no_truncation_and_no_padding(tmp_path: Path):
    source, target = tmp_path / "source.json", tmp_path / "clean.json"
    tiny_gguf.write_tiny_gguf(tmp_path / "tiny.gguf", "llama")
    write_vocabulary_tokenizer(GgufWeights(tmp_path / "tiny.gguf").vocabulary(), source)
    tokenizer = Tokenizer.from_file(str(source))
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=4)
    tokenizer.save(str(source))
    write_clean_tokenizer(source, target)
    assert len(Tokenizer.from_file(str(source)).encode("a b c d e f").ids) == 4
    assert len(Tokenizer.from_file(str(target)).encode("a b c d e f").ids) == 11


def test_convert_gives_the_same_bytes_and_records_them(tmp_path: Path):
    save_file(tiny_bert(), tmp_path / "weights.safetensors")
    tiny_gguf.write_tiny_gguf(tmp_path / "tiny.gguf", "qwen2")
    write_vocabulary_tokenizer(GgufWeights(tmp_path / "tiny.gguf").vocabulary(), tmp_path / "tokenizer.json")
    inputs = {path.name: path for path in tmp_path.iterdir()}
    encoder, decoder = tmp_path / "e.toml", tmp_path / "d.toml"
    encoder.write_text(
        'id = "e"\n[files]\ngraph = "e.onnx"\ntokenizer = "e.json"\n[conversion]\nrecipe = "sentence-encoder"\n'
        f'weights = "weights.safetensors"\ntokenizer = "tokenizer.json"\nheads = {HEADS}\n'
    )
    decoder.write_text(
        'id = "d"\n[files]\ntokenizer = "d.json"\nblocks = "d.blocks"\nplan = "d.weights.json"\n'
        '[backends.wasm]\ngraph = "d.onnx"\nweights = "d.onnx_data"\n[generate]\nmax_tokens = 64\n'
        '[conversion]\nrecipe = "decoder"\nweights = "tiny.gguf"\ntied = true\n'
    )
    for folder in ("one", "two"):
        convert(encoder, inputs, tmp_path / folder)
        convert(decoder, inputs, tmp_path / folder)
    one, two = ({p.name: p.read_bytes() for p in sorted((tmp_path / f).iterdir())} for f in ("one", "two"))
    assert one == two
    assert set(one) == {
        *("e.toml", "e.files.json", "e.onnx", "e.json"),
        *("d.toml", "d.files.json", "d.onnx", "d.onnx_data", "d.blocks", "d.weights.json", "d.json"),
    }
    record = json.loads(one["d.files.json"])
    assert record["d.onnx_data"]["bytes"] == len(one["d.onnx_data"])
    assert record["d.onnx_data"]["sha256"].encode() in one["d.onnx"]
