"""The header of a mail, read with what no standard allows in it."""

from __future__ import annotations

from email.message import Message
from email.policy import EmailPolicy
from functools import lru_cache
from typing import Any


class Forgiving(EmailPolicy):
    """Gives a header as it is written when `email` breaks on it, as it does on some that no standard allows."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return field_value(name, str(value))


PLAIN = EmailPolicy()


@lru_cache(maxsize=1024)  # parsing one takes half a millisecond, and `email` asks for a part's type over and over
def field_value(name: str, value: str) -> Any:
    try:
        return PLAIN.header_fetch_parse(name, value)
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return value


def header(message: Message, field: str) -> str:
    return text(message.get(field, ""))


def text(value: object) -> str:
    return " ".join(str(value).split())


def filename(part: Message) -> str:
    try:
        return text(part.get_filename() or "").rpartition("/")[2]
    except ValueError:  # of an encoding that is none
        return ""
