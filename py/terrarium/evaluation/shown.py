"""One turn in the mode “both”, seen as the other modes show it, and as it would be without the checks.

The pipeline makes the same quotations and the same text in every mode, so one turn tells all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from terrarium.answers.splitting import split_answer
from terrarium.model import Answer, Sentence, Span

Shown = Literal["quote", "answer", "both", "raw"]


def shown_as(mode: Shown, answer: Answer, record: Mapping[str, Any]) -> Answer:
    """What `mode` shows of a turn that was answered in both ways; `record` is its trace."""
    if answer.refusal or mode == "both":
        return answer
    if mode == "quote":
        return replace(answer, sentences=answer.quotes, mode="quoted", removed=(), notes=())
    if mode == "answer":
        return answer if answer.mode == "quoted" else replace(answer, quotes=())
    return _raw(answer, record)


def _raw(answer: Answer, record: Mapping[str, Any]) -> Answer:
    """The raw text's sentences with the citations that the generator gave them: none of the checks after it.

    What comes before the generator stays: the judge, the refusals, the choice of sources. A citation of a source that
    there was not is dropped. Where nothing was written the answer stays what it is.
    """
    written = writings(record)
    if not written:
        return answer
    sentences = []
    for one in written:
        sources = dict(enumerate(one["sources"], start=1))
        for sentence in split_answer(one["generation"]["raw"]):
            cited = [sources[n] for n in sentence.citations if n in sources]
            spans = tuple(_span(answer, source) for source in cited)
            sentences.append(Sentence(sentence.text, tuple(source["number"] for source in cited), spans))
    return replace(answer, sentences=tuple(sentences), mode="generated", quotes=(), conflicts=(), notes=(), removed=())


def writings(record: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What was written, with its sources: a text for each part of a question that asks several things; else one."""
    several: Sequence[Mapping[str, Any]] = record.get("writings") or ()
    return several or ([record] if "generation" in record else [])


def _span(answer: Answer, source: Mapping[str, Any]) -> Span:
    document = answer.passages[source["number"] - 1].document
    return Span(document.id, document.name, source["start"], source["end"], source["text"])
