"""The documents that a conversation's questions go to: as chosen, as the engine's filter, and in words."""

from __future__ import annotations

from typing import Any

from web.ui import words
from web.ui.scope import ADDED, DAY, Scope

from terrarium.filters import Filter
from terrarium.model import DocumentInfo

NOW = 1_000 * DAY


def info(id: str, kind: str = "pdf", collection: str = "", days_ago: float = 0) -> dict[str, Any]:
    return {
        "id": id,
        "name": f"folder/{id}.{kind}",
        "kind": kind,
        "collection": collection,
        "added": NOW - days_ago * DAY,
    }


INFOS = [info("a", "pdf", "contracts"), info("b", "docx", "contracts", 3), info("c", "pdf", "", 40), info("d", "html")]


def chosen(**groups: list[str]) -> Scope:
    scope = Scope()
    for group, names in groups.items():
        for name in names:
            scope.choose(group, name, True)
    return scope


def said(scope: Scope) -> str:
    return words.scope(scope.chosen, dict(ADDED)[scope.days] if scope.days else "", INFOS)


def test_at_first_everything_is_asked():
    scope = Scope()
    assert scope.everything
    assert scope.filter(NOW) is None
    assert said(scope) == ""
    assert all(scope.admits(one, NOW, scope.chosen["documents"]) for one in INFOS)


def test_every_condition_must_hold_as_in_the_engine():
    scopes = [
        chosen(kinds=["pdf"]),
        chosen(collections=["contracts"], kinds=["pdf"]),
        chosen(collections=[""]),
        chosen(documents=["a", "d"]),
        chosen(added=["7"], kinds=["docx", "html"]),
        chosen(added=["1"]),
    ]
    for scope in scopes:
        found = Filter.of(scope.filter(NOW))
        assert found is not None
        for one in INFOS:
            document = DocumentInfo(
                one["id"], one["name"], one["kind"], "", 1, 1, added=one["added"], collection=one["collection"]
            )
            assert found.admits(document) == scope.admits(one, NOW, scope.chosen["documents"])


def test_words():
    assert said(chosen(documents=["a"])) == "a.pdf"
    assert said(chosen(documents=["a", "b"])) == "2 documents"
    assert said(chosen(collections=["contracts", ""], kinds=["pdf", "html", "docx"], added=["7"])) == (
        "“contracts” or documents in no collection · DOCX, HTML or PDF · added in the past week"
    )


def test_unticking_and_clearing():
    scope = chosen(kinds=["pdf"], added=["7"])
    scope.choose("kinds", "pdf", False)
    scope.choose("added", "", True)
    assert scope.everything
    scope = chosen(kinds=["pdf"], documents=["a"])
    scope.clear()
    assert scope.everything


def test_what_left_the_library_is_not_asked_for():
    scope = chosen(documents=["a", "gone"], collections=["old"], kinds=["epub"])
    scope.forget_missing(INFOS)
    assert scope.filter(NOW) == {"documents": ["a"]}
