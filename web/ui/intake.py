"""Files from a drop or a picker: (path, File) pairs, with the folders of a dropped folder in the path."""

from pyscript import window

IGNORED = ("Thumbs.db", "desktop.ini")  # what systems leave in folders; names with a leading dot are skipped too


def wanted(name: str) -> bool:
    """Whether a file found inside a folder is one that a person would mean."""
    return not name.startswith(".") and name not in IGNORED


def from_picker(element: object) -> list:
    """The chosen files; the folder picker gives each its path."""
    found = []
    for file in element.files:
        path = file.webkitRelativePath or file.name
        if path == file.name or wanted(file.name):
            found.append((path, file))
    element.value = ""  # so that the same choice, made again, is heard again
    return found


def entries_of(event: object) -> list:
    """What was dropped: file system entries, or plain Files where the browser has no entry for one.

    To be called before anything is awaited: the browser empties the drop afterwards.
    """
    found = []
    for item in event.dataTransfer.items:
        if item.kind == "file":
            dropped = item.webkitGetAsEntry() or item.getAsFile()
            if dropped:
                found.append(dropped)
    return found


def holds_files(event: object) -> bool:
    transfer = event.dataTransfer
    return bool(transfer) and "Files" in list(transfer.types)


async def walk(entries: list, folder: str, take: object) -> None:
    """Call `take(path, File)` for every file in what `entries_of` gave, folders opened one after the other."""
    for entry in entries:
        path = folder + entry.name
        if hasattr(entry, "size"):
            take(path, entry)
        elif entry.isFile:
            if not folder or wanted(entry.name):
                take(path, await _file(entry))
        elif wanted(entry.name):
            reader = entry.createReader()
            while True:
                # A reader gives at most 100 entries at a time, and an empty list at the end.
                batch = list(await _batch(reader))
                if not batch:
                    break
                await walk(batch, path + "/", take)


# The lambdas keep each method with its object: taken alone, a JavaScript method has no `this`.
def _file(entry: object) -> object:
    return window.Promise.new(lambda resolve, reject: entry.file(resolve, reject))  # noqa: PLW0108


def _batch(reader: object) -> object:
    return window.Promise.new(lambda resolve, reject: reader.readEntries(resolve, reject))  # noqa: PLW0108
