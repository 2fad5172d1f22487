"""Which reader a file needs, by its content. The extension decides only between texts that look alike."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Literal

from terrarium.errors import PasswordNeeded, UnreadableFile
from terrarium.readers import looks

Kind = Literal[
    "pdf",
    "docx",
    "epub",
    "html",
    "markdown",
    "json",
    "csv",
    "code",
    "text",
    "mail",
    "mbox",
    "notebook",
    "subtitles",
    "xml",
    "zip",
    "xlsx",
    "ods",
    "pptx",
    "odt",
    "odp",
    "rtf",
]

HTML = re.compile(rb"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]|<\?xml[^>]*\?>\s*<html", re.IGNORECASE)
BINARY = {  # first bytes → what a person calls it
    b"\x89PNG\r\n\x1a\n": "a picture (PNG)",
    b"\xff\xd8\xff": "a picture (JPEG)",
    b"GIF8": "a picture (GIF)",
    b"II*\0": "a picture (TIFF)",
    b"MM\0*": "a picture (TIFF)",
    b"\x7fELF": "a program",
    b"MZ": "a Windows program",
    b"\x1f\x8b": "a compressed file (gzip)",
    b"7z\xbc\xaf\x27\x1c": "an archive (7z)",
    b"Rar!": "an archive (RAR)",
    b"BZh": "a compressed file (bzip2)",
    b"\xfd7zXZ": "a compressed file (xz)",
    b"SQLite format 3\0": "a database",
    b"OggS": "a sound or film",
    b"ID3": "a sound",
    b"\0\0\0 ftyp": "a film",
}
SOURCE_CODE = frozenset(
    """awk bash bat c cc cfg cmd conf cpp cs css csx cxx dart el ex exs fs go gradle groovy h hpp hs ini ipp java jl js
    jsx kt kts lisp lua m mjs ml pas php pl pm properties ps1 py pyi r rb rs scala scm scss sh sql swift tcl tf toml ts
    tsx v vb vhdl vue yaml yml zig zsh""".split()  # noqa: SIM905
)
PAGES = {"html", "htm", "xhtml"}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SUPPORTED = "PDF, DOCX, EPUB, HTML, Markdown, mail, notebooks, JSON, CSV, XML, subtitles and plain text can be read"


def sniff(data: bytes, name: str) -> Kind:
    """Raises UnreadableFile for empty files and for kinds that no reader knows."""
    if not data.strip(b" \t\r\n\v\f\0\xef\xbb\xbf\xfe\xff"):
        what = "is empty" if not data else "holds only white space"
        raise UnreadableFile(f"“{name}” {what}. Choose a file with text in it.")
    head = data[:1024]
    extension = name.lower().rpartition(".")[2]
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(b"PK"):
        return sniff_zip(data, name)
    if head.startswith(OLE):
        return refuse_ole(data, name)
    for magic, what in BINARY.items():
        if head.startswith(magic) and (len(magic) > 2 or b"\0" in head):
            raise UnreadableFile(f"“{name}” is {what}. {SUPPORTED}.")
    if extension == "pdf":
        raise UnreadableFile(f"“{name}” is not a PDF although its name says so: it may be cut off or damaged.")
    if looks.is_xml(data) and extension not in PAGES:
        return "xml"
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if HTML.search(data[:4096]) and (start[:1] == b"<" or extension in PAGES):
        return "html"
    if extension in PAGES and re.search(rb"<[a-z][a-z0-9]*[\s>]", data[:65536], re.IGNORECASE):
        return "html"
    if extension in {"md", "markdown", "mkd"}:
        return "markdown"
    if extension in SOURCE_CODE:
        return "code"
    if extension in {"csv", "tsv", "tab"}:
        return "csv"
    if looks.is_mbox(data):
        return "mbox"
    if looks.is_mail(data, extension in {"eml", "mht", "mhtml"}):
        return "mail"
    if looks.is_subtitles(data):
        return "subtitles"
    if start[:1] == b"{" and (extension == "ipynb" or looks_like_json(data)) and looks.is_notebook(data):
        return "notebook"
    if extension in {"json", "jsonl", "ndjson", "geojson"} or (extension != "txt" and looks_like_json(data)):
        return "json"
    return "text"


def looks_like_json(data: bytes) -> bool:
    stripped = data.strip()
    return stripped[:1] + stripped[-1:] in {b"{}", b"[]"} and stripped.lstrip(b"[{ \r\n\t")[:1] in b'"{[0123456789-tfn'


def sniff_zip(data: bytes, name: str) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 100:
                if archive.read("mimetype").strip() == b"application/epub+zip":
                    return "epub"
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError, EOFError) as error:
        raise UnreadableFile(
            f"“{name}” is damaged: its archive cannot be opened ({error}). Try to save or download it again."
        ) from error
    if "word/document.xml" in names or any(re.fullmatch(r"word/document\d*\.xml", entry) for entry in names):
        return "docx"
    if "META-INF/container.xml" in names:
        return "epub"
    for folder, what in (("ppt/", "a presentation"), ("xl/", "a spreadsheet")):
        if any(entry.startswith(folder) for entry in names):
            raise UnreadableFile(f"“{name}” is {what}. {SUPPORTED}; save it as PDF to add it.")
    return "zip"


def refuse_ole(data: bytes, name: str) -> Kind:
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise PasswordNeeded(f"“{name}” is an encrypted Office file. Save it without a password, or as PDF, to add it.")
    raise UnreadableFile(f"“{name}” is an old Office file. Save it as DOCX or PDF to add it.")
