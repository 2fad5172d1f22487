"""Handing the person a file that was made in this tab: the browser's own download, and no request."""

from pyscript import document, window

from ui.dom import h

KEPT_MS = 60_000  # for a browser that asks where to save first


TYPES = {"jsonl": "application/jsonl", "json": "application/json", "csv": "text/csv"}


def save_text(text: str, name: str, *, marked: bool = False) -> None:
    """Offer a text under that name, whose ending says what it is.

    `marked` puts the mark of UTF-8 before it, without which spreadsheets read a table in the encoding of the system.
    """
    kind = window.JSON.parse('{"type": "' + TYPES[name.rpartition(".")[2]] + '"}')
    # As bytes: a mark within the text is lost between Python and JavaScript.
    parts = window.Array.of(window.Uint8Array.of(0xEF, 0xBB, 0xBF), text) if marked else window.Array.of(text)
    save(window.Blob.new(parts, kind), name)


def save(blob: object, name: str) -> None:
    """Offer `blob` under that name."""
    address = window.URL.createObjectURL(blob)
    link = h("a", "", href=address, download=name, hidden=True)
    document.body.append(link)
    link.click()
    link.remove()
    window.setTimeout(lambda: window.URL.revokeObjectURL(address), KEPT_MS)
