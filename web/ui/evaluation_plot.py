"""Bars with what they are sure of: a value from nothing to one, or seconds, and the range around it.

Drawn of elements and not by a plotting library: there are a dozen bars, every number stands beside its bar as text for
those who do not see it, colours follow the page's, and a library would be one more shard to load, pin and update.
"""

from ui.dom import h


def bars(title: str, rows: list, most: float) -> object:
    """`rows` of (label, value, low, high, text) as a list; `most` is the value that fills the width."""
    return h("ol", "bars", [_row(row, most) for row in rows], aria_label=title)


def _row(row: tuple, most: float) -> object:
    label, value, low, high, text = row
    bar, whisker = h("span", "bars-bar"), h("span", "bars-range")
    bar.style.width = _percent(value, most)
    whisker.style.left = _percent(low, most)
    whisker.style.width = _percent(high - low, most)
    track = h("span", "bars-track", bar, whisker, aria_hidden="true")
    return h("li", "bars-row", h("span", "bars-name", label), track, h("span", "bars-text", text))


def _percent(value: float, most: float) -> str:
    return f"{max(0, min(100, 100 * value / most)) if most else 0:.1f}%"
