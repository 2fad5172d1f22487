"""The order of a PDF's text: columns, what a column or a page breaks, footnotes, running heads. No pdf.js here."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fixtures.pdf import Text, column, extracted

from terrarium.readers.pdf.reading import PdfContent, pdf_blocks


def texts(*pages: Sequence[Text], outline: Sequence[tuple[str, int]] = ()) -> list[str]:
    return [block.text for block in pdf_blocks(PdfContent(*extracted(pages, outline)))[0]]


def story(name: str, count: int) -> list[str]:
    return [f"The {name} story has this for its line {i:02}" for i in range(count)]


def narrow(x: float, y: float, lines: Sequence[str]) -> list[Text]:
    return [(x, y + 10 * i, 8, "F1", text) for i, text in enumerate(lines)]


def test_three_columns_under_a_title():
    title = "One line that reaches over all three of the columns from the left edge to the right edge of them"
    page = [
        (40.0, 70.0, 10.0, "F1", title),
        *narrow(40, 100, story("first", 9)),
        *narrow(225, 100, story("second", 9)),
        *narrow(410, 100, story("third", 9)),
    ]
    assert texts(page) == [title, *(" ".join(story(name, 9)) for name in ("first", "second", "third"))]


def test_columns_of_different_widths():
    wide = [f"{line} and with more words than the others" for line in story("wide", 9)]
    page = [*column(40, 100, wide), *narrow(440, 100, [line[:36] for line in story("thin", 9)])]
    assert texts(page) == [" ".join(wide), " ".join(line[:36] for line in story("thin", 9))]


def test_short_lines_in_the_margin_stay_apart():
    notes = ["Did you know that", "Notes in the margin", "are short lines", "of few words"]
    page = [*column(200, 100, [f"{line} and goes on" for line in story("main", 12)]), *narrow(40, 148, notes)]
    found = texts(page)
    assert sorted(found) == sorted([" ".join(f"{line} and goes on" for line in story("main", 12)), " ".join(notes)])


def test_a_caption_and_a_table_between_columns():
    caption = "Figure 1. A caption that spans both of the columns between which it stands"
    cells = [("Grade", "Daily", "Hotel", "Note"), ("A", "52", "140", "none"), ("B", "47", "120", "some")]
    table = [
        (60 + 130.0 * j, 230 + 14.0 * i, 10.0, "F1", text) for i, row in enumerate(cells) for j, text in enumerate(row)
    ]
    page = [
        *column(50, 100, story("upper left", 5)),
        *column(320, 100, story("upper right", 5)),
        (100, 190, 10, "F1", caption),
        *table,
        *column(50, 300, story("lower left", 5)),
        *column(320, 300, story("lower right", 5)),
    ]
    assert texts(page) == [
        " ".join(story("upper left", 5)),
        " ".join(story("upper right", 5)),
        caption,
        "Grade: A | Daily: 52 | Hotel: 140 | Note: none",
        "Grade: B | Daily: 47 | Hotel: 120 | Note: some",
        " ".join(story("lower left", 5)),
        " ".join(story("lower right", 5)),
    ]


def test_a_sentence_goes_on_in_the_next_column():
    left = [*story("left", 5), "and its last line is about the reim-"]
    right = ["bursement, which is told of over here", *story("right", 5)]
    page = [*column(50, 100, left), *column(320, 100, right)]
    whole = " ".join([*story("left", 5), "and its last line is about the reimbursement, which is told of over here"])
    assert texts(page) == [f"{whole} {' '.join(story('right', 5))}"]


def test_hyphens_of_words_of_years_and_across_pages():
    first = column(50, 700, ["It is a well-", "known rule of e-", "mail for 2024-", "25 that a com-"])
    second = column(50, 60, ["mittee may sepa\u00ad", "rate the re-", "imbursement of it."])
    assert texts(first, second) == [
        "It is a well-known rule of e-mail for 2024-25 that a committee",
        "may separate the reimbursement of it.",
    ]


def test_footnotes_stand_behind_the_paragraph_with_their_mark():
    page = [
        (50.0, 100.0, 10.0, "F1", "The ceiling holds for every member"),
        (220.0, 97.0, 6.0, "F1", "1"),
        (223.0, 100.0, 10.0, "F1", " of the club."),
        *column(50, 140, ["Prices are net* of tax and do not change."]),
        *column(50, 180, ["A third paragraph says no more about it."]),
        (50.0, 697.0, 5.0, "F1", "1"),
        (55.0, 700.0, 8.0, "F1", "Islands are those listed in Annex C, with"),
        (50.0, 710.0, 8.0, "F1", "a ceiling of 185 euros."),
        (50.0, 722.0, 8.0, "F1", "* Without the fee for delivery."),
    ]
    assert texts(page, column(50, 100, ["The next page goes on."])) == [
        "The ceiling holds for every member1 of the club.",
        "1 Islands are those listed in Annex C, with a ceiling of 185 euros.",
        "Prices are net* of tax and do not change.",
        "* Without the fee for delivery.",
        "A third paragraph says no more about it.",
        "The next page goes on.",
    ]


def test_a_small_paragraph_without_a_mark_in_the_text_stays_where_it_is():
    page = [*column(50, 100, story("only", 4)), (50.0, 700.0, 8.0, "F1", "7 Nothing on the page has this mark.")]
    assert texts(page) == [" ".join(story("only", 4)), "7 Nothing on the page has this mark."]


def test_a_raised_number_behind_a_number_is_a_power():
    page = [
        (50.0, 100.0, 10.0, "F1", "There are 10"),
        (110.0, 96.0, 6.0, "F1", "5"),
        (114.0, 100.0, 10.0, "F1", " of them."),
    ]
    assert texts(page) == ["There are 10^5 of them."]


def test_terms_with_hanging_explanations():
    term = "field  A unit of text that is the result of one of the expansions of a shell and"
    page = [
        *column(50, 100, [term]), *column(70, 112, ["is used as a command's name."]), *column(50, 130, [term]),
        *column(70, 142, ["is used once more."]),
    ]  # fmt: skip
    assert texts(page) == [f"{term} is used as a command's name.", f"{term} is used once more."]


def test_running_heads_of_left_and_right_pages_and_of_short_chapters():
    def chapter(number: int) -> str:
        return "Beginnings" if number < 6 else "Middles" if number < 8 else "Endings"

    pages = [
        [
            (50.0, 30.0, 9.0, "F1", f"{n}  The Handbook")
            if n % 2 == 0
            else (400.0, 30.0, 9.0, "F1", f"{chapter(n)}  {n}"),
            *column(50, 130, [f"Text of page {n} is here and it is of its own kind."]),
        ]
        for n in range(1, 11)
    ]
    outline = [("Beginnings", 0), ("Middles", 5), ("Endings", 7)]
    found = texts(*pages, outline=outline)
    assert found == [
        text
        for n in range(1, 11)
        for text in (["2  The Handbook"] if n == 2 else []) + [f"Text of page {n} is here and it is of its own kind."]
    ]


def test_text_drawn_twice_for_boldness_is_read_once():
    page = [
        *column(50, 100, ["One two three four"]),
        *column(50.4, 100, ["One two three four"]),
        (50.0, 130.0, 10.0, "F1", "Five six "),
        (95.0, 130.0, 10.0, "F1", "seven"),
        (50.3, 130.0, 10.0, "F1", "Five six seven"),
        (50.0, 160.0, 10.0, "F1", "A shadow"),
        (50.8, 160.8, 10.0, "F1", "A shadow"),
        (50.0, 190.0, 10.0, "F1", "bye bye"),
        (95.0, 190.0, 10.0, "F1", "bye"),
    ]
    assert texts(page) == ["One two three four", "Five six seven", "A shadow", "bye bye bye"]


def test_fonts_that_do_not_say_which_letters_they_draw():
    info, pages = extracted(
        [column(50, 200, ["Some page of words."]), column(50, 200, ["x" * 40] * 8), column(50, 200, story("third", 8))]
    )
    for page, part in ((pages[1], 1.0), (pages[2], 0.2)):
        for item in page["items"][: int(len(page["items"]) * part)]:
            item |= {"font": "F9", "str": "".join(chr(2 + i % 40) for i in range(40))}
    found, warnings = pdf_blocks(PdfContent(info, pages))
    assert [block.text for block in found] == ["Some page of words.", " ".join(story("third", 8)[1:])]
    assert warnings[0] == "no text layer on page 2 (1 of 3 pages)"
    assert warnings[1].startswith("some letters have no known meaning on pages 2–3")


def test_numbered_paragraphs_with_an_indented_first_line_are_whole():
    lines = [
        (60, "(a) The keeper may, when a guest asks for it,"),
        (50, "close the bridge whenever the water rises"),
        (50, "above the lowest mark of the old wall."),
        (60, "(b) Each keeper writes down the hours at which"),
        (50, "it was closed, as the rules under the letter"),
        (50, "(a) and those of the harbour say, into the"),
        (50, "ledger of the bridge."),
    ]
    page = [(x, 100.0 + 12 * i, 10, "F1", line) for i, (x, line) in enumerate(lines)]
    assert texts(page) == [" ".join(line for _, line in part) for part in (lines[:3], lines[3:])]


def test_items_of_a_list_stay_apart():
    hanging = [
        "(a) the keys of all boats and of the cellars",
        "(b) the ledger in which the hours are written",
        "(c) both lamps",
    ]
    page = [(50.0, 100 + 12 * i, 10, "F1", line) for i, line in enumerate(hanging)]
    assert texts(page) == hanging
    below = [
        "1. A member of the club may take a guest to",
        "the island.",
        "No member may leave a guest there overnight",
        "or longer.",
    ]
    page = [(x, 100 + 12 * i, 10, "F1", line) for i, (x, line) in enumerate(zip((50, 65, 50, 50), below, strict=True))]
    assert texts(page) == [" ".join(below[:2]), " ".join(below[2:])]


def test_a_sentence_in_large_print_is_no_heading():
    page = [(50.0, 80, 18, "F1", "The spare key is always kept in locker 88."), *column(50, 120, story("small", 9))]
    blocks = pdf_blocks(PdfContent(*extracted([page], ())))[0]
    assert [block.kind for block in blocks] == ["paragraph", "paragraph"]


def test_heads_far_inside_of_a_large_sheet_that_name_the_section():
    def sheet(number: int) -> list[Text]:
        head = (100.0, 300.0, 9.0, "F2", f"Harbour Administration § 12.{number}")
        title = (100.0, 320.0, 10.0, "F1", f"§ 12.{number} Of the keepers, as they were in year {number}.")
        lines = [f"The keeper of lock {number} writes line {i:02} of it." for i in range(14)]
        return [head, title, *column(100, 340, lines)]

    found = texts(*(sheet(number) for number in range(31, 36)))
    assert [text for text in found if text.startswith("Harbour")] == ["Harbour Administration § 12.31"]
    assert sum("§ 12.33 Of the keepers" in text for text in found) == 1


def test_a_number_that_stands_in_the_head_only_is_kept():
    pages = [
        [(100.0, 300.0, 9.0, "F2", f"Receipt {code}"), *column(100, 340, story(f"number {code[:1]}", 14))]
        for code in ("A-8831", "B-1207", "C-5550", "D-9942")
    ]
    assert {"Receipt A-8831", "Receipt B-1207", "Receipt C-5550", "Receipt D-9942"} <= set(texts(*pages))
