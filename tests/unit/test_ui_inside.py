"""Files inside of files as the page lists them."""

from __future__ import annotations

from typing import Any

import pytest
from web.ui import words
from web.ui.inside import UNFOLDED, Inside

from terrarium.enclosing import only_inside, with_inside
from terrarium.model import DocumentInfo


def info(name: str, *within: str, alone: bool = False) -> dict[str, Any]:
    """Its id is the last part of its name."""
    made = {"id": name.rpartition("/")[2], "name": name, "within": list(within), "alone": alone or not within}
    return {"pages": None, "chunks": 1, "size": 1500, "kind": "text", **made}


LIBRARY = [
    info("post/b.eml"),
    info("post/a.eml"),
    info("post/a.eml/more.zip", "a.eml"),
    info("post/a.eml/more.zip/in/deep.txt", "more.zip"),
    info("post/a.eml/both.pdf", "a.eml", "b.eml"),
    info("own.pdf", "b.eml", alone=True),
]
INFOS = [
    DocumentInfo(one["id"], one["name"], "text", "", 1, 1, within=tuple(one["within"]), alone=one["alone"])
    for one in LIBRARY
]


def drawn(inside: Inside, **folded: bool) -> list[str]:
    return ["  " * depth + one["id"] for one, depth in inside.rows(inside.tops, folded)]


def test_each_stands_below_the_first_file_that_it_is_inside_of():
    assert drawn(Inside(LIBRARY)) == ["b.eml", "a.eml", "  both.pdf", "  more.zip", "    deep.txt", "own.pdf"]
    assert drawn(Inside(LIBRARY[2:])) == ["more.zip", "  deep.txt", "both.pdf", "own.pdf"]


def test_what_is_folded_is_not_shown_and_much_is_folded_by_itself():
    assert drawn(Inside(LIBRARY), **{"a.eml": True}) == ["b.eml", "a.eml", "own.pdf"]
    many = [info("z.zip"), *(info(f"z.zip/{n}", "z.zip") for n in range(UNFOLDED + 1))]
    assert drawn(Inside(many)) == ["z.zip"]
    assert len(drawn(Inside(many), **{"z.zip": False})) == UNFOLDED + 2


def test_where_it_lies():
    inside = Inside(LIBRARY)
    where = {one["id"]: inside.where(one) for one in LIBRARY}
    assert where == {
        "b.eml": "post",
        "a.eml": "post",
        "more.zip": "in a.eml",
        "deep.txt": "in more.zip/in",
        "both.pdf": "in a.eml and 1 other file",
        "own.pdf": "also in b.eml",
    }


@pytest.mark.parametrize(
    ("removed", "gone"),
    [
        ("a.eml", ["a.eml", "more.zip", "deep.txt"]),
        ("b.eml", ["b.eml"]),
        ("more.zip", ["more.zip", "deep.txt"]),
        ("own.pdf", ["own.pdf"]),
    ],
)
def test_what_the_page_says_that_goes_is_what_the_engine_takes_out(removed, gone):
    assert Inside(LIBRARY).going(removed) == gone
    assert only_inside(INFOS, removed) == gone


def test_what_the_page_says_that_is_asked_is_what_the_engine_asks():
    everything = {"a.eml", "more.zip", "deep.txt", "both.pdf"}
    assert Inside(LIBRARY).with_inside({"a.eml"}) == with_inside(INFOS, {"a.eml"}) == everything
    assert Inside(LIBRARY).with_inside({"deep.txt"}) == with_inside(INFOS, {"deep.txt"}) == {"deep.txt"}


def test_words_for_them():
    assert Inside(LIBRARY).count("a.eml") == 3
    assert words.removal("a.eml", 0) == "Remove a.eml?"
    assert words.removal("a.eml", 1) == "Remove a.eml and the file in it?"
    assert words.removal("a.eml", 3) == "Remove a.eml and the 3 files in it?"
    assert words.added("a.eml", 1) == "Added a.eml with 1 file in it."
    line = words.document_line(info("a.eml"), 2).replace(words.TIED, " ")
    assert line == "1 passage · 2 files · 1.5 kB"
    assert words.document_line(info("a.zip") | {"chunks": 0}, 12).replace(words.TIED, " ") == "12 files · 1.5 kB"
