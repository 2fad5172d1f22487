"""The XML of one sheet of an XLSX, parsed row by row by openpyxl.

openpyxl's own loop over a sheet is not used: it keeps every row that it has passed, and it gives the sheet up for a
filter or a validation that it does not know. A cell that it cannot read shows what its XML says.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, iterparse

from openpyxl.worksheet._reader import FORMULA_TAG, INLINE_STRING, VALUE_TAG, WorkSheetParser
from openpyxl.xml.constants import SHEET_MAIN_NS

# What is read of a sheet's XML.
KEPT = {f"{{{SHEET_MAIN_NS}}}{name}": name for name in ("row", "col", "mergeCell", "autoFilter", "headerFooter")}
TEXT_TAG = f"{{{SHEET_MAIN_NS}}}t"
TEXT = {TEXT_TAG, f"{{{SHEET_MAIN_NS}}}r"}  # a text and its pieces
PREFIX = re.compile(r"\b_xl(?:fn|ws|pm|udf)\.")  # of functions that are newer than the format
NOT_CELLS = (ValueError, IndexError, KeyError, TypeError, OverflowError, AttributeError)
STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"  # the namespace of the standard's strict form


class CellParser(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """A cell's stored value, and its formula where there is none."""

    def parse_cell(self, element: Element) -> dict[str, Any]:
        inline = element.get("t") == "inlineStr"
        if inline:  # openpyxl makes objects of each piece of text
            element.set("t", "n")
        try:
            found: dict[str, Any] = super().parse_cell(element)
        except NOT_CELLS:
            text = element.findtext(VALUE_TAG) or ""
            found = {"column": self.col_counter, "value": text, "data_type": "s", "style_id": 0}
        if inline and (text := inline_text(element)):
            return found | {"value": text, "data_type": "s"}
        formula = element.find(FORMULA_TAG)
        if formula is not None:
            stored = found["value"] is not None or (element.get("t") == "str" and element.find(VALUE_TAG) is not None)
            if not stored:
                found |= {"value": self.written(element), "data_type": "f"}
            elif formula.get("t") == "shared":
                self.written(element)  # another cell may be without a value, and point here
        return found

    def written(self, element: Element) -> str:
        """The formula, one that cells share as this cell has it."""
        try:
            formula = self.parse_formula(element)
        except NOT_CELLS:
            formula = None
        text = formula if isinstance(formula, str) else getattr(formula, "text", None)
        return PREFIX.sub("", text) if text and text != "=" else "=?"


def elements(data: bytes) -> Iterator[tuple[str, Element]]:
    """(name, element) of what is read, each forgotten when the next one is asked for."""
    above: list[Element] = []
    within = 0  # elements that are read
    for event, element in iterparse(io.BytesIO(data.replace(STRICT, SHEET_MAIN_NS.encode())), ("start", "end")):
        if event == "start":
            above.append(element)
            within += element.tag in KEPT
            continue
        above.pop()
        if element.tag in KEPT:
            within -= 1
            if not within:
                yield KEPT[element.tag], element
        if not within and above:
            above[-1].clear()


def inline_text(cell: Element) -> str:
    """Without the readings that stand over Japanese words."""
    inline = cell.find(INLINE_STRING)
    pieces = list(inline) if inline is not None else []
    return "".join(
        (one.text if one.tag == TEXT_TAG else one.findtext(TEXT_TAG)) or "" for one in pieces if one.tag in TEXT
    )
