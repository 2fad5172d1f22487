"""What the events of one command say about its speed. `after` is in seconds since the command was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

Event = Mapping[str, Any]


def progress(events: Sequence[Event], stage: str) -> Iterator[tuple[int, float]]:
    """(done, after) of each progress event of a stage."""
    for event in events:
        if event["type"] == "progress" and event["stage"] == stage:
            yield event["done"], event["after"]


def rate(events: Sequence[Event], stage: str) -> float:
    """Things done a second, between a stage's first event and its last."""
    points = list(progress(events, stage))
    if len(points) < 2:
        raise ValueError(f"{stage}: {len(points)} events are too few for a speed")
    (first, begun), (last, ended) = points[0], points[-1]
    return (last - first) / (ended - begun)


def steps(events: Sequence[Event], stage: str) -> list[tuple[int, float]]:
    """(things done, seconds) from each event of a stage to its next."""
    return [(to - of, after - before) for (of, before), (to, after) in pairwise(progress(events, stage))]


def first_and_last(events: Sequence[Event], kind: str) -> tuple[float, float]:
    """When the first and the last event of a type came."""
    times = [event["after"] for event in events if event["type"] == kind]
    if not times:
        raise ValueError(f"no event of the type {kind}")
    return times[0], times[-1]
