"""The tree that the page draws of an answer: which nodes there are, and that nothing in a text becomes another."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from terrarium.answers.layout import blocks, inline, layout_of
from terrarium.answers.splitting import split_answer
from terrarium.model import Answer, Sentence

KEYS = {
    "paragraph": {"children"},
    "list": {"ordered", "start", "children"},
    "item": {"children"},
    "table": {"children"},
    "row": {"header", "number", "children"},
    "cell": {"children"},
    "code": {"text", "number"},
    "sentence": {"number", "children"},
    "break": set(),
    "text": {"text"},
    "code_span": {"text"},
    "emphasis": {"children"},
    "strong": {"children"},
}


def nodes(tree: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for node in tree:
        yield node
        yield from nodes(node.get("children", []))


def shown(tree: list[dict[str, Any]]) -> str:
    return "".join(node.get("text", "") for node in nodes(tree))


def numbers(tree: list[dict[str, Any]]) -> list[int]:
    return [node["number"] for node in nodes(tree) if "number" in node]


def outline(tree: list[dict[str, Any]]) -> list[Any]:
    """Types and texts only: ["paragraph", ["sentence", "words"]]."""
    return [[node["type"], *([node["text"]] if "text" in node else outline(node.get("children", [])))] for node in tree]


def said(*parts: tuple[str, str]) -> list[Sentence]:
    return [Sentence(text, (1,), (), lead) for lead, text in parts]


def test_sentences_beside_each_other_are_one_paragraph_and_a_blank_line_begins_another():
    tree = blocks(said(("", "One."), (" ", "Two."), ("\n\n", "Three."), ("\n", "Four.")))
    assert [block["type"] for block in tree] == ["paragraph", "paragraph"]
    assert numbers(tree[:1]) == [0, 1]
    assert [node["type"] for node in tree[1]["children"]] == ["sentence", "break", "sentence"]


def test_lists_are_flat_and_an_item_keeps_all_of_its_sentences():
    tree = blocks(
        said(
            ("", "These:"),
            ("\n\n3. ", "One."),
            (" ", "More."),
            ("\n4) ", "Two."),
            ("\n  - ", "Three."),
            ("\n\n", "End."),
        )
    )
    assert [block["type"] for block in tree] == ["paragraph", "list", "list", "paragraph"]
    assert (tree[1]["ordered"], tree[1]["start"], tree[2]["ordered"]) == (True, 3, False)
    assert [numbers([item]) for item in tree[1]["children"]] == [[1, 2], [3]]


def test_rows_with_pipes_are_a_table_with_a_head_where_a_line_of_dashes_follows():
    tree = blocks(
        said(("", "Limits:"), ("\n\n", "| Name | **Most** |"), ("\n|---|:-:|\n", "| joins | 64 |"), ("\n", "| `a|b` |"))
    )
    assert [block["type"] for block in tree] == ["paragraph", "table"]
    head, row, last = tree[1]["children"]
    assert (head["header"], row["header"]) == (True, False)
    assert outline(row["children"]) == [["cell", ["text", "joins"]], ["cell", ["text", "64"]]]
    assert outline(head["children"])[1] == ["cell", ["strong", ["text", "Most"]]]
    assert last["number"] == 3


def test_a_listing_is_kept_to_the_letter():
    listing = "```sql\nSELECT **1**;\n\n  -- *not* emphasis\n```"
    tree = blocks(said(("", "Run:"), ("\n", listing), ("\n", "Done.")))
    assert [block["type"] for block in tree] == ["paragraph", "code", "paragraph"]
    assert tree[1] == {"type": "code", "text": "SELECT **1**;\n\n  -- *not* emphasis", "number": 1}
    assert outline(blocks(said(("", "```\n  x = 1")))) == [["code", "  x = 1"]]


def test_a_heading_is_a_line_of_its_own():
    tree = blocks(said(("", "One."), ("\n## ", "Two"), ("\n", "Three.")))
    assert outline(tree)[1] == [
        "paragraph",
        ["sentence", ["strong", ["text", "Two"]]],
        ["break"],
        ["sentence", ["text", "Three."]],
    ]


def test_the_sentences_of_a_written_text_are_laid_out_as_they_were_written():
    text = "These [1]:\n\n- **One** is 1. And more [2].\n- Two\n\n| a | b |\n|---|---|\n| c | d [1] |\n\n"
    text += "Run:\n```sh\nls\n```\nEnd."
    tree = blocks(split_answer(text))
    assert [block["type"] for block in tree] == ["paragraph", "list", "table", "paragraph", "code", "paragraph"]
    assert [len(item["children"]) for item in tree[1]["children"]] == [2, 1]
    assert [row["header"] for row in tree[2]["children"]] == [True, False]
    assert tree[4]["text"] == "ls"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b *c*** d", [["text", "a "], ["strong", ["text", "b "], ["emphasis", ["text", "c"]]], ["text", " d"]]),
        ("Call `f(*x)` now", [["text", "Call "], ["code_span", "f(*x)"], ["text", " now"]]),
        ("__init__, _x_, 64*1024*8, 2 * 3 * 4", [["text", "__init__, _x_, 64*1024*8, 2 * 3 * 4"]]),
        ("C:\\_dir\\ and \\*", [["text", "C:\\_dir\\ and \\*"]]),
        ("**Half of it.", [["text", "**Half of it."]]),
        ("", [["text", ""]]),
    ],
)
def test_inside_a_sentence(text: str, expected: list[Any]):
    assert outline(inline(text)) == expected


BEACONS = {
    "![x](https://evil.example/?q=1)": "x",
    "![](https://evil.example/?q=1) a": " a",
    "[see](https://evil.example)": "see",
    "[see](javascript:alert(1))": "see",
    '[see](<javascript:x> "title")': "see",
    "[![pic](https://evil.example/p)](https://evil.example)": "pic",
    "<img src=x onerror=alert(1)>": None,
    "<script>alert(1)</script>": None,
    "<https://evil.example>": None,
    "https://evil.example/?q=1": None,
    "[x]: https://evil.example 'title'": None,
    "[x][y] and [y]": None,
    "&lt;img src=x&gt; &#60;b&#62;": None,
    "<!-- --> <?php ?> <![CDATA[x]]>": None,
    "<a href='javascript:x'>y</a>": None,
}


@pytest.mark.parametrize(("text", "expected"), BEACONS.items())
@pytest.mark.parametrize("lead", ["", "\n\n", "\n- ", "\n1. ", "\n> ", "\n    "])
def test_links_pictures_and_markup_are_text(text: str, expected: str | None, lead: str):
    tree = blocks([Sentence("Before."), Sentence(text, (1,), (), lead)])
    assert shown(tree) == "Before." + (text if expected is None else expected)
    assert {node["type"] for node in nodes(tree)} <= {"paragraph", "sentence", "text", "list", "item", "break"}


def test_every_sentence_is_there_once_in_order_whatever_stands_around_it():
    generator = random.Random(5)
    leads = ["", " ", "\n", "\n\n", "\n- ", "\n2. ", "\n|--|--|\n", "\n> ", "\n# ", "- ", "\n\n\t* "]
    texts = [
        "One.",
        "| a | b |",
        "## Head",
        "**x",
        "`y",
        "a [b](c) <d>",
        "![e](f)",
        "|",
        "- x",
        "1. y",
        "# ",
        ">",
        "z" * 5000,
    ]
    for _ in range(300):
        sentences = said(*((generator.choice(leads), generator.choice(texts)) for _ in range(generator.randint(1, 12))))
        tree = blocks(sentences)
        assert numbers(tree) == list(range(len(sentences)))
        for node in nodes(tree):
            assert set(node) - {"type"} == KEYS[node["type"]]
        json.dumps(tree)


def test_deep_and_long_texts_stay_flat_and_whole():
    assert shown(inline("*" * 600 + "x" + "*" * 600)).strip("*") == "x"
    depth = 0
    level = inline("**a *b " * 30 + "x" + "* c**" * 30)
    while any("children" in node for node in level):
        level = [child for node in level for child in node.get("children", [])]
        depth += 1
    assert depth <= 4
    tree = blocks([Sentence(f"Item {n}.", (1,), (), "\n- ") for n in range(1000)])
    assert len(tree) == 1 and len(tree[0]["children"]) == 1000
    deep = blocks([Sentence("x", (1,), (), "\n" + "  " * n + "- ") for n in range(200)])
    assert len(deep) == 1


def test_only_written_answers_have_a_layout():
    sentences = (Sentence("2*3*4 <b>", (1,)),)
    assert layout_of(Answer("q", sentences, {}, (), "quoted", quotes=sentences)) == []
    assert layout_of(Answer("q", sentences, {}, (), "generated")) != []
