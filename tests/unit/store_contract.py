"""What every store must do, as functions that take a fresh store: run against each implementation, also in the tab."""

from __future__ import annotations

from terrarium.storage.protocol import KINDS, Store


async def missing_values_are_none(store: Store) -> None:
    assert await store.get("documents", "nothing") is None
    assert await store.items("documents") == {}


async def many_values_come_in_the_order_of_the_keys(store: Store) -> None:
    await store.put({"tokens": {"a/0": b"first", "a/1": b"second"}, "vectors": {"a/2": b"of another kind"}})
    assert await store.get_many("tokens", ["a/1", "a/2", "a/0", "a/1"]) == [b"second", None, b"first", b"second"]
    assert await store.get_many("tokens", []) == []


async def values_come_back_as_bytes(store: Store) -> None:
    every_byte = bytes(range(256))
    await store.put({"vectors": {"a": every_byte, "empty": b""}})
    assert await store.get("vectors", "a") == every_byte
    assert await store.get("vectors", "empty") == b""
    assert type(await store.get("vectors", "a")) is bytes


async def kinds_do_not_mix(store: Store) -> None:
    await store.put({kind: {"same": kind.encode()} for kind in KINDS})
    for kind in KINDS:
        assert await store.items(kind) == {"same": kind.encode()}


async def put_replaces(store: Store) -> None:
    await store.put({"settings": {"a": b"old", "b": b"kept"}})
    await store.put({"settings": {"a": b"new"}})
    assert await store.items("settings") == {"a": b"new", "b": b"kept"}


async def items_are_in_the_order_of_their_keys(store: Store) -> None:
    keys = ["b/1", "a", "é", "b/0", "Z"]
    await store.put({"traces": dict.fromkeys(keys, b".")})
    assert list(await store.items("traces")) == ["Z", "a", "b/0", "b/1", "é"]
    assert await store.keys("traces") == ["Z", "a", "b/0", "b/1", "é"]
    assert await store.keys("blocks") == []


async def delete_takes_out_what_it_names(store: Store) -> None:
    await store.put({"chunks": {"a": b"1", "b": b"2"}, "blocks": {"a": b"3"}})
    await store.delete({"chunks": ["a", "never there"], "blocks": ["a"]})
    assert await store.items("chunks") == {"b": b"2"}
    assert await store.items("blocks") == {}


async def later_changes_of_a_result_do_not_reach_the_store(store: Store) -> None:
    await store.put({"settings": {"a": b"1"}})
    (await store.items("settings")).clear()
    assert await store.get("settings", "a") == b"1"


async def a_failing_put_changes_nothing(store: Store) -> None:
    await store.put({"documents": {"a": b"before"}})
    try:
        await store.put({"documents": {"a": b"after", "b": b"new"}, "blocks": {"c": object()}})  # type: ignore[dict-item]
    except Exception:  # which one is the store's own affair
        pass
    else:
        raise AssertionError("an object was stored as bytes")
    assert await store.items("documents") == {"a": b"before"}
    assert await store.items("blocks") == {}


async def a_megabyte_is_kept(store: Store) -> None:
    value = bytes(range(256)) * 4096
    await store.put({"originals": {"a/0": value}})
    assert await store.get("originals", "a/0") == value


CONTRACT = (
    missing_values_are_none,
    many_values_come_in_the_order_of_the_keys,
    values_come_back_as_bytes,
    kinds_do_not_mix,
    put_replaces,
    items_are_in_the_order_of_their_keys,
    delete_takes_out_what_it_names,
    later_changes_of_a_result_do_not_reach_the_store,
    a_failing_put_changes_nothing,
    a_megabyte_is_kept,
)
