"""Which documents offer text recognition, and what is ticked at first."""

from __future__ import annotations

import pytest
from web.ui.recognise_words import can_recognise, usual


@pytest.mark.parametrize(
    ("kind", "warnings", "offered"),
    [
        ("pdf", ["no text layer (3 of 3 pages)"], True),
        ("pdf", ["hidden text on page 1", "no text layer on page 2 (1 of 3 pages)"], True),
        ("pdf", ["text recognised on page 2 from its picture (English): it may have mistakes"], True),
        ("pdf", [], False),
        ("pdf", ["page 2: damaged"], False),
        ("eml", ["no text layer (3 of 3 pages)"], False),  # what its attachment is said to be
    ],
)
def test_only_pdfs_with_pages_of_pictures_offer_it(kind: str, warnings: list[str], offered: bool) -> None:
    assert can_recognise({"kind": kind, "warnings": warnings}) is offered


@pytest.mark.parametrize(
    ("browser", "ticked"),
    [
        ("de-AT", ["eng", "deu"]),
        ("en-GB", ["eng"]),
        ("fr", ["eng"]),
        ("", ["eng"]),
        ("zh-CN", ["chi_sim"]),
    ],
)
def test_the_browsers_language_and_english_are_ticked(browser: str, ticked: list[str]) -> None:
    assert usual(browser) == ticked
