"""What people wrote on a PDF page: values of form fields, set among its text, and comments behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from terrarium.model import Block

LARGEST = 12.0  # points: of a value whose size the form leaves open
LINE = 1.2  # of a value's font size
MOST_AREAS = 300  # on a page, whose words are looked for
LONGEST = 200  # characters of the words that a comment is about
PATH = re.compile(r"\[\d+\]$")
PLAIN_NAME = re.compile(r"[^\W\d_][\w .,'’/()-]{2,}")


def field_items(page: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Values as items of the page: a box as [x] or [ ], an empty field not at all."""
    found = []
    # As large as the print around it, because a larger line would be a heading.
    sizes = sorted(item["height"] for item in page["items"] if not item["hidden"])
    usual = sizes[len(sizes) // 2] if sizes else 10.0
    for field in page.get("fields", ()):
        box = field["kind"] == "box"
        lines = [f"[{'x' if field['on'] else ' '}]"] if box else field["value"].replace("\r", "\n").split("\n")
        size = field["size"] or min(LARGEST, 0.7 * field["height"]) or LARGEST
        first = field["y"] + (field["height"] / 2 + 0.35 * size if len(lines) == 1 else size)
        for i, text in enumerate(lines):
            if text.strip():
                place = {"x": field["x"], "y": first + LINE * size * i, "height": usual}
                width = min(field["width"], 0.5 * size * len(text))
                label = "" if i else name_of(field)
                found.append({"str": text, **place, "width": width, "font": "", "angle": 0, "label": label})
    return found


def name_of(field: Mapping[str, Any]) -> str:
    """What the form's author calls it, where that is meant for people."""
    if field["label"].strip():
        return " ".join(field["label"].split()).rstrip(":")
    last = PATH.sub("", field["name"].rsplit(".", 1)[-1]).replace("_", " ")
    return last if PLAIN_NAME.fullmatch(last) else ""


def comment_blocks(page: Mapping[str, Any]) -> Iterator[Block]:
    looked = 0
    for comment in page.get("comments", ()):
        looked += len(comment["areas"])
        about = marked_words(page["items"], comment["areas"]) if looked < MOST_AREAS else ""
        head = "Comment" + f" by {comment['author']}" * bool(comment["author"]) + f" on “{about}”" * bool(about)
        yield Block("paragraph", f"{head}: {' '.join(comment['text'].split())}", page=page["number"])


def marked_words(items: Sequence[Mapping[str, Any]], areas: Sequence[Sequence[float]]) -> str:
    """The words whose middle lies in the areas."""
    found: list[str] = []
    for left, top, right, bottom in areas:
        for item in items:
            if len(found) > LONGEST:
                break
            if item["hidden"] or item["angle"] or not top < item["y"] - 0.3 * item["height"] < bottom:
                continue
            letter = item["width"] / max(len(item["str"]), 1)
            for word in re.finditer(r"\S+", item["str"]):
                middle = item["x"] + letter * (word.start() + word.end()) / 2
                if left < middle < right:
                    found.append(word[0])
    text = " ".join(found)
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + " …"
