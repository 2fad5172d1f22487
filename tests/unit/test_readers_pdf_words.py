"""Recognised words through the layout of PDFs: lines, columns, headings, pages askew, scripts without spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.fixtures.pdf import Text, column, extracted

from terrarium.model import Block, Word
from terrarium.readers.pdf.reading import PdfContent, pdf_blocks
from terrarium.readers.pdf.words import with_words

STORY = [f"The left story goes on in its line {n:02} and" for n in range(6)]
TALE = [f"Right of it another tale is told, line {n:02}" for n in range(6)]


def line(text: str, x: float, base: float, size: float = 10, page: int = 1) -> list[Word]:
    """As Tesseract sees it: letters half an em wide, 0.7 em high, boxes that reach 0.3 of that below the baseline."""
    found = []
    for word in text.split(" "):
        width = len(word) * size / 2
        found.append(Word(page, word, x, base - 0.7 * size, width, 0.91 * size))
        x += width + size / 4
    return found


def lines(texts: Sequence[str], x: float, base: float, size: float = 10) -> list[Word]:
    return [word for n, text in enumerate(texts) for word in line(text, x, base + 1.2 * size * n, size)]


def turned(words: Sequence[Word], degrees: float) -> list[Word]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [replace(word, x=word.x * cos - word.y * sin, y=word.y * cos + word.x * sin) for word in words]


def blocks(words: Sequence[Word], pages: Sequence[Sequence[Text]] = ((),)) -> list[Block]:
    return pdf_blocks(with_words(PdfContent(*extracted(pages)), words))[0]


def test_lines_become_a_paragraph_and_hyphens_go() -> None:
    (block,) = blocks(lines(["The reim-", "bursement is paid in", "the month after."], 50, 100))
    assert (block.kind, block.page, block.text) == ("paragraph", 1, "The reimbursement is paid in the month after.")


def test_columns_are_read_one_after_the_other() -> None:
    assert [block.text for block in blocks([*lines(STORY, 50, 100), *lines(TALE, 320, 100)])] == [
        " ".join(STORY),
        " ".join(TALE),
    ]


def test_large_print_is_a_heading_though_heights_differ_a_little() -> None:
    body = lines(["An ordinary paragraph of the page that", "fills two lines, and then a third", "one too."], 50, 140)
    uneven = [replace(word, height=word.height * (1.06 if word.y < 135 else 0.97)) for word in body]
    found = blocks([*line("Ferries of the North", 50, 100, 18), *uneven])
    assert [(block.kind, block.text) for block in found] == [
        ("heading", "Ferries of the North"),
        ("paragraph", "An ordinary paragraph of the page that fills two lines, and then a third one too."),
    ]


@pytest.mark.parametrize("degrees", [-2, 1.5])
def test_a_page_that_lies_askew_is_read_line_by_line(degrees: float) -> None:
    words = [*line("Ferries of the North", 50, 80, 18), *lines(STORY, 50, 120), *lines(TALE, 320, 120)]
    found = [block.text for block in blocks(turned(words, degrees))]
    assert found == ["Ferries of the North", " ".join(STORY), " ".join(TALE)]


def test_han_characters_stand_without_spaces_between_them() -> None:
    def han(text: str, base: float) -> list[Word]:
        return [Word(1, part, 50 + 12 * n, base - 9, 10, 12) for n, part in enumerate(text)]

    (block,) = blocks([*han("本协议自双方签字之日起", 100), *han("生效。", 118), *line("ISO 9001", 95, 118, 12)])
    assert block.text == "本协议自双方签字之日起生效。 ISO 9001"


def test_other_pages_and_hidden_text_stay() -> None:
    printed = column(50, 100, ["A page with text of its own."])
    info, pages = extracted([printed, [(50, 100, 10, "F1", "unseen")], ()])
    hidden = {**pages[1], "items": [{**pages[1]["items"][0], "hidden": True}]}
    content = PdfContent(info, [pages[0], hidden, pages[2]])
    found, warnings = pdf_blocks(with_words(content, line("Words of a picture.", 50, 100, page=2)))
    assert [(block.page, block.text, block.hidden) for block in found] == [
        (1, "A page with text of its own.", False),
        (2, "Words of a picture.", False),
        (2, "unseen", True),
    ]
    assert warnings == ["no text layer on page 3 (1 of 3 pages)"]
