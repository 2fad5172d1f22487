"""Source code → one block for each function, method and class, in order, with all its lines and their numbers.

`level` of a block: 0 outside of all that is defined, 1 inside a function or class of the file, 2 inside a method of
such a class; definitions.signature names what the block defines, which chunks take for its heading. Comments and
decorators right above a definition are its own. Python is parsed by Python; other languages, and Python that does not
parse, are cut by looks (definitions.py) and by indentation, so code without any is one block. Functions inside of
functions stay in them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from terrarium import definitions as looks
from terrarium.model import Block

DEEPEST = 5  # classes inside of classes
LONGEST = 400  # characters of a line that may define something
BRACKETS = re.compile(r"\s*[)}\]]+[;,)]*\s*|\s*end;?\s*")
CLOSES = re.compile(
    r"\s*(?:[)}\]{]|end\b|endif\b|fi\b|done\b|esac\b|else\b|elif\b|except\b|finally\b|rescue\b|ensure\b|begin\b|as\b|"
    r"language\b|returns?\b|is\b|\$\$|go\s*$|/\s*$|where\b|(?:public|private|protected|signals|default)\b[\w ]*:)",
    re.IGNORECASE,
)
C_LIKE = frozenset("c cc cpp cs cu cxx d dart glsl groovy h hh hpp hxx ino java m mm pde vala".split())  # noqa: SIM905
SCRIPT = frozenset("cjs js jsx mjs svelte ts tsx vue".split())  # noqa: SIM905
BRACES = C_LIKE | SCRIPT | frozenset("css go less php rs scss zig".split())  # noqa: SIM905
SECTIONS = frozenset("cfg conf ini properties toml".split())  # noqa: SIM905


@dataclass(slots=True)
class Piece:
    """Lines [start, end), 0-based, with what is defined in them."""

    start: int
    end: int
    inner: list[Piece] = field(default_factory=list)


def code_blocks(text: str, name: str) -> list[Block]:
    lines = text.split("\n")
    extension = name.lower().rpartition(".")[2]
    found = python_pieces(text) if extension in {"py", "pyi"} else None
    if found is None:
        found = pieces(lines, 0, len(lines), language(extension), extension in SECTIONS)
    expanded = text.expandtabs(4).split("\n")
    return [
        Block("code", "\n".join(expanded[start:end]), level=level, row=start + 1)
        for start, end, level in whole(runs(found, 0, len(lines), 0), lines)
    ]


def python_pieces(text: str) -> list[Piece] | None:
    """None for what is no Python, or none that this one knows."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return defined(tree.body, text.split("\n"), 0, DEEPEST)


def defined(body: Iterable[ast.stmt], lines: Sequence[str], first: int, deeper: int) -> list[Piece]:
    found: list[Piece] = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            head = min(one.lineno for one in [node, *node.decorator_list]) - 1
            start, end = above(lines, head, found[-1].end if found else first), node.end_lineno or node.lineno
            inner = defined(node.body, lines, head + 1, deeper - 1) if isinstance(node, ast.ClassDef) and deeper else []
            found.append(Piece(start, end, inner))
    return found


Starts = Callable[
    [Sequence[str], int, bool], bool
]  # whether a line, which stands inside a class or not, defines something


def language(extension: str) -> Starts:
    def starts(lines: Sequence[str], i: int, inside: bool) -> bool:
        line = lines[i]
        if looks.STATEMENT.match(line) and not looks.NAMED.match(line):
            return False
        if extension in SECTIONS:
            return bool(looks.SECTION.match(line))
        if extension in {"yaml", "yml"}:
            return bool(looks.KEY.match(line))
        if extension == "sql":
            return bool(looks.SQL.match(line))
        if extension in {"bash", "sh", "zsh"}:
            return bool(looks.SHELL.match(line) or looks.NAMED.match(line))
        found = looks.NAMED.match(line) or looks.ASSIGNED.match(line)
        if extension in C_LIKE:
            found = found or looks.TYPED.match(line)
        if extension in SCRIPT and inside:
            found = found or looks.METHOD.match(line)
        return bool(found) and (extension not in BRACES or opens(lines, i))

    return starts


def opens(lines: Sequence[str], i: int) -> bool:
    """Whether a body begins before the statement ends."""
    ahead = "\n".join(lines[i : i + 12])
    found = re.search(r"[{;]|=>", ahead)
    return found is not None and found[0] != ";"


def pieces(lines: Sequence[str], first: int, end: int, starts: Starts, flat: bool, depth: int = 0) -> list[Piece]:
    """What is defined at the least indentation of these lines; a piece goes on while lines are indented deeper, and to
    where the next begins when `flat`."""
    heads = [i for i in range(first, end) if 0 < len(lines[i]) <= LONGEST and starts(lines, i, depth > 0)]
    margin = min((indent(lines[i]) for i in heads), default=0)
    heads = [i for i in heads if indent(lines[i]) == margin]
    found: list[Piece] = []
    for head, following in zip(heads, [*heads[1:], end], strict=False):
        start = above(lines, head, found[-1].start + 1 if found else first)
        if found:
            found[-1].end = min(found[-1].end, start)
        found.append(Piece(start, following if flat else body_end(lines, head, following, margin)))
    for head, piece in zip(heads, found, strict=True):
        if depth < DEEPEST and looks.HOLDER.match(lines[head]):
            piece.inner = pieces(lines, head + 1, piece.end, starts, False, depth + 1)
    return found


def above(lines: Sequence[str], head: int, first: int) -> int:
    """Where the comments and decorators begin that stand right above a line."""
    start, margin = head, indent(lines[head])
    while start > first:
        line = lines[start - 1]
        if line.rstrip().endswith("*/") and not line.lstrip().startswith(("/*", "*")):
            opened = next((i for i in range(start - 1, first - 1, -1) if "/*" in lines[i]), None)
            if opened is None or lines[opened].lstrip()[:2] != "/*":
                break
            start = opened
        elif looks.is_mark(line) and indent(line) <= margin + 1:
            start -= 1
        else:
            break
    return start


def body_end(lines: Sequence[str], head: int, following: int, margin: int) -> int:
    """Behind the last line that is indented deeper than the head, or that closes what the head opened."""
    for i in range(head + 1, following):
        if lines[i].strip() and indent(lines[i]) <= margin and not CLOSES.match(lines[i]):
            return i
    return following


def indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def runs(found: Sequence[Piece], first: int, end: int, level: int) -> Iterator[tuple[int, int, int]]:
    """All lines in order as (start, end, level): those between the pieces, the pieces, what lies in them."""
    for piece in found:
        if piece.start > first:
            yield first, piece.start, level
        if piece.inner:
            yield piece.start, piece.inner[0].start, level + 1
            yield from runs(piece.inner, piece.inner[0].start, piece.end, level + 1)
        else:
            yield piece.start, piece.end, level + 1
        first = piece.end
    if first < end:
        yield first, end, level


def whole(found: Iterable[tuple[int, int, int]], lines: Sequence[str]) -> list[tuple[int, int, int]]:
    """Blank lines go to what stands behind them, a bracket that closes to what it closes."""
    made: list[tuple[int, int, int]] = []
    begin = 0
    for start, end, level in found:
        last = end
        while last > start and not lines[last - 1].strip():
            last -= 1
        if last == start:
            continue
        if made and all(not line.strip() or BRACKETS.fullmatch(line) for line in lines[start:last]):
            made[-1] = (made[-1][0], last, made[-1][2])
        else:
            made.append((begin, last, level))
        begin = last
    if made:
        first = next(i for i, line in enumerate(lines) if line.strip())
        made[0] = (first, *made[0][1:])
    return made
