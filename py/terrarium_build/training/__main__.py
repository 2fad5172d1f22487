"""The steps of training, each of which keeps its result in the work folder; see the package's docstring."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from terrarium.runtime.native import default_folder
from terrarium_build.fetch import Fetcher
from terrarium_build.lock import read_lock

from .calibrate import answer_rows, held_out_rows, report
from .calibrate import fit as fit_calibration
from .chunk_set import write_chunk_set
from .evaluate import held_out_set, late_interaction, markdown, measure, pooled
from .export import export
from .head import load_head, untrained
from .mining import load_mined, mine, save_mined
from .principal import principal_head
from .recipe import CrossRecipe, Recipe
from .sets import (
    REAL,
    AnswerSet,
    Pair,
    RetrievalSet,
    answers,
    beir,
    chunks,
    questions_with_passages,
    sample,
    training_pairs,
    without,
)
from .states import States, compute

BEIR = ("scifact", "hotpotqa_dev_sub", "cranfield")
LAYERS = (6,)  # of the embedder, counted from 1: earlier ones order worse, alone and joined to the last
PASSAGES = 3000  # enough for directions that do not change with more
CROSS_DEPTH, CROSS_QUESTIONS = 20, 100  # passages a question that a cross-encoder reads, questions a set: it is slow
CHOICE = "med"  # another domain's questions, for choosing: none of the sets that are reported


class Work:
    """The two folders, and what the steps share."""

    def __init__(self, data: Path, work: Path, models: Path) -> None:
        self.data, self.work, self.models = data, work, models
        work.mkdir(parents=True, exist_ok=True)

    def pairs(self) -> list[Pair]:
        return without(training_pairs(self.data / "train"), self.tests())

    def tests(self) -> list[RetrievalSet]:
        rag = self.data / "data" / "rag"
        return [
            *(beir(self.data / "data" / "beir" / name) for name in BEIR),
            questions_with_passages(rag / "clapnq_dev.jsonl", "clapnq"),
            questions_with_passages(rag / "squad2_dev_ctx6_2000.jsonl", "squad2"),
            self.chunks(),
        ]

    def choice(self) -> RetrievalSet:
        return beir(self.data / "data" / "beir" / CHOICE)

    def chunks(self) -> RetrievalSet:
        path = self.work / "e2e.json"
        if not path.exists():
            e2e = self.data / "e2e"
            write_chunk_set(e2e / "docs", e2e / "questions.jsonl", self.models / "minilm-l6.tokenizer.json", path)
        return chunks(path, "e2e")

    def answer_sets(self) -> list[AnswerSet]:
        rag = self.data / "data" / "rag"
        files = {"clapnq": "clapnq_dev.jsonl", "squad2": "squad2_dev_ctx6_2000.jsonl"}
        return [answers(rag / file, name) for name, file in files.items()]

    def states(self, name: str) -> States:
        return States(self.work / "states" / name)


def states(work: Work) -> None:
    """Hidden states of every text: an hour on two cores, and 15 GB."""
    pairs = training_pairs(work.data / "train")
    groups = {
        "train": [text for pair in pairs for text in (pair.query, pair.positive, *pair.mined_from)],
        **{one.name: [*one.questions, *one.passages] for one in (work.choice(), *work.tests())},
    }
    for answered in work.answer_sets():
        groups[answered.name] += [question for question, _, _ in answered.rows]
    for name, texts in groups.items():
        compute(work.models, texts, work.work / "states" / name, LAYERS)


def mine_step(work: Work) -> None:
    save_mined(mine(work.pairs(), work.states("train")), work.work / "mined.jsonl")


def principal_step(work: Work) -> None:
    """The shipped head: of the training passages only the directions count, not which question they answer."""
    texts = [row.positive for row in load_mined(work.work / "mined.jsonl") if not row.held_out and row.source == REAL]
    head = principal_head(texts[:PASSAGES], work.states("train"))
    head.save(work.work / "principal.safetensors", {"embedder": "minilm-l6", "recipe": "principal directions"})


def train_step(work: Work) -> None:
    from .train import train  # noqa: PLC0415 — torch is for this step alone

    recipe = Recipe()
    rows = [row for row in load_mined(work.work / "mined.jsonl") if not row.held_out and row.source == REAL]
    start = load_head(work.work / "principal.safetensors")
    head = train(recipe, start, rows, work.states("train"), work.work / "head.pt")
    head.save(work.work / "trained.safetensors", {"embedder": "minilm-l6", "recipe": json.dumps(asdict(recipe))})


def calibrate_step(work: Work) -> None:
    head, known = load_head(work.work / "principal.safetensors"), work.states("train")
    features, right = held_out_rows(held_out_set(work.pairs(), known, REAL), known, head)
    calibration = fit_calibration(features, right)
    calibration.save(work.work / "calibration.json")
    print(report("held out", calibration, features, right))
    for one in work.answer_sets():
        print(report(one.name, calibration, *answer_rows(one, work.states(one.name), head)))


def evaluate_step(work: Work) -> None:
    heads = {name: work.work / f"{name}.safetensors" for name in ("principal", "trained")}
    pairs = work.pairs()
    held_out = [
        held_out_set(pairs, work.states("train"), source) for source in dict.fromkeys(pair.source for pair in pairs)
    ]
    for one in (*held_out, work.choice(), *work.tests()):
        known = work.states("train" if one in held_out else one.name)
        rerankers = {"untrained": late_interaction(untrained(), known, levels=None)}
        rerankers |= {name: late_interaction(load_head(path), known) for name, path in heads.items() if path.exists()}
        print(markdown(measure(one, known, rerankers)), flush=True)


def cross_encoder_step(work: Work) -> None:
    """Trained, and measured beside the shipped head on the same questions and passages."""
    from .cross_encoder import reads_both  # noqa: PLC0415
    from .cross_train import train_cross_encoder  # noqa: PLC0415

    weights = Fetcher().fetch(read_lock()["minilm-l6.safetensors"])
    rows = [row for row in load_mined(work.work / "mined.jsonl") if not row.held_out and row.source == REAL]
    model = train_cross_encoder(CrossRecipe(), weights, rows, work.states("train"), work.work / "cross.pt")
    head = load_head(work.work / "principal.safetensors")
    tables = []
    for one in work.tests():
        if one.name == "squad2":  # for calibration: its passages come six to an article
            continue
        known = work.states(one.name)
        rerankers = {"late interaction": late_interaction(head, known), "cross-encoder": reads_both(model, known)}
        tables.append(measure(sample(one, CROSS_QUESTIONS), known, rerankers, CROSS_DEPTH))
    for table in (*tables, pooled(tables)):
        print(markdown(table, against=("rrf", "rrf+late interaction")), flush=True)


def export_step(work: Work) -> None:
    made = work.work / "late-interaction.safetensors"
    export(work.work / "principal.safetensors", work.work / "calibration.json", made)


STEPS: dict[str, Callable[[Work], None]] = {
    "states": states,
    "mine": mine_step,
    "principal": principal_step,
    "train": train_step,
    "calibrate": calibrate_step,
    "evaluate": evaluate_step,
    "cross-encoder": cross_encoder_step,
    "export": export_step,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m terrarium_build.training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with train/, data/ and e2e/")
    parser.add_argument("--work", type=Path, required=True, help="where the steps keep their results")
    parser.add_argument("--models", type=Path, default=default_folder(), help="folder with the converted models")
    parser.add_argument("steps", nargs="+", choices=STEPS, metavar="STEP", help=", ".join(STEPS))
    options = parser.parse_args(arguments)
    work = Work(options.data, options.work, options.models)
    for step in options.steps:
        STEPS[step](work)


if __name__ == "__main__":
    main()
