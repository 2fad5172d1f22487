"""A folder of random models of every kind, complete with descriptions, as `convert` leaves it."""

from __future__ import annotations

from pathlib import Path

from safetensors.numpy import save_file
from tests.fixtures import tiny_bert, tiny_gguf
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from terrarium_build.conversion import convert

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *"the tank holds nine litres of water fish like warm green light".split()]
MAX_TOKENS = 16

DESCRIPTIONS = {
    "minilm-l6": f"""
task = "embed"
[files]
graph = "e.onnx"
tokenizer = "e.json"
answers = "e.answers.json"
[embed]
dimensions = {tiny_bert.WIDTH}
token_dimensions = {tiny_bert.TOKEN_DIMENSIONS}
max_tokens = {MAX_TOKENS}
[conversion]
recipe = "sentence-encoder"
weights = "tiny.safetensors"
tokenizer = "words.json"
heads = {tiny_bert.HEADS}
head = "head.safetensors"
""",
    "maxsim": f"""
task = "rerank"
[files]
graph = "r.onnx"
[rerank]
embedder = "minilm-l6"
dimensions = {tiny_bert.TOKEN_DIMENSIONS}
calibration = [8.0, -4.0]
[conversion]
recipe = "late-interaction"
""",
    "tiny-writer": f"""
task = "generate"
[files]
tokenizer = "g.json"
blocks = "g.blocks"
plan = "g.weights.json"
[backends.wasm]
graph = "g.onnx"
weights = "g.onnx_data"
[backends.webgpu]
graph = "g.webgpu.onnx"
weights = "g.webgpu.onnx_data"
binding = 65536
[backends.webgpu-f16]
graph = "g.webgpu-f16.onnx"
weights = "g.webgpu.onnx_data"
binding = 32768
[generate]
kv_heads = {tiny_gguf.KV_HEADS}
head_size = {tiny_gguf.WIDTH // tiny_gguf.HEADS}
max_tokens = 64
stop = ["<|im_end|>"]
counts = false
[conversion]
recipe = "decoder"
weights = "tiny.gguf"
tied = true
""",
}


def write_word_tokenizer(path: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    markers = [(word, WORDS.index(word)) for word in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, markers)
    tokenizer.add_special_tokens([word for word in WORDS if word.startswith("[")])
    tokenizer.save(str(path))


def make_models(sources: Path, out: Path) -> Path:
    """Write sources and models; return the models' folder."""
    save_file(tiny_bert.tiny_bert(), sources / "tiny.safetensors")
    tiny_bert.write_tiny_head(sources / "head.safetensors")
    tiny_gguf.write_tiny_gguf(sources / "tiny.gguf", "qwen2")
    write_word_tokenizer(sources / "words.json")
    inputs = {path.name: path for path in sources.iterdir()}
    for name, description in DESCRIPTIONS.items():
        toml = sources / f"{name}.toml"
        toml.write_text(f'id = "{name}"\nname = "{name}"\nlicence = "none"\n' + description)
        convert(toml, inputs, out)
    return out
