"""The kinds of what readers warn of: every sentence that a reader can make has one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from terrarium.readers.warnings import KINDS, kind_of, kinds_of

PACKAGE = Path(__file__).resolve().parents[2] / "py" / "terrarium"
SAMPLES = ("7", "notes")  # what stands in the place of a variable: a count or a name


def is_warnings(node: ast.expr) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name == "warnings" or name.endswith("_warnings")


def expressions(tree: ast.AST) -> Iterator[ast.expr]:
    """What is put into a list of warnings, given as `warnings=`, or returned by a function that is named after them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(is_warnings(target) for target in node.targets):
            yield node.value
        elif isinstance(node, ast.AnnAssign | ast.AugAssign) and is_warnings(node.target) and node.value:
            yield node.value
        elif isinstance(node, ast.Call):
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "warnings")
            if isinstance(node.func, ast.Attribute) and is_warnings(node.func.value):
                yield from node.args
            if isinstance(node.func, ast.Name) and node.func.id == "Content":
                yield from node.args[2:3]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.endswith(("_warning", "_warnings")):
            yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return | ast.Yield) and one.value)


def sentences(node: ast.expr) -> Iterator[str]:
    """The outermost strings of an expression that read as sentences, with something in each variable's place."""
    match node:
        case ast.Constant(value=str(text)):
            yield from [text] if len(text.split()) > 2 else []
        case ast.JoinedStr(values=parts):
            for sample in SAMPLES:
                texts = (str(part.value) if isinstance(part, ast.Constant) else sample for part in parts)
                yield from [text] if len((text := "".join(texts)).split()) > 2 else []
        case ast.BinOp(left=left, op=ast.Mod()):
            yield from sentences(left)
        case ast.Call(args=arguments):
            for argument in arguments:
                yield from sentences(argument)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from sentences(child) if isinstance(child, ast.expr) else []


def makers() -> dict[str, str]:
    """Sentence → the module that makes it."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in expressions(ast.parse(path.read_text(encoding="utf-8"))):
            found.update(dict.fromkeys(sentences(node), path.name))
    return found


def test_every_warning_that_a_reader_makes_has_a_kind():
    found = makers()
    assert {"warnings.py", "hidden.py", "encoding.py"} <= set(found.values())  # the search still sees them
    assert {sentence: module for sentence, module in found.items() if kind_of(sentence) == "other"} == {}


@pytest.mark.parametrize(
    ("warning", "kind"),
    [
        ("no text layer on page 7 (1 of 10 pages)", "no text"),
        ("no text layer (1 of 1 pages)", "no text"),
        ("page 3: Invalid object stream", "damaged"),
        ("pages 1, 3–7: Invalid object stream", "damaged"),
        ("text recognised on pages 2–3 from their pictures (English): it may have mistakes", "recognised"),
        ("no text found by recognition on page 5", "no text"),
        ("some letters have no known meaning on page 2: words there may be incomplete", "letters"),
        ("the encoding of the text was guessed (cp1251); some letters may be wrong", "letters"),
        ("hidden text on pages 1–3 (12 words): nobody sees it in the original, so it is neither searched", "hidden"),
        ("left out: “a.exe” is a program.", "left out"),
        # What is said of a part that is left out decides nothing, whatever it was.
        ("left out: “a.pdf” cannot be read: the PDF is damaged", "left out"),
        ("“scan.pdf”: no text layer (2 of 2 pages)", "no text"),
        ("“mail.eml”: “scan.pdf”: page 1: Bad stream", "damaged"),
        ("“left out.pdf” grew wings.", "other"),
        ("", "other"),
    ],
)
def test_the_kind_of_a_warning(warning, kind):
    assert kind_of(warning) == kind
    assert kind in KINDS


def test_the_kinds_of_a_document_come_in_one_order():
    warnings = ["left out: “a.exe” is a program.", "no text layer (1 of 2 pages)", "left out: “b.exe” is a program."]
    assert kinds_of(warnings) == ["no text", "left out"]
