"""ZIP archives → the files in them, in the order of their names. An archive has no text of its own."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial

from terrarium.readers.archive import Archive
from terrarium.readers.content import Enclosed

# Of operating systems.
CLUTTER = re.compile(r"(?:^|/)(?:__MACOSX/|\.[^./]|(?:Thumbs\.db|desktop\.ini)$)", re.IGNORECASE)
NOWHERE = {"", ".", ".."}


def members(archive: Archive) -> list[Enclosed]:
    """Members under their paths, which are names and never written to."""
    names = sorted({name for name in archive.names if not name.endswith("/") and not CLUTTER.search(name)})
    return [Enclosed(shown(name), partial(archive.read, name)) for name in names]


def shown(member: str) -> str:
    """The path without what would lead out of the archive; Windows' own programs write it with its separators.

    Many programs write names in UTF-8 without saying so, and `zipfile` then takes them for cp437 (APPNOTE.TXT D.1).
    """
    with suppress(UnicodeError):
        member = member.encode("cp437").decode("utf-8")
    return "/".join(part for part in re.split(r"[/\\]", member) if part not in NOWHERE) or member
