"""What no reader can read, told by its first bytes and named in words. Imports no parser: see formats.py."""

from __future__ import annotations

import re
from typing import NoReturn

from terrarium.errors import PasswordNeeded, UnreadableFile

SUPPORTED = (
    "PDF, Word, PowerPoint, Excel, OpenDocument, RTF, EPUB, HTML, Markdown, mail, notebooks, JSON, CSV, XML, "
    "subtitles, source code and plain text can be read"
)
PICTURES = {
    rb"\x89PNG\r\n\x1a\n": "PNG",
    rb"\xff\xd8\xff": "JPEG",
    rb"GIF8[79]a": "GIF",
    rb"II\*\0|MM\0\*": "TIFF",
    rb"RIFF....WEBP": "WebP",
    rb"BM....\0\0\0\0....[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0": "BMP",
    rb"....ftyp(?:hei|hev|mif|avi)": "HEIC",
    rb"\x01\0\0\0....................................? EMF|\xd7\xcd\xc6\x9a": "metafile",
    rb"8BPS": "Photoshop",
}
BINARY = {  # first bytes → what a person calls it
    rb"\x7fELF": "a program",
    rb"MZ.*\0": "a Windows program",
    rb"\x1f\x8b": "a compressed file (gzip)",
    rb"7z\xbc\xaf\x27\x1c": "an archive (7z)",
    rb"Rar!": "an archive (RAR)",
    rb"BZh\d1AY": "a compressed file (bzip2)",
    rb"\xfd7zXZ": "a compressed file (xz)",
    rb"\x28\xb5\x2f\xfd": "a compressed file (zstd)",
    rb"SQLite format 3\0": "a database",
    rb"....(?:Standard Jet|Standard ACE) DB": "a database (Access)",
    rb"PAR1": "a table in columns (Parquet)",
    rb"OggS": "a sound or film",
    rb"ID3|\xff[\xfb\xf3\xf2]|RIFF....WAVE|fLaC": "a sound",
    rb"....ftyp|\x1aE\xdf\xa3|RIFF....AVI ": "a sound or film",
    rb"\0\x01\0\0\0|OTTO\0|wOF[F2]": "a font",
    rb"ITSF": "a Windows help file (CHM)",
    rb"....................................(?:........................)BOOKMOBI": "a Kindle book",
}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
STREAMS = {
    "WordDocument": "word",
    "Workbook": "excel",
    "Book": "excel 95",
    "PowerPoint Document": "powerpoint",
    "__properties_version1.0": "outlook",
    "VisioDocument": "visio",
    "Contents": "publisher",
}
OLD = {  # which program wrote it, and what it is to be saved as
    "word": ("Word", "DOCX"),
    "excel": ("Excel", "XLSX"),
    "excel 95": ("Excel", "XLSX"),
    "powerpoint": ("PowerPoint", "PPTX"),
}


def refuse_binary(data: bytes, name: str) -> None:
    """Raises UnreadableFile for pictures, programs and the like, and for files of old Office programs."""
    head = data[:1024]
    if head.startswith(OLE):
        refuse_ole(data, name)
    for magic, what in PICTURES.items():
        if re.match(magic, head, re.DOTALL):
            raise UnreadableFile(
                f"“{name}” is a picture ({what}), which is not read. Make a PDF of it: text can be recognised in those."
            )
    for magic, what in BINARY.items():
        if re.match(magic, head, re.DOTALL) and b"\0" in head:
            raise UnreadableFile(f"“{name}” is {what}. {SUPPORTED}.")


def refuse_ole(data: bytes, name: str) -> NoReturn:
    """Files of Office before 2007, told apart by the first of their streams' names, which begin directory entries."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise PasswordNeeded(f"“{name}” is an encrypted Office file. Save it without a password, or as PDF, to add it.")
    places = {what: data.find(stream.encode("utf-16-le") + b"\0\0") for stream, what in STREAMS.items()}
    found = {place: what for what, place in places.items() if place >= 0 and place % 128 == 0}
    what = found[min(found)] if found else ""
    if what == "outlook":
        raise UnreadableFile(f"“{name}” is a message of Outlook (MSG). Save it as EML, or as PDF, to add it.")
    program, saved = OLD.get(what, ("", "DOCX"))
    named = f" of {program}, as before 2007" if program else ""
    raise UnreadableFile(f"“{name}” is an old Office file{named}. Save it as {saved} or PDF to add it.")
