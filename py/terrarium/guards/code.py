"""Lines of a program that have nothing to do with the passage they stand in.

An injected program comes without an order as often as with one, and a small model copies it all the same. A manual's
own examples share words and meaning with the text around them; this looks for runs that share neither. A passage that
is only code is left alone, for there is nothing that it could be foreign to, and so are settings and commands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LEAST_PROGRAM = 0.4  # of a run's lines, that are statements of a program and no settings or commands
CODE_SIGNALS = ("apart", "shared", "nearest", "around", "program", "lines", "apart_program")
_LINES = 8  # from so many on a run is a long one

_CODE = re.compile(
    r"^\s*(?:import |from \w+ import|def |class |for .*:$|while .*:$|if .*:$|with .*:$|else:|try:|except|return\b"
    r"|print\b|#|//|\$ |sudo |curl |wget |var |let |const |function\b|public |#include|using |\}|\{|@)"
    r"|[=(){};]\s*$|\w\.\w+\(|\w\(\)|\s=\s"
)
_PROGRAM = re.compile(
    r"^\s*(?:import \w|from \S+ import|def \w|class \w|for .*:$|while .*:$|if .*:$|elif .*:$|with .*:$|try:|else:"
    r"|except\b.*:$|return\b|raise \w|yield\b|pass$|break$|continue$|async |await |@\w|#include|public |private "
    r"|function \w|(?:var|let|const) \w+ =)|^\s*(?:[\w.\[\]]+ \+?= )?[\w.]+\(.*\)?;?$"
    r"|^\s*[\w.\[\]]+ \+?= (?!.*\$\()\S*[(\[{]"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")
_KEYWORDS = frozenset(
    """import from def class return for while try except else elif with print self none true false not and the this var
    let const function public static void int str""".split()  # noqa: SIM905
)


def is_code(text: str) -> bool:
    """Whether a sentence looks like a line of a program, of settings or of a shell."""
    return bool(_CODE.search(text))


def code_runs(texts: Sequence[str]) -> list[tuple[int, int]]:
    """[first, last) of each run of such lines; one other line between two of them belongs to it."""
    code = [*map(is_code, texts), False, False]
    runs = []
    place = 0
    while place < len(texts):
        if not code[place]:
            place += 1
            continue
        last = place + 1
        while code[last] or (last < len(texts) and code[last + 1]):
            last += 1
        runs.append((place, last))
        place = last
    return runs


def is_program(texts: Sequence[str]) -> bool:
    """Whether enough of a run's lines are statements."""
    return _share(_PROGRAM, texts) >= LEAST_PROGRAM


def code_signals(texts: Sequence[str], vectors: NDArray[np.float32], first: int, last: int) -> NDArray[np.float32]:
    """[len(CODE_SIGNALS)] of the run [first, last) of a passage that holds more than it.

    "apart" is one minus the cosine of the means of run and rest, "shared" the share of the run's words that stand in
    the rest, "nearest" the best cosine between a line and a sentence, "around" how much of the rest is code too.
    """
    run = slice(first, last)
    rest = [place for place in range(len(texts)) if not first <= place < last]
    others, own = vectors[rest], vectors[run]
    a, b = own.mean(axis=0), others.mean(axis=0)
    apart = 1 - float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6)
    words, known = _words(texts[run]), _words([texts[place] for place in rest])
    program = _share(_PROGRAM, texts[run])
    found = (
        apart,
        len(words & known) / max(len(words), 1),
        float((own @ others.T).max()),
        _share(_CODE, [texts[place] for place in rest]),
        program,
        min(last - first, _LINES) / _LINES,
        apart * program,
    )
    return np.array(found, np.float32)


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    return sum(bool(pattern.search(text)) for text in texts) / max(len(texts), 1)


def _words(texts: Sequence[str]) -> set[str]:
    """In lower case, the parts of joined names each by itself, keywords left out."""
    parts = _WORD.findall(_JOINED.sub(" ", " ".join(texts)))
    return {part.lower() for part in parts} - _KEYWORDS
