"""From the weights that others published to the files that `models/*.toml` names. No torch: gguf, onnx and numpy.

A model's [conversion] table says how: `recipe` picks the converter below, the other keys name its inputs by their
names in the lock file. Beside the graph and the tokenizer, `convert` leaves a copy of the TOML file and
`<id>.files.json` with the SHA-256 and the size of each file; traces name models by these instead of hashing them
again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file

from .bert_graph import Bert, write_bert
from .decoder_graph import write_decoder
from .gguf_weights import GgufWeights
from .maxsim_graph import write_maxsim
from .tokenizer_files import write_clean_tokenizer, write_vocabulary_tokenizer

Inputs = Mapping[str, Path]
Model = Mapping[str, Any]


def convert(model_toml: Path, inputs: dict[str, Path], out: Path) -> None:
    """Write the model's files into the folder `out`.

    `inputs` maps the lock file's asset names to paths. Raises KeyError when an asset that [conversion] names is
    missing, ValueError when it is of a kind that the recipe does not know. The same inputs give the same bytes.
    """
    model = tomllib.loads(model_toml.read_text(encoding="utf-8"))
    out.mkdir(parents=True, exist_ok=True)
    RECIPES[model["conversion"]["recipe"]](model, inputs, out)
    shutil.copyfile(model_toml, out / f"{model['id']}.toml")
    names = [name for name in model["files"].values() if name]
    record = {name: {"sha256": _sha256(out / name), "bytes": (out / name).stat().st_size} for name in names}
    text = json.dumps(record, indent=1) + "\n"
    (out / f"{model['id']}.files.json").write_text(text, encoding="utf-8", newline="\n")


def _sentence_encoder(model: Model, inputs: Inputs, out: Path) -> None:
    conversion, files = model["conversion"], model["files"]
    weights = load_file(inputs[conversion["weights"]])
    write_bert(out / files["graph"], weights, Bert(heads=conversion["heads"]))
    write_clean_tokenizer(inputs[conversion["tokenizer"]], out / files["tokenizer"])


def _decoder(model: Model, inputs: Inputs, out: Path) -> None:
    conversion, files = model["conversion"], model["files"]
    weights = GgufWeights(inputs[conversion["weights"]])
    write_decoder(
        out / files["graph"],
        out / files["data"],
        weights,
        positions=model["generate"]["max_tokens"],
        tied=conversion["tied"],
    )
    write_vocabulary_tokenizer(weights.vocabulary(), out / files["tokenizer"])


def _late_interaction(model: Model, inputs: Inputs, out: Path) -> None:
    write_maxsim(out / model["files"]["graph"], model["rerank"]["dimensions"])


RECIPES: dict[str, Callable[[Model, Inputs, Path], None]] = {
    "sentence-encoder": _sentence_encoder,
    "decoder": _decoder,
    "late-interaction": _late_interaction,
}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
