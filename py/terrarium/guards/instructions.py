"""Which sentences of a passage are instructions to a model that reads it, and not a part of what the passage says.

A phrase that only a model is told is enough; else the classifier must be certain. An injected task is seldom one
sentence, so beside a found one less certainty will do, and lines of code behind it go with it. A program that is
foreign to its passage is taken for one too. What this cannot see: a false statement that orders nothing, an
instruction that is about the passage's own matter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from terrarium.guards.classifier import Classifier, classifier_for
from terrarium.guards.code import code_runs, is_code, is_program
from terrarium.guards.phrases import names_a_model
from terrarium.sentences import sentence_spans

LEAST_WORDS = 3  # of a sentence that the classifier alone may find: “Play” and “Note” are headings
_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W_]+")

_COLON = re.compile(r"[:：]\s*$")
_ABOUT_CODE = re.compile(r"\b(?:code|snippet|script|listing|program|function|routine|lines)\b", re.IGNORECASE)


def find_instructions(
    texts: Sequence[str], vectors: NDArray[np.float32] | None = None, embedder: Collection[str] = ()
) -> list[bool]:
    """For each sentence of one passage, in order, whether it is one.

    `vectors` are the sentences' own, by an embedder with these ids; without them only phrases decide.
    """
    found = [names_a_model(text) for text in texts]
    near = [False] * len(texts)
    classifier = classifier_for(embedder) if vectors is not None and texts else None
    if classifier is not None and vectors is not None:
        near = _classified(classifier, texts, vectors, found)
    for place in range(1, len(texts)):
        found[place] = found[place] or (found[place - 1] and (near[place] or is_code(texts[place])))
    for place in range(len(texts) - 2, -1, -1):
        found[place] = found[place] or (found[place + 1] and near[place])
    return found


def _classified(
    classifier: Classifier, texts: Sequence[str], vectors: NDArray[np.float32], found: list[bool]
) -> list[bool]:
    """Marks in `found` what the classifier is certain of. Returns where it would be beside that.

    Foreign code goes first: beside it the passage's own sentences would be the ones that stand apart.
    """
    count = len(texts)
    for first, last in code_runs(texts):
        if last - first == count or not is_program(texts[first:last]):
            continue
        led = first > 0 and bool(_ABOUT_CODE.search(texts[first - 1]))
        if classifier.foreign(texts, vectors, first, last, led):
            begin = first - 1 if led or (first and _COLON.search(texts[first - 1])) else first
            found[begin:last] = [True] * (last - begin)
    rest = [place for place in range(count) if not (found[place] and is_code(texts[place]))]
    near = [False] * count
    for place, p in zip(rest, classifier.probabilities([texts[at] for at in rest], vectors[rest]), strict=True):
        worded = len(_WORD.findall(texts[place])) >= LEAST_WORDS
        found[place] = found[place] or bool(p >= classifier.certain and worded)
        near[place] = bool(p >= classifier.beside)
    return near


def without_instructions(text: str) -> str:
    """A text without the sentences whose phrases give them away."""
    spans = sentence_spans(text)
    found = find_instructions([text[start:end] for start, end in spans])
    if not any(found):
        return text
    return " ".join(text[start:end] for (start, end), one in zip(spans, found, strict=True) if not one)


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with as many spaces in the place of each span: every offset stays."""
    for start, end in spans:
        first, last = max(start, 0), min(end, len(text))
        if first < last:
            text = text[:first] + " " * (last - first) + text[last:]
    return text
