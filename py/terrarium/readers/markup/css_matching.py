"""cssselect2 over beautifulsoup4's elements, with bounds on what a hostile page may ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from bs4 import Tag
from cssselect2 import ElementWrapper, Matcher

MOST_TESTS = 3_000_000  # of a selector on an element of one page; a hostile page would keep the engine for hours
FARTHEST = 500  # ancestors or siblings that a selector looks at


class Node(ElementWrapper):  # type: ignore[misc]
    """An element as cssselect2 sees it, without the lists of ancestors and siblings that it keeps for each."""

    @property
    def ancestors(self) -> Iterator[Node]:
        node = self.parent
        for _ in range(FARTHEST):
            if node is None:
                return
            yield node
            node = node.parent

    @property
    def previous_siblings(self) -> Iterator[Node]:
        node = self.previous
        for _ in range(FARTHEST):
            if node is None:
                return
            yield node
            node = node.previous


class PatientMatcher(Matcher):  # type: ignore[misc]
    """Matches no more when it has tested as much as a page may ask for."""

    left = MOST_TESTS

    def add_relevant_selectors(self, element: Node, selectors: list[object], relevant: list[object]) -> None:
        self.left -= len(selectors)
        if self.left > 0:
            super().add_relevant_selectors(element, selectors, relevant)


def node_of(tag: Tag, parent: Node | None, previous: Node | None) -> Node:
    """The tag for `StyleSheet.declared`; `previous` is the element before it under the same parent."""
    attributes = {name: " ".join(value) if isinstance(value, list) else str(value) for name, value in tag.attrs.items()}
    element = Element(tag.name, attributes)
    if parent is not None:
        parent.etree_element.append(element)
    index = previous.index + 1 if previous else 0
    return Node(element, parent, index, previous, in_html_document=True)
