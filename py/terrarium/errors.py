"""Errors that a person may see. Each message says what happened, to what, and what to do next."""

from __future__ import annotations


class TerrariumError(Exception):
    """Base of the errors whose message is written for the person who uses the page."""


class UnreadableFile(TerrariumError):
    """A file that cannot be read. The other files of a batch go on."""


class PasswordNeeded(UnreadableFile):
    """A file that opens with a password only; `wrong` tells whether one was tried."""

    def __init__(self, message: str, *, wrong: bool = False) -> None:
        super().__init__(message)
        self.wrong = wrong


class StorageError(TerrariumError):
    """The library could not be read or written."""


class ModelError(TerrariumError):
    """A model is missing, does not load, or gives a result that cannot be right."""


class DeviceLost(ModelError):
    """The graphics processor was reset or taken away: every session on it is dead, and new ones can be made."""
