"""What stands beside the cells of an XLSX's sheet: comments, text boxes, titles of charts, headers and footers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from terrarium.readers.office.elements import child, inside, local, value
from terrarium.readers.office.package import Package, Related
from terrarium.readers.rows import squeeze
from terrarium.readers.sheets.model import Sheet, letters

# Codes of the margins of print: the page's number and the like, the side, the font.
MARGIN_CODE = re.compile(r'&(?:"[^"]*"|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|\d+|[A-Za-z+-])')
DRAWN = {"chart": "title", "chartEx": "title", "diagramData": "pt"}  # a drawing's parts → their elements with text
OLD_NOTE = "[Threaded comment]"  # how a conversation opens for old programs: it is told by its own part


def read_notes(package: Package, part: str, sheet: Sheet, people: Mapping[str, str]) -> None:
    """Adds them to the sheet. `people`: id → name of who wrote comments."""
    related = list(package.related(part).values())
    said = list(comments(package, related, people))
    places = {place for place, _, _ in said}
    cells = (
        (f"{letters(cell.column)}{row.number}", cell.text) for row in sheet.rows * bool(said) for cell in row.cells
    )
    shown = {place: text for place, text in cells if place in places}
    for place, author, text in said:
        by, beside = f" by {author}" if author else "", f" (“{shown[place]}”)" if place in shown else ""
        sheet.notes.append(f"Comment{by} on {place}{beside}: {text}")
    for one in related:
        if one.kind == "drawing":
            for text, hidden in drawing_texts(package, one.part):
                (sheet.unseen if hidden else sheet.notes).append(text)


def comments(package: Package, related: Sequence[Related], people: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """(cell, author, text); the answers to one follow it."""
    for one in related:
        root = package.xml(one.part) if one.kind in {"comments", "threadedComment"} else None
        authors = [squeeze(author.text or "") for author in inside(root, "author")]
        for comment in inside(root, "comment", "threadedComment"):
            text = squeeze("".join(piece.text or "" for piece in texts_of(comment)))
            index = value(comment, "authorId")
            author = authors[int(index)] if index.isdecimal() and int(index) < len(authors) else ""
            author = people.get(value(comment, "personId"), author)
            if text and not text.startswith(OLD_NOTE):
                yield value(comment, "ref"), "" if author.startswith("tc=") else author, text


def texts_of(comment: Element) -> Iterator[Element]:
    return inside(comment, "text") if local(comment) == "threadedComment" else inside(child(comment, "text"), "t")


def people_of(package: Package, workbook: str) -> dict[str, str]:
    roots = (package.xml(one.part) for one in package.related(workbook).values() if one.kind == "person")
    return {value(one, "id"): value(one, "displayName") for root in roots for one in inside(root, "person")}


def drawing_texts(package: Package, part: str) -> Iterator[tuple[str, bool]]:
    """(text, whether it is hidden) of each shape, picture, chart and diagram."""
    seen: set[str] = set()  # a shape may stand there once more, for older programs
    root = package.xml(part)
    for shape in inside(root, "sp"):
        hidden = any(value(one, "hidden") in {"1", "true"} for one in inside(shape, "cNvPr"))
        text = paragraphs(shape)
        if text and text not in seen:
            seen.add(text)
            yield text, hidden
    for picture in inside(root, "pic"):
        if text := next((squeeze(text) for one in inside(picture, "cNvPr") if (text := value(one, "descr"))), ""):
            yield f"Picture: {text}", False
    for one in package.related(part).values():
        if one.kind in DRAWN:
            titles = [text for title in inside(package.xml(one.part), DRAWN[one.kind]) if (text := paragraphs(title))]
            if titles:
                yield ("Chart: " * one.kind.startswith("chart")) + "; ".join(dict.fromkeys(titles)), False


def paragraphs(element: Element) -> str:
    lines = (squeeze("".join(run.text or "" for run in inside(one, "t"))) for one in inside(element, "p"))
    return "\n".join(line for line in lines if line)


def margin_texts(margins: Sequence[str]) -> Iterator[str]:
    """Headers and footers of print without their codes; none that only number the pages."""
    for margin in margins:
        plain = margin.replace("&&", "\0")
        text = squeeze(MARGIN_CODE.sub(lambda code: " | " if code[0] in {"&L", "&C", "&R"} else "", plain))
        text = " | ".join(part for piece in text.split("|") if (part := piece.strip())).replace("\0", "&")
        if sum(map(str.isalpha, text)) > len("Page of"):
            yield text
