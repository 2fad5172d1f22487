"""Building the page: elements with text nodes only, actions by delegation, announcements, errors in words.

No text ever becomes markup here, so nothing that a document or a model says can become an element. Clicks, input and
key events are heard once, at the document, and sent to the handler that an element names in `data-action`; rows that
come and go therefore leave no Python function behind on the JavaScript side.
"""

import asyncio
import sys

from pyscript import document, window

from ui.icons import ICONS

# A name that the browser compares, never an address that it asks.
SVG = "http://www.w3.org/2000/svg"
TOAST_SECONDS = 6

_actions = {}


def h(tag: str, css: str = "", *children: object, **attributes: object) -> object:
    """One element: `h("button", "quiet", "Stop", data_action="stop", type="button")`.

    Children are strings, elements, lists of both, or None. An attribute that is None or False is left out.
    """
    element = document.createElement(tag)
    if css:
        element.className = css
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        element.setAttribute(name.rstrip("_").replace("_", "-"), "" if value is True else str(value))
    fill(element, *children)
    return element


def fill(element: object, *children: object) -> object:
    """Append the children; the element itself comes back."""
    for child in children:
        if child is None:
            continue
        if isinstance(child, (list, tuple)):
            fill(element, *child)
        else:
            element.append(child)
    return element


def replace(element: object, *children: object) -> object:
    element.replaceChildren()
    return fill(element, *children)


def icon(name: str, css: str = "icon") -> object:
    """A decorative drawing, hidden from screen readers."""
    svg = document.createElementNS(SVG, "svg")
    svg.setAttribute("viewBox", "0 0 24 24")
    svg.setAttribute("class", css)
    svg.setAttribute("aria-hidden", "true")
    for data in ICONS[name]:
        path = document.createElementNS(SVG, "path")
        path.setAttribute("d", data)
        svg.append(path)
    return svg


def kind_icon(label: str) -> object:
    """A sheet of paper with the format's short name on it."""
    return h("span", "kind", icon("sheet"), h("span", "kind-label", label), aria_hidden="true")


def button(label: str, action: str, *, css: str = "", symbol: str = "", only_symbol: bool = False) -> object:
    """A button that runs `action`; with `only_symbol` its label is for screen readers and the tooltip."""
    attributes = {}
    children = (icon(symbol) if symbol else None, None if only_symbol else h("span", "", label))
    if only_symbol:
        attributes["aria_label"] = label
        attributes["title"] = label
    return h("button", css, *children, type="button", data_action=action, **attributes)


def by_id(name: str) -> object:
    return document.getElementById(name)


def show(element: object, visible: bool) -> None:
    element.hidden = not visible


def on(action: str, handler: object) -> None:
    """Run `handler(element, event)` when an element with this `data-action` is used."""
    _actions[action] = handler


def listen(*types: str) -> None:
    """Hear these event types at the document, once and for all."""
    for name in types:
        document.addEventListener(name, _dispatch)


def _dispatch(event: object) -> None:
    attribute = "data-action" if event.type == "click" else "data-" + event.type
    target = event.target
    element = target.closest(f"[{attribute}]") if hasattr(target, "closest") else None
    if not element:
        return
    handler = _actions.get(element.getAttribute(attribute))
    if handler:
        try:
            handler(element, event)
        except Exception as error:
            report(error)


def spawn(coroutine: object) -> None:
    """Run a coroutine beside the page; what it raises is shown, not lost."""

    async def guarded() -> None:
        try:
            await coroutine
        except Exception as error:
            report(error)

    asyncio.create_task(guarded())


def report(error: Exception) -> None:
    """A fault of the page itself: the trace for the console, a sentence for the person."""
    if hasattr(sys, "print_exception"):
        sys.print_exception(error)
    name = type(error).__name__
    toast(f"The page made a mistake ({name}: {error}). Reload it if something looks stuck.", bad=True)


def announce(text: str) -> None:
    """Say something through the screen reader without showing it."""
    by_id("announce").textContent = text


def toast(text: str, *, bad: bool = False) -> None:
    """A sentence at the bottom edge that goes by itself."""
    area = by_id("toasts")
    note = h("p", "toast bad" if bad else "toast", text)
    area.append(note)

    async def fade() -> None:
        await asyncio.sleep(TOAST_SECONDS)
        note.remove()

    asyncio.create_task(fade())


def now() -> float:
    """Seconds on the browser's steady clock."""
    return window.performance.now() / 1000
