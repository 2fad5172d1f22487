"""ZIP archives → the files in them, in the order of their names. What can be read of them is in one document."""

from __future__ import annotations

import re
from functools import partial
from pathlib import PurePosixPath

from terrarium.model import Block
from terrarium.readers.archive import Archive
from terrarium.readers.content import Enclosed

CLUTTER = re.compile(r"(?:^|/)(?:__MACOSX/|\.[^./]|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)  # of operating systems


def zip_items(archive: Archive) -> list[Block | Enclosed]:
    """Members under their paths, which are names and never written to."""
    names = sorted(name for name in archive.names if not name.endswith("/") and not CLUTTER.search(name))
    return [Enclosed(str(PurePosixPath(name)), partial(archive.read, name)) for name in names]
