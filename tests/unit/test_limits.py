"""What the page and the docs say about limits is one text, and its figures stand in one place."""

from __future__ import annotations

import re
import string

from web.ui.limits_figures import FIGURES
from web.ui.limits_words import SECTIONS, sections

from terrarium_build.limits import PAGE, limits


def test_the_docs_say_what_the_page_says() -> None:
    assert PAGE.read_text("utf-8") == limits(), "run python -m terrarium_build.limits"


def test_every_figure_is_used_and_every_figure_that_is_used_is_there() -> None:
    texts = [text for _, templates in SECTIONS for text in templates]
    named = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
    assert named == set(FIGURES)


def test_a_sentence_that_lacks_a_figure_is_left_out_and_all_others_are_said() -> None:
    known = dict.fromkeys(FIGURES, "7 %")
    whole = [text for _, texts in sections(known) for text in texts]
    assert len(whole) == sum(len(templates) for _, templates in SECTIONS)
    assert not any(re.search(r"[{}]", text) for text in whole)
    lacking = [text for _, texts in sections(known | {"mixed_caught": None}) for text in texts]
    assert len(lacking) == len(whole) - 1
    nothing = dict(sections(dict.fromkeys(FIGURES)))
    assert "How often answers are right" not in nothing, "a section without a sentence"
    assert "None" not in str(nothing)
