"""Pages as pdf.js draws them in their worker: colours at places that the files were written at, what is left out."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.drawing_page import write_page
from tests.fixtures.pdf import make_drawing, make_pdf
from tests.fixtures.pdf_more import Sheet, make_sheets, stream

pytestmark = pytest.mark.browser

WHITE, BLACK, RED, GREEN = [255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 255, 0]


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(write_page(tmp_path_factory.mktemp("drawing")).as_uri())
    yield page
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []
    page.close()


def opened(page: Page, data: bytes, password: str | None = None) -> Any:
    return page.evaluate("([data, password]) => openDocument(data, password ?? undefined)", [encoded(data), password])


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def colours(page: Page, data: bytes, places: Sequence[tuple[float, float]], number: int = 1) -> list[list[int]]:
    assert isinstance(opened(page, data), int)
    found = page.evaluate("([number, places]) => drawn(number, 600, places)", [number, places])
    assert found["stopped"] == []
    drawn: list[list[int]] = found["colours"]
    return drawn


def test_shapes_and_letters_are_where_the_file_puts_them(page: Page) -> None:
    # A rectangle of 100 × 50 points from (50, 700) up; y counts from the bottom, places from the top.
    found = colours(page, make_drawing("1 0 0 rg 50 700 100 50 re f"), [(100, 75), (48, 75), (100, 102)])
    assert found == [RED, WHITE, WHITE]
    letters = colours(page, make_pdf([[(50, 100, 60, "F1", "I")]]), [(58, 80), (50, 80)])
    assert letters == [BLACK, WHITE]  # the stem of Liberation Sans' "I" is in the middle of its 17 points


def test_layers_that_are_switched_off_are_not_drawn_and_comments_and_fields_are_ink(page: Page) -> None:
    off = colours(page, make_drawing("/OC /Off BDC 1 0 0 rg 50 700 100 50 re f EMC"), [(100, 75)])
    assert off == [WHITE]
    look = stream(b"0 1 0 rg 0 0 100 50 re f", "/Type/XObject/Subtype/Form/BBox[0 0 100 50]")
    note = "/Subtype/Stamp/Rect[50 700 150 750]/F 4/AP<</N 10 0 R>>"
    script = "/AA<</K<</S/JavaScript/JS(app.alert)>>>>"
    field = f"/Subtype/Widget/FT/Tx/T(a)/V(b)/Rect[250 700 350 750]/F 4/AP<</N 10 0 R>>{script}"
    data = make_sheets([Sheet(annotations=[note, field])], extra=[look])
    assert colours(page, data, [(100, 75), (300, 75), (200, 75)]) == [GREEN, GREEN, WHITE]


def test_a_soft_mask_shows_as_much_as_it_is_bright(page: Page) -> None:
    # The mask's group is white on its left half, and black on its right one.
    group = "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Group<</S/Transparency/CS/DeviceGray>>"
    mask = stream(b"1 g 0 0 300 800 re f 0 g 300 0 300 800 re f", group)
    state = b"<</SMask<</S/Luminosity/G 10 0 R>>>>"
    content = "/M gs 1 0 0 rg 0 0 600 800 re f"
    data = make_sheets([Sheet(content, fonts=">>/ExtGState<</M 11 0 R>>/Ignored<<")], extra=[mask, state])
    assert colours(page, data, [(150, 400), (450, 400)]) == [RED, WHITE]


def test_pictures_are_drawn_and_giants_are_left_out(page: Page) -> None:
    def pictured(width: int, height: int, data: bytes, more: str) -> bytes:
        picture = (
            f"/Type/XObject/Subtype/Image/Width {width}/Height {height}/BitsPerComponent 8/ColorSpace/DeviceGray{more}"
        )
        extra = stream(data, picture)
        return make_sheets(
            [Sheet("q 600 0 0 800 0 0 cm /P Do Q", fonts=">>/XObject<</P 10 0 R>>/Ignored<<")], extra=[extra]
        )

    small = pictured(2, 1, b"\x00\xff", "")
    assert colours(page, small, [(100, 400), (500, 400)]) == [BLACK, WHITE]
    giant = pictured(30_000, 30_000, zlib.compress(bytes(30_000), 9), "/Filter/FlateDecode")
    assert colours(page, giant, [(100, 400)]) == [WHITE]


def test_a_giant_page_is_drawn_smaller_and_a_rotated_one_turned(page: Page) -> None:
    data = make_sheets(
        [Sheet("1 0 0 rg 0 0 7200 14400 re f", box="0 0 14400 14400"), Sheet("1 0 0 rg 0 700 50 50 re f", rotate=90)]
    )
    assert opened(page, data) == 2
    found = page.evaluate("drawn(1, 14400, [[3600, 100], [10800, 100]])")
    assert (found["width"], found["height"]) == (14400, 14400)
    assert found["pixels"][0] == found["pixels"][1] <= 4096
    assert found["colours"] == [RED, WHITE]
    turned = page.evaluate("drawn(2, 800, [[725, 25], [25, 725 - 600]])")
    assert (turned["width"], turned["height"], turned["pixels"]) == (800, 600, [800, 600])
    assert turned["colours"] == [RED, WHITE]


def test_recognition_gets_a_page_in_grey_at_the_resolution_that_it_asks_for(page: Page) -> None:
    opened(page, make_drawing("0.5 g 0 0 300 800 re f"))
    found = page.evaluate("grey(1, 144, [[150, 400], [450, 400]])")
    assert found["pixels"] == [1200, 1600] and found["length"] == 1200 * 1600
    assert found["values"] == [pytest.approx(128, abs=2), 255]


def test_the_letters_of_a_page_come_with_their_places(page: Page) -> None:
    opened(page, make_pdf([[(72, 90, 12, "F1", "Ferries"), (300, 90, 12, "F1", "leave")]]))
    said = json.loads(page.evaluate("bridgePages.items(opened, 1)"))
    assert [(one["str"], one["x"], one["y"], one["height"], one["angle"]) for one in said["items"]] == [
        ("Ferries", 72, 90, 12, 0),
        ("leave", 300, 90, 12, 0),
    ]


def test_letters_that_nobody_has_are_told(page: Page) -> None:
    for letter, lacking in (("\U0010fffd", True), ("Ж", False)):
        codes = letter.encode("utf-16-be").hex()
        opened(page, make_sheets([Sheet(f"BT /U 10 Tf 50 700 Td <{codes}> Tj ET")]))
        assert page.evaluate("drawn(1, 600, [])")["lacking"] is lacking


def test_what_cannot_be_opened_says_so_by_its_name_and_closing_ends_what_waits(page: Page) -> None:
    assert opened(page, b"no PDF") == "InvalidPDFException"
    locked = make_pdf([[(72, 90, 12, "F1", "secret")]], password="open sesame")
    assert opened(page, locked) == opened(page, locked, "wrong") == "PasswordException"
    assert opened(page, locked, "open sesame") == 1
    assert page.evaluate("closedMeanwhile(1)") == ["This document was closed."] * 2
