"""Mail (RFC 5322, MIME) and mailboxes in mbox format → blocks, parsed by the standard library's `email`.

A message is a section under its subject: who wrote when to whom, the text, then what is attached. Of a text that is
sent in several forms the plain one is read, else the HTML one. Signatures are not checked, encrypted mail is not read.
"""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.message import EmailMessage, Message
from email.policy import EmailPolicy
from typing import Any

from terrarium.errors import UnreadableFile
from terrarium.model import Block
from terrarium.readers.content import Enclosed
from terrarium.readers.enclosed import below
from terrarium.readers.encoding import decode
from terrarium.readers.html import html_blocks
from terrarium.readers.looks import MESSAGE
from terrarium.readers.mail_text import plain_blocks

ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
SHOWN = ("From", "To", "Cc", "Date")
DEEPEST = 12  # parts inside of parts
WITHOUT_CONTENT = {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}


class Forgiving(EmailPolicy):
    """Gives a header as it is written when `email` breaks on it, as it does on some that no standard allows."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        try:
            return super().header_fetch_parse(name, value)
        except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
            return str(value)


Items = list[Block | Enclosed]


def mail_items(data: bytes, name: str) -> tuple[Items, str]:
    """(blocks and attached files of one message, its subject)."""
    message = parse(data, name)
    return message_items(message, 1, name), header(message, "Subject")


def mbox_items(data: bytes, name: str) -> tuple[Items, str]:
    """(blocks and attached files of all messages in their order, "")."""
    starts = list(MESSAGE.finditer(data))
    items: Items = []
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        raw = data[start.end() : following.start() if following else len(data)]
        items += message_items(parse(ESCAPED.sub(rb"\1", raw), name), 1, name)
    return items, ""


def parse(data: bytes, name: str) -> Message:
    try:
        return email.message_from_bytes(data.lstrip(b"\r\n"), policy=Forgiving())
    except RecursionError as error:
        raise too_deep(name) from error


def too_deep(name: str) -> UnreadableFile:
    return UnreadableFile(f"“{name}” was not read: its parts are nested too deep (over {DEEPEST} levels).")


def message_items(message: Message, level: int, name: str) -> Items:
    subject = header(message, "Subject") or "(no subject)"
    lines = [f"{field}: {value}" for field in SHOWN if (value := header(message, field))]
    items: Items = [Block("heading", subject, level=min(level, 6))]
    items += [Block("paragraph", "\n".join(lines))] if lines else []
    content = list(part_items(message, level, name, 0))
    items += [item for item in content if isinstance(item, Block)]
    return items + [item for item in content if isinstance(item, Enclosed)]


def part_items(part: Message, level: int, name: str, depth: int) -> Iterator[Block | Enclosed]:
    """Texts, attached files and messages of a part and of those in it."""
    if depth > DEEPEST:
        raise too_deep(name)
    kind = part.get_content_type()
    payload: Any = part.get_payload()
    if kind == "message/rfc822":
        yield from message_items(attached_message(part, name), level + 1, name)
    elif kind == "multipart/alternative" and isinstance(payload, list):
        best = chosen(payload) if payload else None
        for form in payload:
            of_form = part_items(form, level, name, depth + 1)
            # Some programs attach files to the form that is not chosen.
            yield from of_form if form is best else (item for item in of_form if isinstance(item, Enclosed))
    elif kind == "multipart/related" and isinstance(payload, list):
        for inner in payload:  # a page and its pictures, which are not attached but shown
            if inner is payload[0] or inner.get_content_disposition() == "attachment":
                yield from part_items(inner, level, name, depth + 1)
    elif isinstance(payload, list):
        for inner in payload:
            yield from part_items(inner, level, name, depth + 1)
    else:
        yield from leaf_items(part, kind, level)


def leaf_items(part: Message, kind: str, level: int) -> Iterator[Block | Enclosed]:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes) or kind in WITHOUT_CONTENT:
        return
    file = filename(part)
    if file or not kind.startswith("text/"):
        if data.strip():
            yield Enclosed(file or f"attachment ({kind})", lambda: data, level + 1)
    elif kind == "text/html":
        yield from below(html_blocks(decoded(part, data).encode())[0], level)
    else:
        # In a report each group of fields is a part that has fields and no text.
        written = decoded(part, data).strip() or "\n".join(f"{k}: {text(v)}" for k, v in part.items() if not is_mime(k))
        yield from below(plain_blocks(written), level)


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


def header(message: Message, field: str) -> str:
    return text(message.get(field, ""))


def text(value: object) -> str:
    return " ".join(str(value).split())


def filename(part: Message) -> str:
    try:
        return text(part.get_filename() or "").rpartition("/")[2]
    except ValueError:  # of an encoding that is none
        return ""


def decoded(part: Message, data: bytes) -> str:
    """The declared encoding, unless the bytes are none of it."""
    try:
        charset = part.get_content_charset() or ""
        if charset and charset != "us-ascii":
            return data.decode(charset).replace("\r\n", "\n").replace("\r", "\n")
    except (LookupError, ValueError):
        pass
    return decode(data, "mail")[0] if data else ""
