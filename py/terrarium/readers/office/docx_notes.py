"""Notes and comments of a DOCX, which mammoth gathers at the end: put behind the paragraph that marks them."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from bs4 import BeautifulSoup, Tag

from terrarium.readers.office.elements import inside, value

NOTES = "a[href^='#footnote-'], a[href^='#endnote-']"
BACK = "a[href^='#footnote-ref'], a[href^='#endnote-ref'], a[href^='#comment-ref']"
HOSTS = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "li"]


def place_notes(soup: BeautifulSoup, authors: Mapping[str, str]) -> None:
    """`authors`: of comments, by their ids. What no paragraph marks stays at the end."""
    for back in soup.select(BACK):
        back.decompose()
    behind: dict[int, Tag] = {}  # the last thing that was put behind a paragraph
    for mark in soup.select(f"{NOTES}, .comment-mark a"):
        name = str(mark.get("href"))[1:]
        note = soup.find(id=name)
        if isinstance(note, Tag) and note.name in {"li", "dt"}:
            if note.name == "li":
                said = as_note(soup, note, mark.get_text())
            else:
                said = as_comment(soup, note, authors.get(name.removeprefix("comment-"), ""))
            host = host_of(mark)
            put_behind(behind.get(id(host), host), said)
            behind[id(host)] = said
            note.decompose()
    for mark in soup.select(".comment-mark"):
        mark.decompose()


def host_of(mark: Tag) -> Tag:
    """The paragraph, or the outermost table: a note in a cell would be part of its text."""
    tables = mark.find_parents("table")
    return tables[-1] if tables else mark.find_parent(HOSTS) or mark


def put_behind(place: Tag, said: Tag) -> None:
    if place.name == "li":
        place.append(said)
    else:
        place.insert_after(said)


def as_note(soup: BeautifulSoup, note: Tag, sign: str) -> Tag:
    made = soup.new_tag("div")
    made.extend(list(note.children))
    first = made.find(HOSTS) or made
    first.insert(0, f"{sign} ")
    return made


def as_comment(soup: BeautifulSoup, term: Tag, author: str) -> Tag:
    made = soup.new_tag("div")
    body = term.find_next_sibling("dd")
    if isinstance(body, Tag):
        made.extend(list(body.children))
        body.decompose()
    for heading in made.find_all(HOSTS[1:-1]):
        heading.name = "p"
    first = made.find(HOSTS) or made
    first.insert(0, f"Comment by {author}: " if author else "Comment: ")
    return made


def authors_of(comments: Element | None) -> dict[str, str]:
    return {value(one, "id"): " ".join(value(one, "author").split()) for one in inside(comments, "comment")}
