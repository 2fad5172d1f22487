"""Mail (RFC 5322, MIME) and mailboxes in mbox format → blocks, parsed by the standard library's `email`.

A message is a section under its subject: who wrote when to whom, and the text. Of a text that is sent in several forms
the plain one is read, else the HTML one. What is attached, messages too, are files inside of the mail. Signatures are
not checked, encrypted mail is not read.
"""

from __future__ import annotations

import asyncio
import email
import re
from collections.abc import Iterator
from email.message import EmailMessage, Message
from functools import partial
from typing import Any

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.content import Content, Enclosed, Source
from terrarium.readers.looks import MESSAGE
from terrarium.readers.mail.header import Forgiving, filename, header, text
from terrarium.readers.mail.text import below, plain_blocks
from terrarium.readers.markup.html import html_blocks
from terrarium.readers.plain.encoding import decode

ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
SHOWN = ("From", "To", "Cc", "Date")
AT_ONCE = 50  # messages of a mailbox before the event loop has its turn
DEEPEST = 12  # parts inside of parts
WITHOUT_CONTENT = {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}


def read_mail(data: bytes, name: str) -> Content:
    """One message, under its subject."""
    message = parse(data, name)
    blocks, enclosed = message_items(message, name)
    return Content(blocks, header(message, "Subject"), enclosed=enclosed)


async def read_mbox(source: Source) -> Content:
    """All messages in their order. Progress counts them."""
    data, name = source.data, source.name
    starts = list(MESSAGE.finditer(data))
    blocks: list[Block] = []
    enclosed: list[Enclosed] = []
    for number, start in enumerate(starts):
        if number % AT_ONCE == 0:
            if source.progress:
                source.progress(number, len(starts))
            await asyncio.sleep(0)
        end = starts[number + 1].start() if number + 1 < len(starts) else len(data)
        message = parse(ESCAPED.sub(rb"\1", data[start.end() : end]), name)
        said, attached = message_items(message, name)
        blocks += said
        enclosed += attached
    return Content(blocks, enclosed=enclosed)


def parse(data: bytes, name: str) -> Message:
    try:
        return email.message_from_bytes(data.lstrip(b"\r\n"), policy=Forgiving())
    except RecursionError as error:
        raise too_deep(name) from error


def too_deep(name: str) -> UnreadableFile:
    return UnreadableFile(f"“{name}” was not read: its parts are nested too deep (over {DEEPEST} levels).")


def message_items(message: Message, name: str) -> tuple[list[Block], list[Enclosed]]:
    """(what it says, what is attached to it)."""
    lines = [f"{field}: {value}" for field in SHOWN if (value := header(message, field))]
    blocks = [Block("heading", header(message, "Subject") or "(no subject)", level=1)]
    blocks += [Block("paragraph", "\n".join(lines))] if lines else []
    items = list(part_items(message, name, 0))
    blocks += [item for item in items if isinstance(item, Block)]
    return blocks, [item for item in items if isinstance(item, Enclosed)]


def part_items(part: Message, name: str, depth: int) -> Iterator[Block | Enclosed]:
    """Texts, attached files and messages of a part and of those in it."""
    if depth > DEEPEST:
        raise too_deep(name)
    kind = part.get_content_type()
    payload: Any = part.get_payload()
    if kind == "message/rfc822":
        message = attached_message(part, name)
        called = filename(part) or f"{header(message, 'Subject').replace('/', '-') or 'message'}.eml"
        yield Enclosed(called, partial(written, message, called))
    elif kind == "multipart/alternative" and isinstance(payload, list):
        best = chosen(payload) if payload else None
        for form in payload:
            of_form = part_items(form, name, depth + 1)
            # Some programs attach files to the form that is not chosen.
            yield from of_form if form is best else (item for item in of_form if isinstance(item, Enclosed))
    elif kind == "multipart/related" and isinstance(payload, list):
        for inner in payload:  # a page and its pictures, which are not attached but shown
            if inner is payload[0] or inner.get_content_disposition() == "attachment":
                yield from part_items(inner, name, depth + 1)
    elif isinstance(payload, list):
        for inner in payload:
            yield from part_items(inner, name, depth + 1)
    else:
        yield from leaf_items(part, kind)


def leaf_items(part: Message, kind: str) -> Iterator[Block | Enclosed]:
    if kind in WITHOUT_CONTENT:
        return
    file = filename(part)
    if file or not kind.startswith("text/"):
        if str(part.get_payload()).strip():
            yield Enclosed(file or f"attachment ({kind})", partial(payload, part))
    elif kind == "text/html":
        yield from below(html_blocks(decoded(part, payload(part)).encode())[0], 1)
    else:
        # In a report each group of fields is a part that has fields and no text.
        said = decoded(part, payload(part)).strip()
        yield from below(
            plain_blocks(said or "\n".join(f"{k}: {text(v)}" for k, v in part.items() if not is_mime(k))), 1
        )


def payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def written(message: Message, name: str) -> bytes:
    """A message inside of a mail as the file that it would be by itself, its header as it stands."""
    try:
        return message.as_bytes(policy=Forgiving(refold_source="none"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableFile(f"“{name}” is damaged: this message cannot be taken out of the mail ({error}).") from error


def is_mime(field: str) -> bool:
    return field.lower().startswith(("content-", "mime-"))


def chosen(forms: list[Message]) -> Message:
    """Of several forms of one text: the plain one, unless nothing is written there; else HTML; else the last."""
    full = [form for form in forms if form.is_multipart() or str(form.get_payload()).strip()] or forms
    rank = {"text/plain": 0, "text/html": 1, "multipart/related": 1, "multipart/mixed": 1}
    return min(reversed(full), key=lambda form: rank.get(form.get_content_type(), 2))


def attached_message(part: Message, name: str) -> Message:
    """The message in a part. Some programs encode it, which the standard forbids and `email` does not undo."""
    payload: Any = part.get_payload()
    inner = payload[0] if isinstance(payload, list) and payload else EmailMessage()
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding in {"base64", "quoted-printable"} and not inner.keys():
        inner["Content-Transfer-Encoding"] = encoding
        data = inner.get_payload(decode=True)
        return parse(data, name) if isinstance(data, bytes) else inner
    return inner


def decoded(part: Message, data: bytes) -> str:
    """The declared encoding, unless the bytes are none of it."""
    try:
        charset = part.get_content_charset() or ""
        if charset and charset != "us-ascii":
            return data.decode(charset).replace("\r\n", "\n").replace("\r", "\n")
    except (LookupError, ValueError):
        pass
    return decode(data, "mail")[0] if data else ""
