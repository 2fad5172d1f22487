"""Numbers as spreadsheets show them. Expected by hand: what Excel in English shows in a wide column."""

from __future__ import annotations

import pytest

from terrarium.readers.sheets.number_format import shown, shown_text

EUROS = '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-'


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1200, "General", "1200"),
        (0.1 + 0.2, "General", "0.3"),
        (1 / 3, "General", "0.333333333"),
        (3.14159265358979, "General", "3.141592654"),
        (12345678.9123, "General", "12345678.91"),
        (-5.5, "General", "-5.5"),
        (1e20, "General", "1E+20"),
        (1.2345678e-5, "General", "1.23457E-05"),
        (0.00001, "General", "0.00001"),
        (123456789012, "General", "123456789012"),
        (1599.994, "0.00", "1599.99"),
        (1.005, "0.00", "1.01"),
        (2.5, "0", "3"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (999.5, "#,##0", "1,000"),
        (34, "0,000", "0,034"),
        (12345.6, "#,###.##", "12,345.6"),
        (0, "#,###", ""),
        (0, "#", ""),
        (0.5, "#.00", ".50"),
        (5, "00000", "00005"),
        (123456789, "000-00-0000", "123-45-6789"),
        (5551234567, "(###) ###-####", "(555) 123-4567"),
        (1234567, '0.0,,"M"', "1.2M"),
        (1234567, "#,##0,", "1,235"),
        (0.025, "0%", "3%"),
        (0.025, "0.0%", "2.5%"),
        (-0.5, "0%", "-50%"),
        (12345.678, "0.00E+00", "1.23E+04"),
        (9.999e-8, "0.0E+00", "1.0E-07"),
        (12345, "##0.0E+0", "12.3E+3"),
        (2.5, "# ?/?", "2 1/2"),
        (0.125, "# ??/??", "1/8"),
        (0.3333, "?/8", "3/8"),
        (3, "# ?/?", "3"),
        (-1599.99, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', "($1,599.99)"),
        (1599.99, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', "$1,599.99"),
        (1234.5, EUROS, "1,234.50 €"),
        (-1234.5, EUROS, "-1,234.50 €"),
        (0, EUROS, "- €"),
        (1e5, "#,##0.00 [$€-407]", "100,000.00 €"),
        (1, '"Yes";"Yes";"No"', "Yes"),
        (0, '"Yes";"Yes";"No"', "No"),
        (5, ";;;", ""),
        (15, '[Red][>10]0" high";0', "15 high"),
        (5, '[Red][>10]0" high";0', "5"),
        (-5, 'General" kg"', "-5 kg"),
        (0.5, "@", "0.5"),
        (43363, "yyyy-mm-dd", "2018-09-20"),
        (40089, "m/d/yy", "10/3/09"),
        (39219.5, "d-mmm-yy", "17-May-07"),
        (47916, "dd/mm/yyyy", "09/03/2031"),
        (47916, "dd.mm.yyyy", "09.03.2031"),
        (47916, 'yyyy"年"m"月"d"日"', "2031年3月9日"),
        (40000, "[$-409]dddd, mmmm d, yyyy;@", "Monday, July 6, 2009"),
        (43363.75, "yyyy-mm-dd hh:mm", "2018-09-20 18:00"),
        (0.260416666666667, "h:mm AM/PM", "6:15 AM"),
        (0.5, "h AM/PM", "12 PM"),
        (0.0, "h:mm AM/PM", "12:00 AM"),
        (0.52083333, "mm:ss.0", "30:00.0"),
        (1.5, "[h]:mm", "36:00"),
        (0.0625, "[mm]:ss", "90:00"),
        (1.5, "h:mm", "12:00"),
        (-1.2, "[h]:mm", "-28:48"),
        (0.75, "AM/PM", "PM"),
        (1, "dddd", "Sunday"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (60, "yyyy-mm-dd", "1900-02-29"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (-1, "yyyy-mm-dd", "-1"),
        (3e6, "yyyy-mm-dd", "3000000"),
        (float("nan"), "0.00", "#NUM!"),
    ],
)
def test_numbers(value, code, text):
    assert shown(value, code) == text


def test_dates_of_workbooks_that_begin_in_1904():
    assert shown(0.0, "yyyy-mm-dd", base_1904=True) == "1904-01-01"
    assert shown(37947 - 1462, "d mmm yyyy", base_1904=True) == "22 Nov 2003"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("General", "word"),
        ("0.00", "word"),
        ("@", "word"),
        ('@" kg"', "word kg"),
        ('0;-0;0;"T: "@', "T: word"),
        (";;;", ""),
    ],
)
def test_texts(code, text):
    assert shown_text("word", code) == text


BROKEN = ["", ";", "#,,#,.,#", "[", "[$", '"', "\\", "E+", "0E+0/0", "//", "[h", "%%%%", "0" * 250, "?/0"]


@pytest.mark.parametrize("code", BROKEN)
@pytest.mark.parametrize("value", [0, -1, 1.5, 1e308, -1e-300])
def test_broken_codes_show_something(value, code):
    assert isinstance(shown(value, code), str)
