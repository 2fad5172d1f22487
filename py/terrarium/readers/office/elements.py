"""XML elements by their local names: Office writes the same ones under several namespaces and prefixes."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element


def local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def named(properties: Element | None) -> dict[str, Element]:
    return {local(one): one for one in (properties if properties is not None else ())}


def child(element: Element | None, *path: str) -> Element | None:
    """The first child of that name, and its child, …"""
    for name in path:
        element = None if element is None else next((one for one in element if local(one) == name), None)
    return element


def inside(element: Element | None, *names: str) -> Iterator[Element]:
    """All of these names in it, however deep, in order."""
    return (one for one in (element.iter() if element is not None else ()) if local(one) in names)


def value(element: Element | None, name: str = "val") -> str:
    """Of the attribute, whatever its namespace; "" when there is none."""
    attributes = element.attrib.items() if element is not None else ()
    return next((text for key, text in attributes if key.rpartition("}")[2] == name), "")


def reference(element: Element | None, name: str = "id") -> str:
    """Of the attribute that has a namespace: `r:id` beside an `id` of the element's own."""
    attributes = element.attrib.items() if element is not None else ()
    return next((text for key, text in attributes if key.endswith("}" + name)), "")


def number(element: Element | None, name: str) -> int | None:
    text = value(element, name)
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 16 else None
