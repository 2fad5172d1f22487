"""The files that wait to be added to the library: which is being read, which failed, which need a password.

One file is sent at a time, so that the first is searchable while the others wait. A file that fails keeps its row until
it is dismissed and never holds up the next. This module knows nothing of the page or the engine.
"""

WAITING, RUNNING, PASSWORD, FAILED, DONE = "waiting", "running", "password", "failed", "done"


class Entry:
    """One file on its way. `source` is whatever the page reads its bytes from."""

    def __init__(self, key: int, name: str, size: int, source: object) -> None:
        self.key = key
        self.name = name
        self.size = size
        self.source = source
        self.state = WAITING
        self.message = ""  # why it failed or asks for a password
        self.password = ""
        self.stage = "reading"
        self.done = 0.0
        self.total = 0.0
        self.seconds_left: float | None = None
        self.call: object = None  # the engine's call id while running


class FileQueue:
    """Entries in the order they came."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._failed: list[tuple[int, dict[str, object]]] = []  # with the entry's key
        self._last_key = 0

    def add(self, name: str, size: int, source: object) -> Entry:
        self._last_key += 1
        entry = Entry(self._last_key, name, size, source)
        self.entries.append(entry)
        return entry

    def find(self, key: int) -> Entry | None:
        for entry in self.entries:
            if entry.key == key:
                return entry
        return None

    @property
    def failures(self) -> "list[dict[str, object]]":
        """{name, size, message} of each file that failed since the page was opened, dismissed ones too."""
        return [failure for _, failure in self._failed]

    @property
    def running(self) -> Entry | None:
        for entry in self.entries:
            if entry.state == RUNNING:
                return entry
        return None

    @property
    def waiting(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.state == WAITING]

    def start_next(self) -> Entry | None:
        """The next waiting file, now running; None while one runs or when none waits."""
        if self.running:
            return None
        for entry in self.waiting:
            entry.state = RUNNING
            return entry
        return None

    def progress(self, entry: Entry, stage: str, done: float, total: float, seconds_left: float | None) -> None:
        entry.stage, entry.done, entry.total, entry.seconds_left = stage, done, total, seconds_left

    def finish(self, entry: Entry) -> None:
        """It is in the library: its row goes."""
        entry.state = DONE
        self._forget_failure(entry)
        self.remove(entry)

    def fail(self, entry: Entry, kind: str, message: str) -> None:
        """The engine's error decides: cancelled rows go, locked files ask, the rest stay with their sentence."""
        if kind == "Cancelled":
            self.remove(entry)
            return
        entry.state = PASSWORD if kind == "PasswordNeeded" else FAILED
        entry.message = message
        entry.password = ""
        self._forget_failure(entry)
        self._failed.append((entry.key, {"name": entry.name, "size": entry.size, "message": message}))

    def _forget_failure(self, entry: Entry) -> None:
        self._failed = [one for one in self._failed if one[0] != entry.key]

    def retry(self, entry: Entry, password: str) -> None:
        """Wait again, at the front: the person is looking at it."""
        entry.state, entry.password, entry.message = WAITING, password, ""
        self.entries.remove(entry)
        self.entries.insert(1 if self.running else 0, entry)

    def remove(self, entry: Entry) -> None:
        if entry in self.entries:
            self.entries.remove(entry)

    def clear_waiting(self) -> int:
        """Drop the files that have not begun; return how many."""
        gone = self.waiting
        self.entries = [entry for entry in self.entries if entry not in gone]
        return len(gone)
