"""Which reader a file needs, by its content. The extension decides only between texts that look alike."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from typing import Literal

from terrarium.errors import UnreadableFile
from terrarium.readers import looks
from terrarium.readers.unsupported import refuse_binary

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
SOURCE_CODE = frozenset(
    """awk bash bat c cc cfg cmd conf cpp cs css csx cxx dart el ex exs fs go gradle groovy h hpp hs ini ipp java jl js
    jsx kt kts lisp lua m mjs ml pas php pl pm properties ps1 py pyi r rb rs scala scm scss sh sql swift tcl tf toml ts
    tsx v vb vhdl vue yaml yml zig zsh""".split()  # noqa: SIM905
)
PAGES = {"html", "htm", "xhtml"}
MIME_TYPES: Mapping[str, Kind] = {  # how the member "mimetype" begins, which archives of these kinds open with
    "application/epub+zip": "epub",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
}
FLAT = re.compile(rb"<office:document\s[^>]*office:mimetype=\"(application/vnd\.oasis\.opendocument\.\w+)")
FLAT_HEAD = 64 * 1024  # bytes; the root of a flat OpenDocument names its namespaces


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
    refuse_binary(data, name)
    if extension == "pdf":
        raise UnreadableFile(f"“{name}” is not a PDF although its name says so: it may be cut off or damaged.")
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rtf"):
        return "rtf"
    if flat := FLAT.search(data[:FLAT_HEAD]):
        kind = MIME_TYPES.get(flat[1].decode())
        if kind:
            return kind
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
    if extension in {"csv", "tsv", "tab", "xls", "xlsx"}:  # programs call tables of text so, that Excel may open them
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
                named = archive.read("mimetype").strip().decode("latin-1")
                kind = next((kind for start, kind in MIME_TYPES.items() if named.startswith(start)), None)
                if kind:
                    return kind
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError, EOFError) as error:
        raise UnreadableFile(
            f"“{name}” is damaged: its archive cannot be opened ({error}). Try to save or download it again."
        ) from error
    parts = {entry.lower() for entry in names}
    if any(re.fullmatch(r"word/document\d*\.xml", entry) for entry in parts):
        return "docx"
    if "META-INF/container.xml" in names:
        return "epub"
    if any(re.fullmatch(r"ppt/presentation\d*\.xml", entry) for entry in parts):
        return "pptx"
    if "xl/workbook.bin" in parts:
        raise UnreadableFile(f"“{name}” is a binary spreadsheet (XLSB). Save it as XLSX to add it.")
    if any(re.fullmatch(r"xl/workbook\d*\.xml", entry) for entry in parts):
        return "xlsx"
    if any(entry.startswith("index/") and entry.endswith(".iwa") for entry in parts):
        raise UnreadableFile(f"“{name}” is a document of Pages, Numbers or Keynote. Export it as PDF to add it.")
    for folder, what in (("ppt/", "a presentation"), ("xl/", "a spreadsheet"), ("word/", "a Word file")):
        if any(entry.startswith(folder) for entry in parts):
            raise UnreadableFile(f"“{name}” looks like {what}, but its main part is missing: it is damaged.")
    return "zip"
