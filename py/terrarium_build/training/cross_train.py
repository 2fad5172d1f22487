"""Training of the cross-encoder: which of some passages is the answer, and is this one? Checkpoints that resume."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from .checkpoint import resume, save
from .cross_encoder import CrossEncoder
from .joining import join
from .mining import Mined
from .recipe import CrossRecipe
from .states import States

KEPT_EVERY = 50  # steps between two checkpoints


def train_cross_encoder(
    recipe: CrossRecipe, weights: Path, rows: Sequence[Mined], states: States, checkpoint: Path, threads: int = 2
) -> CrossEncoder:
    """The trained model. A checkpoint is gone on from; raises ValueError when another recipe made it."""
    torch.set_num_threads(threads)
    model = CrossEncoder(weights, recipe.frozen)
    groups = [
        {"params": list(model.body.values()), "weight_decay": 0.01},
        {"params": list(model.head.values()), "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=recipe.rate)
    drawn = draw(recipe, rows)
    steps = len(drawn)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer,
        [recipe.rate, recipe.head_rate],
        total_steps=steps + 1,
        pct_start=recipe.warm,
        anneal_strategy="linear",
        cycle_momentum=False,
    )
    done = resume(checkpoint, recipe, model, optimizer, schedule)

    started, recent = time.monotonic(), torch.zeros(2)
    for number, batch in enumerate(drawn[done:], start=done + 1):
        both = _losses(model, recipe, batch, states)
        optimizer.zero_grad()
        (both[0] + recipe.pointwise * both[1]).backward()
        torch.nn.utils.clip_grad_norm_([*model.body.values(), *model.head.values()], 1.0)
        optimizer.step()
        schedule.step()
        recent += (both.detach() - recent) / min(number - done, 25)
        if number % 10 == 0:
            shown = f"softmax {recent[0]:.3f}, pointwise {recent[1]:.3f}, scale {model.head['head.scale'].item():.1f}"
            print(f"step {number} of {steps}: {shown}, {time.monotonic() - started:.0f} s", flush=True)
        if number % KEPT_EVERY == 0 or number == steps:
            save(checkpoint, recipe, model, optimizer, schedule, number)
    return model


def draw(recipe: CrossRecipe, rows: Sequence[Mined]) -> list[list[tuple[Mined, list[str]]]]:
    """Batches of (row, its negatives), the same for the same recipe; rows with too few negatives are left out."""
    chance = random.Random(recipe.seed)
    able = [row for row in rows if len(row.negatives) >= recipe.hard]
    taken = chance.sample(able, min(recipe.questions, len(able)))
    drawn = [(row, chance.sample(row.negatives, recipe.hard)) for row in taken]
    return [drawn[at : at + recipe.batch] for at in range(0, len(drawn) - recipe.batch + 1, recipe.batch)]


def _losses(
    model: CrossEncoder, recipe: CrossRecipe, batch: Sequence[tuple[Mined, list[str]]], states: States
) -> Tensor:
    """[2]: softmax over a question's passages, of which the first is the answer; binary cross-entropy of each."""
    texts = [(row.query, text) for row, negatives in batch for text in (row.positive, *negatives)]
    pairs = [(states.tokens(states.place[query]), states.tokens(states.place[text])) for query, text in texts]
    with torch.autocast("cpu", torch.bfloat16):
        logits = model.logits(join(pairs, recipe.longest)).view(len(batch), -1)
    right = torch.zeros_like(logits)
    right[:, 0] = 1
    listwise = functional.cross_entropy(logits, torch.zeros(len(batch), dtype=torch.long))
    return torch.stack([listwise, functional.binary_cross_entropy_with_logits(logits, right)])
