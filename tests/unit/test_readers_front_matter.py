"""The fields at the head of a Markdown file."""

from __future__ import annotations

import pytest
from tests.unit.test_readers_texts import kinds, read

YAML = """---
title: "Fees: all of them"
date: 2031-03-09
draft: false
authors:
  - Ann Lee
  - Bo
tags: [fees, "costs"]
summary: >
  What is paid
  and when.
contact:
  mail: a@b.example
# a note to myself
---
# Fees

Paid in May.
"""
TOML = '+++\ntitle = "Fees"\ndate = 2031-03-09\ntags = ["fees", "costs"]\n[author]\nname = "Ann"\n+++\nPaid in May.\n'


def test_yaml_fields_are_kept_as_lines_before_the_text():
    document = read(YAML.replace("\n", "\r\n"), "fees.md")
    assert document.title == "Fees: all of them"
    assert kinds(document) == [
        (
            "table_row",
            0,
            "date: 2031-03-09\ndraft: false\nauthors: Ann Lee, Bo\ntags: fees, costs\nsummary: What is paid and when.\n"
            "contact › mail: a@b.example",
        ),
        ("heading", 1, "Fees"),
        ("paragraph", 0, "Paid in May."),
    ]


def test_toml_fields():
    document = read(TOML, "fees.md")
    assert (document.title, document.blocks[0].text) == (
        "Fees",
        "date: 2031-03-09\ntags: fees, costs\nauthor › name: Ann",
    )
    assert document.blocks[1].text == "Paid in May."


@pytest.mark.parametrize("text", ["---\nOnce upon a time.\n---\nThe end.\n", "---\n\nOnce\n", "--- not\n---\nOnce\n"])
def test_rules_are_no_front_matter(text):
    assert "Once" in read(text, "a.md").text


def test_empty_front_matter_is_left_out():
    assert read("---\n---\nText.\n", "a.md").text == "Text."
