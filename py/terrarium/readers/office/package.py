"""An Office file (OPC, ECMA-376 part 2): its XML parts, and the relationships that lead from one to another.

Names of parts are compared without regard to case, as the standard has it. Entities, which real files do not have, are
refused.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError, fromstring

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.readers.archive import Archive
from terrarium.readers.office.elements import child, inside, local, value


@dataclass(frozen=True, slots=True)
class Related:
    """What a relationship leads to; `kind` is the last word of its type: "slide", "notesSlide"."""

    kind: str
    part: str


class Package:
    """Parts by name. What is missing or damaged is None: whoever needs it says so."""

    def __init__(self, archive: Archive, name: str) -> None:
        self._archive = archive
        self._name = name
        self._members = {member.lower(): member for member in archive.names}

    def __contains__(self, part: str) -> bool:
        return part.lower() in self._members

    def read(self, part: str) -> bytes:
        """Raises UnreadableFile."""
        return self._archive.read(self._members.get(part.lower(), part))

    def data(self, part: str) -> bytes:
        """Of a part of XML that is too large for a tree. Raises UnreadableFile as `parse` does."""
        data = self.read(part)
        refuse_entities(data, self._name)
        return data

    def xml(self, part: str) -> Element | None:
        """Raises UnreadableFile for parts that declare entities, and for archives that unpack to too much."""
        if part not in self:
            return None
        return parse(self.read(part), self._name)

    def related(self, part: str = "") -> dict[str, Related]:
        """The parts that a part leads to, by the relationship's id; those of the package itself for ""."""
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Related] = {}
        for one in root if root is not None else ():
            if value(one, "TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, unquote(value(one, "Target"))))
                found[value(one, "Id")] = Related(value(one, "Type").rpartition("/")[2], target.lstrip("/"))
        return found

    def title(self) -> str:
        """Of the document's properties."""
        main = next((one.part for one in self.related().values() if one.kind == "core-properties"), "docProps/core.xml")
        title = child(self.xml(main), "title")
        return " ".join((title.text or "").split()) if title is not None else ""


def parse(data: bytes, name: str) -> Element | None:
    """None for what is no XML. Raises UnreadableFile for what declares entities."""
    refuse_entities(data, name)
    try:
        return fromstring(data)
    except (ParseError, ValueError):  # an encoding that is none
        return None


def refuse_entities(data: bytes, name: str) -> None:
    """Raises UnreadableFile: they make a few bytes grow without end."""
    if b"<!ENTITY" in (data.replace(b"\0", b"") if b"\0" in data else data):
        raise UnreadableFile(f"“{name}” declares XML entities, which real documents never do, and was not read.")


def refuse_encrypted(package: Package, name: str) -> None:
    """Of OpenDocument: its keys may be made by algorithms that no library here has. Raises PasswordNeeded."""
    if next(inside(package.xml("META-INF/manifest.xml"), "encryption-data"), None) is not None:
        raise PasswordNeeded(f"“{name}” is encrypted. Save it without a password, or as PDF, to add it.")


def too_deep(root: Element, most: int) -> bool:
    """Whether elements are nested over so many levels."""
    pending = [(root, 0)]
    while pending:
        element, depth = pending.pop()
        if depth > most:
            return True
        pending += [(one, depth + 1) for one in element]
    return False


def shown(element: Element) -> Element | None:
    """Of `mc:AlternateContent` the first choice, which says most; any other element is itself."""
    if local(element) != "AlternateContent":
        return element
    return next((one for one in element if local(one) == "Choice"), child(element, "Fallback"))
