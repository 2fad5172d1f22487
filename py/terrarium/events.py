"""What a command tells the page while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Emit = Callable[[dict[str, Any]], None]


def progress_of(emit: Emit, stage: str) -> Callable[[int, int], None]:
    """What a stage calls with (done, total): it becomes a progress event."""
    return lambda done, total: emit({"type": "progress", "stage": stage, "done": done, "total": total})
