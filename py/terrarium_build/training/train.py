"""Training: in-batch and mined negatives, a softmax over all passages of the batch, checkpoints that resume."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from .checkpoint import resume, save
from .head import Head
from .mining import Mined
from .model import LateInteractionHead
from .recipe import Recipe
from .states import Known

LONGEST = 144  # passage tokens seen in training


def train(
    recipe: Recipe, start: Head, rows: Sequence[Mined], states: Known, checkpoint: Path, threads: int = 2
) -> Head:
    """The head trained from `start` on. A checkpoint is gone on from; raises ValueError when another recipe made it."""
    torch.set_num_threads(threads)
    torch.manual_seed(recipe.seed)
    model = LateInteractionHead(start, apart=recipe.apart)
    weighing = [model.weight, model.weight_bias]
    others = [one for one in model.parameters() if all(one is not weight for weight in weighing)]
    groups = [{"params": others}, {"params": weighing}]
    optimizer = torch.optim.AdamW(groups, lr=recipe.rate, weight_decay=0.0)
    steps = sum(1 for _ in batches(recipe, rows, 0)) * recipe.epochs
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [recipe.rate, recipe.weight_rate], total_steps=steps + 1, pct_start=0.1
    )
    done = resume(checkpoint, recipe, model, optimizer, schedule)

    number, recent = 0, 0.0
    for epoch in range(recipe.epochs):
        for batch in batches(recipe, rows, epoch):
            number += 1
            if number <= done:
                continue
            loss = _loss(model, recipe, batch, states, seed=recipe.seed + number)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            recent += (loss.item() - recent) / min(number - done, 50)
            if number % 25 == 0 or number == steps:
                print(f"step {number} of {steps}: loss {recent:.3f}, scale {float(model.scale.exp()):.1f}", flush=True)
                save(checkpoint, recipe, model, optimizer, schedule, number)
    return model.exported()


def batches(recipe: Recipe, rows: Sequence[Mined], epoch: int) -> Iterator[list[Mined]]:
    """Batches of one source each, in an order that recipe and epoch fix; a remainder is left out."""
    chance = random.Random(recipe.seed * 1000 + epoch)
    by_source: dict[str, list[Mined]] = defaultdict(list)
    for row in rows:
        by_source[row.source].append(row)
    found = []
    for group in by_source.values():
        chance.shuffle(group)
        found += [group[at : at + recipe.batch] for at in range(0, len(group) - recipe.batch + 1, recipe.batch)]
    chance.shuffle(found)
    yield from found


def _loss(model: LateInteractionHead, recipe: Recipe, batch: Sequence[Mined], states: Known, seed: int) -> Tensor:
    chance = random.Random(seed)
    texts = [row.positive for row in batch]
    for row in batch:
        texts += chance.sample(row.negatives, min(recipe.hard, len(row.negatives)))
    texts = list(dict.fromkeys(texts))
    place = {text: at for at, text in enumerate(texts)}
    x, mask = _padded(
        [model.start.features(states.hidden(states.place[text], model.layers))[:LONGEST] for text in texts]
    )
    asked, real = _padded([model.start.features(states.hidden(states.place[row.query], model.layers)) for row in batch])
    scores = model.scores(model.questions(asked, real), model.passages(x), mask) * model.scale.exp()
    wanted = torch.tensor([place[row.positive] for row in batch])
    return functional.cross_entropy(scores, wanted, label_smoothing=0.0) * batch[0].weight


def _padded(rows: Sequence[NDArray[np.float32]]) -> tuple[Tensor, Tensor]:
    lengths = np.array([len(row) for row in rows])
    x = np.zeros((len(rows), lengths.max(), rows[0].shape[1]), np.float32)
    for at, row in enumerate(rows):
        x[at, : len(row)] = row
    mask = (np.arange(x.shape[1]) < lengths[:, None]).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(mask)
