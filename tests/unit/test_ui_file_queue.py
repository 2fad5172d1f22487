"""The queue of files: one at a time, a bad one never stops the rest."""

from __future__ import annotations

from web.ui.file_queue import FAILED, PASSWORD, RUNNING, WAITING, FileQueue


def queue_of(*names: str) -> FileQueue:
    queue = FileQueue()
    for name in names:
        queue.add(name, 1, object())
    return queue


def names(queue: FileQueue) -> list[str]:
    return [entry.name for entry in queue.entries]


def test_one_file_runs_and_the_others_wait() -> None:
    queue = queue_of("a", "b", "c")
    first = queue.start_next()
    assert first is not None
    assert first.name == "a"
    assert queue.start_next() is None
    assert [entry.state for entry in queue.entries] == [RUNNING, WAITING, WAITING]
    queue.finish(first)
    second = queue.start_next()
    assert second is not None
    assert names(queue) == ["b", "c"]


def test_a_failed_file_keeps_its_row_and_lets_the_next_one_run() -> None:
    queue = queue_of("bad", "good")
    bad = queue.start_next()
    assert bad is not None
    queue.fail(bad, "UnreadableFile", "bad is empty.")
    good = queue.start_next()
    assert good is not None
    assert good.name == "good"
    assert (bad.state, bad.message) == (FAILED, "bad is empty.")
    queue.finish(good)
    assert names(queue) == ["bad"]
    assert queue.start_next() is None


def test_a_cancelled_file_goes_without_a_sentence() -> None:
    queue = queue_of("a", "b")
    first = queue.start_next()
    assert first is not None
    queue.fail(first, "Cancelled", "Cancelled.")
    assert names(queue) == ["b"]


def test_a_locked_file_waits_again_right_after_the_running_one() -> None:
    queue = queue_of("locked", "b", "c")
    locked = queue.start_next()
    assert locked is not None
    queue.fail(locked, "PasswordNeeded", "It opens with a password.")
    assert locked.state == PASSWORD
    running = queue.start_next()
    assert running is not None
    queue.retry(locked, "secret")
    assert names(queue) == ["b", "locked", "c"]
    queue.finish(running)
    assert queue.start_next() is locked
    queue.fail(locked, "PasswordNeeded", "Wrong.")
    assert locked.password == ""


def test_clearing_drops_only_what_has_not_begun() -> None:
    queue = queue_of("a", "b", "c")
    queue.start_next()
    assert queue.clear_waiting() == 2
    assert names(queue) == ["a"]


def test_keys_stay_unique_after_removals() -> None:
    queue = queue_of("a", "b")
    queue.remove(queue.entries[1])
    again = queue.add("c", 1, object())
    assert len({entry.key for entry in queue.entries}) == 2
    assert queue.find(again.key) is again
    assert queue.find(99) is None


def test_failures_are_told_until_the_file_is_in_though_its_row_is_dismissed() -> None:
    queue = queue_of("bad", "locked", "good")
    bad, locked, good = queue.entries
    queue.fail(bad, "UnreadableFile", "bad is empty.")
    queue.fail(locked, "PasswordNeeded", "It opens with a password.")
    queue.fail(locked, "PasswordNeeded", "Wrong.")
    queue.fail(good, "Cancelled", "Stopped.")
    queue.remove(bad)
    assert [(one["name"], one["message"]) for one in queue.failures] == [("bad", "bad is empty."), ("locked", "Wrong.")]
    queue.finish(locked)
    assert [one["name"] for one in queue.failures] == ["bad"]
