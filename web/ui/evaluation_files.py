"""Question files and results on their way in and out of the page: no request, as everywhere."""

from pyscript import window

from ui import engine
from ui.saving import save

TYPES = {"jsonl": "application/jsonl", "json": "application/json", "csv": "text/csv"}


async def bytes_of(file: object) -> object:
    """A chosen file as an ArrayBuffer, for the engine."""
    return await engine.settled(file.arrayBuffer())


def save_text(text: str, name: str) -> None:
    """Offer a text under that name, whose ending says what it is."""
    kind = window.JSON.parse('{"type": "' + TYPES[name.rpartition(".")[2]] + '"}')
    save(window.Blob.new(window.Array.of(text), kind), name)
