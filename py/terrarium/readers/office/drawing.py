"""Charts and diagrams (SmartArt) of Office files → blocks: the values that a chart shows, the texts of a diagram."""

from __future__ import annotations

from collections import defaultdict
from xml.etree.ElementTree import Element

from terrarium.model import Block
from terrarium.readers.office.elements import child, inside, local, value
from terrarium.readers.rows import row_blocks

MOST_POINTS = 500  # of a chart's series; what has more is a curve, and its numbers are no text
DEEPEST = 5


def chart_blocks(root: Element | None, page: int | None = None) -> list[Block]:
    """The title, and a row for each category with the values of all series under their names."""
    chart = child(root, "chart")
    title = texts(child(chart, "title"))
    grid: dict[int, dict[int, str]] = defaultdict(dict)
    for column, series in enumerate(inside(chart, "ser"), 1):
        grid[-1][column] = " ".join(points(child(series, "tx")).values()) or texts(child(series, "tx"))
        for place, text in points(either(series, "cat", "xVal")).items():
            grid[place].setdefault(0, text)
        for place, text in points(either(series, "val", "yVal")).items():
            grid[place][column] = text
    width = 1 + max((column for row in grid.values() for column in row), default=0)
    rows = [[grid[place].get(column, "") for column in range(width)] for place in sorted(grid)[:MOST_POINTS]]
    said = [Block("paragraph", title, page)] if title else []
    return said + (row_blocks(rows, True, page) if len(rows) > 1 else [])


def either(series: Element, *names: str) -> Element | None:
    return next((one for one in series if local(one) in names), None)


def points(data: Element | None) -> dict[int, str]:
    """The texts or numbers that were last calculated, by their places."""
    found: dict[int, str] = {}
    for point in inside(data, "pt"):
        text, place = child(point, "v"), value(point, "idx")
        if text is not None and text.text and place.isdecimal() and len(place) < 8:
            found[int(place)] = shortest(" ".join(text.text.split()))
    return found


def shortest(text: str) -> str:
    """4.4000000000000004, as binary numbers are written out, is 4.4."""
    try:
        return f"{float(text):.15g}" if len(text) > 15 else text
    except ValueError:
        return text


def texts(element: Element | None) -> str:
    """All paragraphs of DrawingML in it, as one line."""
    lines = ("".join(text.text or "" for text in inside(one, "t")) for one in inside(element, "p"))
    return " ".join(" ".join(lines).split())


def diagram_blocks(root: Element | None, page: int | None = None) -> list[Block]:
    """A list item for each node, under the node that it hangs on. Iterative, each node once."""
    nodes = {value(one, "modelId"): one for one in inside(child(root, "ptLst"), "pt")}
    hanging: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link in inside(child(root, "cxnLst"), "cxn"):
        if value(link, "type") in {"", "parOf"}:
            order = value(link, "srcOrd")
            hanging[value(link, "srcId")].append((int(order) if order.isdecimal() else 0, value(link, "destId")))
    hung = {node for children in hanging.values() for _, node in children}
    blocks: list[Block] = []
    stack = [(node, 0) for node in nodes if node not in hung][::-1]
    while stack:
        node, level = stack.pop()
        element = nodes.pop(node, None)
        if element is None:
            continue
        text = texts(child(element, "t")) if value(element, "type") in {"", "node", "asst", "doc"} else ""
        if text:
            blocks.append(Block("list_item", text, page, level=min(level, DEEPEST)))
        deeper = level + bool(text)
        stack += [(inner, deeper) for _, inner in sorted(hanging.pop(node, ()), reverse=True)]
    return blocks
