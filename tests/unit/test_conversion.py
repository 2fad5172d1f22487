"""Graphs made from weights, against numpy forward passes; tokenizers made from vocabularies, against BPE by hand."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader
from gguf.quants import dequantize
from safetensors.numpy import save_file
from tests.fixtures import tiny_gguf
from tests.fixtures.tiny_bert import HEADS, LAYERS, tiny_bert
from tests.unit import model_references as reference
from tokenizers import Tokenizer

from terrarium.decoding import CausalDecoder
from terrarium.runtime.native import NativeRuntime
from terrarium.runtime.scripted import ByteTokenizer
from terrarium_build.conversion import convert
from terrarium_build.conversion.bert_graph import Bert, write_bert
from terrarium_build.conversion.decoder_graph import write_decoder
from terrarium_build.conversion.gguf_weights import GgufWeights
from terrarium_build.conversion.maxsim_graph import write_maxsim
from terrarium_build.conversion.tokenizer_files import write_clean_tokenizer, write_vocabulary_tokenizer

PROMPTS = ([5, 17, 99, 3], list(range(40, 90)), [200])


def stored_tensors(path: Path):
    """A GGUF file's tensors as they lie there, read without the converter."""
    tensors = {tensor.name: tensor for tensor in GGUFReader(path).tensors}

    def tensor(name: str):
        if name not in tensors:
            return None
        found = tensors[name]
        return dequantize(found.data, found.tensor_type).reshape(tuple(int(n) for n in found.shape[::-1]))

    return tensor


def graph_logits(folder: Path, prompts) -> list[np.ndarray]:
    async def run() -> list[np.ndarray]:
        runtime = NativeRuntime(folder)
        session = await runtime.session("tiny.onnx", "tiny.onnx_data")
        head_size = tiny_gguf.WIDTH // tiny_gguf.HEADS
        decoder = CausalDecoder(
            "t", session, ByteTokenizer(), kv_heads=tiny_gguf.KV_HEADS, head_size=head_size, max_tokens=128
        )
        return [(await decoder.forward(ids, None))[0] for ids in prompts]

    return asyncio.run(run())


@pytest.mark.parametrize("architecture", ["qwen2", "llama"])
@pytest.mark.parametrize("separate_head", [False, True])
@pytest.mark.parametrize("exact", [True, False])
def test_decoder_graph_agrees_with_numpy(tmp_path: Path, architecture: str, separate_head: bool, exact: bool):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, architecture, separate_head=separate_head)
    weights = GgufWeights(source)
    graph, data = tmp_path / "tiny.onnx", tmp_path / "tiny.onnx_data"
    write_decoder(graph, data, weights, positions=128, tied=not separate_head, exact=exact)
    sizes = {"layers": tiny_gguf.LAYERS, "heads": tiny_gguf.HEADS, "kv_heads": tiny_gguf.KV_HEADS}
    tensor = stored_tensors(source)
    for ids, logits in zip(PROMPTS, graph_logits(tmp_path, PROMPTS), strict=True):
        expected = reference.decoder(tensor, ids, base=tiny_gguf.ROPE_BASE, **sizes)
        if exact:
            np.testing.assert_allclose(logits, expected, atol=2e-4)
        else:  # seven bits for weights and activations leave about 1 % of noise in each of the 2 × 4 products
            assert reference.cosine(logits, expected) > 0.998


def test_tied_embedding_is_stored_once(tmp_path: Path):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "qwen2", separate_head=True)
    sizes = []
    for tied in (True, False):
        data = tmp_path / f"{tied}.onnx_data"
        write_decoder(tmp_path / "tiny.onnx", data, GgufWeights(source), positions=8, tied=tied)
        sizes.append(data.stat().st_size)
    assert sizes[1] - sizes[0] >= tiny_gguf.VOCABULARY * tiny_gguf.WIDTH


def test_other_architectures_are_refused(tmp_path: Path):
    source = tmp_path / "tiny.gguf"
    tiny_gguf.write_tiny_gguf(source, "gemma")
    with pytest.raises(ValueError, match="gemma"):
        GgufWeights(source)


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
        return (await session.run({"input_ids": ids, "attention_mask": mask}, ["token_vectors", "sentence"]))[0]

    arrays = asyncio.run(run())
    for row, text in enumerate(texts):
        hidden = reference.bert(weights, text, layers=LAYERS, heads=HEADS)
        tokens, sentence = reference.unit(hidden), reference.unit(hidden.mean(0))
        if exact:
            np.testing.assert_allclose(arrays["token_vectors"][row, : len(text)], tokens, atol=1e-5)
            np.testing.assert_allclose(arrays["sentence"][row], sentence, atol=1e-5)
        else:
            assert reference.cosine(arrays["sentence"][row], sentence) > 0.995
        assert not arrays["token_vectors"][row, len(text) :].any()


def test_maxsim_graph_agrees_with_numpy(tmp_path: Path):
    write_maxsim(tmp_path / "maxsim.onnx", 16)
    random = np.random.default_rng(3)
    question = reference.unit(random.normal(size=(5, 16)).astype(np.float32))
    lengths = [7, 1, 4]
    passages = [reference.unit(random.normal(size=(n, 16)).astype(np.float32)) for n in lengths]
    passages[1][0] = -question.mean(0)  # every product is negative: zero padding must not win
    padded, mask = np.zeros((3, 7, 16), np.float32), np.zeros((3, 7), np.float32)
    for row, one in enumerate(passages):
        padded[row, : len(one)], mask[row, : len(one)] = one, 1

    async def run():
        session = await NativeRuntime(tmp_path).session("maxsim.onnx")
        feeds = {"question": question, "passages": padded, "mask": mask}
        return (await session.run(feeds, ["scores"]))[0]["scores"]

    expected = [np.mean([max(float(q @ p) for p in one) for q in question]) for one in passages]
    np.testing.assert_allclose(asyncio.run(run()), expected, atol=1e-5)


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
        'id = "d"\n[files]\ngraph = "d.onnx"\ndata = "d.onnx_data"\ntokenizer = "d.json"\n[generate]\nmax_tokens = 64\n'
        '[conversion]\nrecipe = "decoder"\nweights = "tiny.gguf"\ntied = true\n'
    )
    for folder in ("one", "two"):
        convert(encoder, inputs, tmp_path / folder)
        convert(decoder, inputs, tmp_path / folder)
    one, two = ({p.name: p.read_bytes() for p in sorted((tmp_path / f).iterdir())} for f in ("one", "two"))
    assert one == two
    assert set(one) == {
        *("e.toml", "e.files.json", "e.onnx", "e.json"),
        *("d.toml", "d.files.json", "d.onnx", "d.onnx_data", "d.json"),
    }
    record = json.loads(one["d.files.json"])
    assert record["d.onnx_data"]["bytes"] == len(one["d.onnx_data"])
    assert record["d.onnx_data"]["sha256"].encode() in one["d.onnx"]
