"""The way of one answer in time: a row for each stage, its bar where and as long as it was."""

from ui import words
from ui.dom import h
from ui.trace_judged import listing
from ui.trace_rows import way
from ui.trace_words import stage

OLDER = "This record is of an older kind: it says how long each stage took, and not when it began."
SLIVER = 0.004  # of the whole: a bar no shorter than can be seen


def _row(name: str, depth: int, start: float, seconds: object, whole: float) -> object:
    mark = seconds is None
    left = 100 * start / whole if whole else 0
    width = 0 if mark else 100 * max(seconds / whole if whole else 0, SLIVER)
    bar = h("span", "way-mark" if mark else "way-bar")
    bar.style.left = f"{min(left, 100 - (0 if mark else 100 * SLIVER)):.2f}%"
    if not mark:
        bar.style.width = f"{min(width, 100 - left):.2f}%"
    label = h("span", "way-name", stage(name))
    label.style.paddingInlineStart = f"{depth * 14}px"
    time = f"at {words.seconds(start)}" if mark else words.seconds(seconds)
    css = "way-row mark" if mark else "way-row"
    return h("li", css, label, h("span", "way-track", bar), h("span", "way-time", time))


def waterfall(record: dict) -> object:
    """The list of stages; without starts (an older record) only their times."""
    drawn = way(record)
    if not record.get("stages"):
        times = sorted((record.get("timings") or {}).items())
        return h(
            "div", "", h("p", "quiet small", OLDER), listing([(stage(name), words.seconds(s)) for name, s in times])
        )
    whole = max([start + (seconds or 0) for _, _, start, seconds in drawn])
    items = [_row(name, depth, start, seconds, whole) for name, depth, start, seconds in drawn]
    return h("ol", "way", items, aria_label="Stages with the time that each took")
