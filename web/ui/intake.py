"""Files from a drop or a picker: (path, File) pairs, with the folders of a dropped folder in the path."""

from pyscript import window

from ui import engine

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


def dropped(event: object) -> list:
    """What was dropped, for `walk`: a File each, and for a folder its handle's promise or its entry.

    To be called before anything is awaited: the browser empties the drop afterwards.

    Chromium opens no file system entry on a page from disk ("A URI supplied to the API was malformed",
    https://github.com/WICG/entries-api/issues/36, https://github.com/feross/drag-drop/issues/10), so files are taken
    as Files and folders as handles; Firefox has no handles from a drop, but its entries work. The entries may go when
    it has them.
    """
    found = []
    for item in event.dataTransfer.items:
        if item.kind != "file":
            continue
        entry = item.webkitGetAsEntry()
        if not entry or entry.isFile:
            found.append(item.getAsFile())
        elif hasattr(item, "getAsFileSystemHandle"):
            found.append(item.getAsFileSystemHandle())
        else:
            found.append(entry)
    return [one for one in found if one]


def sorted_out(found: list) -> tuple:
    """Of what `dropped` gave: the files that are called as model packs are, and the rest."""
    packs = [one for one in found if hasattr(one, "size") and one.name.endswith(".pack")]
    return packs, [one for one in found if one not in packs]


def holds_files(event: object) -> bool:
    transfer = event.dataTransfer
    return bool(transfer) and "Files" in list(transfer.types)


async def walk(found: list, take: object) -> None:
    """Call `take(path, File)` for every file in what `dropped` gave; EngineError for an unreadable folder."""
    for one in found:
        if hasattr(one, "size"):
            take(one.name, one)
        elif hasattr(one, "then"):
            await _walk_handle(await engine.settled(one), "", take)
        else:
            await _walk_entry(one, "", take)


async def _walk_handle(folder: object, above: str, take: object) -> None:
    children = folder.values()
    while True:
        step = await engine.settled(children.next())
        if step.done:
            return
        child = step.value
        if not wanted(child.name):
            continue
        if child.kind == "directory":
            await _walk_handle(child, f"{above}{folder.name}/", take)
        else:
            take(f"{above}{folder.name}/{child.name}", await engine.settled(child.getFile()))


async def _walk_entry(folder: object, above: str, take: object) -> None:
    reader = folder.createReader()
    while True:
        # A reader gives some of its entries at a time, and an empty list at the end.
        batch = list(await _promised(lambda resolve, reject: reader.readEntries(resolve, reject)))  # noqa: PLW0108
        if not batch:
            return
        for child in batch:
            if not wanted(child.name):
                continue
            if child.isDirectory:
                await _walk_entry(child, f"{above}{folder.name}/", take)
            else:
                file = await _promised(lambda resolve, reject, child=child: child.file(resolve, reject))
                take(f"{above}{folder.name}/{child.name}", file)


async def _promised(start: object) -> object:
    """The value of a call that takes two callbacks. `start` keeps its method with its object."""
    return await engine.settled(window.Promise.new(start))
