"""Where training stands, in one file: kept whole or not at all, and gone on from by the same recipe only."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from .recipe import CrossRecipe, Recipe


def save(path: Path, recipe: Recipe | CrossRecipe, model: Any, optimizer: Any, schedule: Any, number: int) -> None:
    """After step `number`. `model` has state_dict() as torch's modules do."""
    state = {
        "recipe": asdict(recipe),
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "schedule": schedule.state_dict(),
        "number": number,
    }
    torch.save(state, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)  # whole or not at all


def resume(path: Path, recipe: Recipe | CrossRecipe, model: Any, optimizer: Any, schedule: Any) -> int:
    """The number of the last step that was kept, 0 without a file. Raises ValueError when another recipe made it."""
    if not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    if state["recipe"] != asdict(recipe):
        raise ValueError(f"{path} is a checkpoint of another recipe; name another file, or remove it.")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    schedule.load_state_dict(state["schedule"])
    return int(state["number"])
