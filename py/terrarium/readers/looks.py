"""Kinds of text files told by how they begin, whatever their names say. Imports no parser: see formats.py."""

from __future__ import annotations

import re

HEAD = 64 * 1024  # bytes of a mail in which its header must end
FIELD = re.compile(rb"[!-9;-~]+:")
MAIL_FIELDS = {b"date", b"message-id", b"mime-version", b"received"}
PAGE_FIELDS = {b"mime-version", b"content-type"}  # all that Word writes above a page in a file of its own (MHTML)
ROOT = re.compile(rb"<([a-z_][\w.-]*:)?([a-z_][\w.-]*)", re.IGNORECASE)  # of an element: no comment, no declaration
# In mbox a line “From …” behind an empty one begins a message; such a line of a text is written “>From …”.
MESSAGE = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]*\r?\n(?=[!-9;-~]+:|>From )")
TIMES = re.compile(
    r"^[ \t]*(?:(\d+):)?(\d{1,2}):(\d{2})[.,]\d{1,3}[ \t]+-->[ \t]+(?:(\d+):)?(\d{1,2}):(\d{2})[.,]\d{1,3}[^\n]*$",
    re.MULTILINE,
)
XML_DECLARATION = re.compile(rb"\s*<\?xml[\s?]")


def is_mail(data: bytes, named: bool) -> bool:
    """Header fields, among them who sent it and one that only mail has; `named` like mail, one field is enough."""
    header = re.split(rb"\r?\n\r?\n|\r\r", data[:HEAD].lstrip(b"\xef\xbb\xbf\r\n"), maxsplit=1)[0]
    lines = re.split(rb"\r\n|\r|\n", header)
    fields = {line.partition(b":")[0].lower() for line in lines if FIELD.match(line)}
    if named:
        return bool(FIELD.match(header)) and bool(fields)
    whole = all(FIELD.match(line) or line[:1] in {b" ", b"\t"} for line in lines if line)
    if fields == PAGE_FIELDS:
        return whole
    return whole and b"from" in fields and bool(fields & MAIL_FIELDS)


def is_mbox(data: bytes) -> bool:
    return data.startswith(b"From ") and bool(MESSAGE.match(data))


def is_subtitles(data: bytes) -> bool:
    """WebVTT by its first word, SubRip by the times of its first cue."""
    start = data[:400].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe\r\n\t ")
    text = start.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    times = TIMES.search(text)
    if text.startswith("WEBVTT"):
        return not text[6:7].strip()
    return times is not None and not text[: times.start()].strip().lstrip("0123456789")


def is_xml(data: bytes) -> bool:
    """Declared as XML, and no page of HTML."""
    start = data[:4096].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    root = ROOT.search(start)
    return bool(XML_DECLARATION.match(start)) and not (root and root[2].lower() == b"html")


def is_notebook(data: bytes) -> bool:
    """Of JSON: what Jupyter writes."""
    return b'"nbformat"' in data and (b'"cells"' in data or b'"worksheets"' in data)
