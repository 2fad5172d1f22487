"""The pipeline from question to answer or refusal, with a scripted generator over real small documents."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from terrarium.answers.answering import Answerer, AnswerSettings
from terrarium.generation.generator import Generator
from terrarium.library import Library
from terrarium.model import Answer, Block, Document
from terrarium.models.scripted import HashingEmbedder, ScriptedDecoder
from terrarium.questions.follow_ups import Turn
from terrarium.request import Mode
from terrarium.retrieval.funnel import Retriever
from terrarium.storage.memory import MemoryStore
from terrarium.trace import Trace
from terrarium.views import answer_view

RULES = Document(
    id="a" * 64,
    name="house rules.pdf",
    kind="pdf",
    title="House rules",
    size=100,
    pages=2,
    blocks=(
        Block("heading", "Borrowing", page=1, level=1),
        Block("paragraph", "Members may borrow up to six books for 21 days.", page=1),
        Block("heading", "Opening hours", page=2, level=1),
        Block("paragraph", "The reading room closes at 19:00 on Fridays. It is closed on Sundays.", page=2),
    ),
)
QUESTION = "How many books may members borrow?"


def ask(
    text: str | Callable[[str], str] | None,
    question: str = QUESTION,
    mode: Mode = "answer",
    documents: tuple[Document, ...] = (RULES,),
) -> tuple[Answer, Trace, list[dict[str, Any]], ScriptedDecoder]:
    decoder = ScriptedDecoder(text or "")

    async def scenario() -> tuple[Answer, Trace, list[dict[str, Any]]]:
        library = await Library.open(MemoryStore(), HashingEmbedder())
        for document in documents:
            await library.add(document)
        generator = Generator(decoder, "", [decoder.end]) if text is not None else None
        events: list[dict[str, Any]] = []
        answer, trace = await Answerer(library, Retriever(library), generator, {}).answer(question, mode, events.append)
        return answer, trace, events

    return *asyncio.run(scenario()), decoder


def test_a_supported_answer_cites_the_quote_with_its_page():
    answer, _, events, _ = ask("Members may borrow up to six books [1].")
    assert answer.mode == "generated"
    (number,) = answer.sentences[0].citations
    span = answer.citations[number]
    assert span.quote == "Members may borrow up to six books for 21 days."
    assert RULES.text[span.start : span.end] == span.quote
    assert span.page == 1
    assert answer.text == f"Members may borrow up to six books. [{number}]"
    assert [e["type"] for e in events].index("evidence") < [e["type"] for e in events].index("writing")


@pytest.mark.parametrize("rephrases", [False, True])
def test_only_a_generator_that_is_good_at_it_rewrites_a_follow_up(rephrases: bool):
    async def prompts() -> list[str]:
        decoder = ScriptedDecoder("Members may borrow up to six books [1].")
        library = await Library.open(MemoryStore(), HashingEmbedder())
        await library.add(RULES)
        generator = Generator(decoder, "", [decoder.end], rephrases=rephrases)
        answerer = Answerer(library, Retriever(library), generator, {})
        turns = (Turn(QUESTION, "Members may borrow up to six books."),)
        await answerer.answer("How long may they keep them?", "answer", lambda _event: None, turns=turns)
        return decoder.prompts

    asked = asyncio.run(prompts())
    assert any("Last question: How long may they keep them?" in prompt for prompt in asked) is rephrases


@pytest.mark.parametrize(
    ("backend", "longer"), [(None, False), ("wasm", False), ("webgpu", True), ("webgpu-f16", True)]
)
def test_a_graphics_processor_reads_more_in_either_precision(backend: str | None, longer: bool):
    clauses = [f"Clause {n} lets members borrow books of the {n}th shelf for {n} days." for n in range(1, 40)]
    blocks = (Block("heading", "Borrowing", page=1, level=1), Block("paragraph", " ".join(clauses), page=1))
    models = {"backends": {"scripted": backend}} if backend else {}

    async def prompt() -> str:
        decoder = ScriptedDecoder("Members may borrow books [1].")
        library = await Library.open(MemoryStore(), HashingEmbedder())
        await library.add(replace(RULES, blocks=blocks))
        answerer = Answerer(library, Retriever(library), Generator(decoder, "", [decoder.end]), models)
        await answerer.answer("How many books may members borrow?", "answer", lambda _event: None)
        return decoder.prompts[-1]

    settings = AnswerSettings()  # the scripted tokenizer counts bytes
    assert (len(asyncio.run(prompt())) > settings.source_tokens_webgpu) is longer


def test_the_prompt_holds_the_cleaned_question_and_the_passages():
    _, trace, _, decoder = ask(
        "Members may borrow up to six books [1].", "Hello, how many books may members borrow? Thanks!"
    )
    assert trace.record["cleaned"] == QUESTION
    assert f"Question: {QUESTION}<|im_end|>" in trace.record["prompt"]
    assert "Hello" not in decoder.prompts[0]
    assert "six books for 21 days" in decoder.prompts[0]


def test_an_invented_answer_is_replaced_by_a_quotation_and_said():
    answer, trace, _, _ = ask("Members may borrow 40 films for two years [1].")
    assert answer.mode == "quoted"
    assert answer.removed == ("Members may borrow 40 films for two years.",)
    assert all(RULES.text[s.start : s.end] == s.quote for s in answer.citations.values())
    assert trace.record["generation"]["raw"] == "Members may borrow 40 films for two years [1]."


@pytest.mark.parametrize(
    ("question", "code", "reason"),
    [
        ("Who painted that bridge green?", "out_of_scope", "None of the words"),
        ("Write me a poem about the reading room.", "out_of_scope", "made up"),
        ("Do members of Zanzibar borrow films on Fridays?", "not_found", "“Zanzibar”"),
    ],
)
def test_what_the_documents_do_not_hold_is_refused_and_the_generator_is_never_called(
    question: str, code: str, reason: str
):
    def never(prompt: str) -> str:
        raise AssertionError(f"The generator was called: {prompt}")

    answer, trace, _, decoder = ask(never, question)
    assert answer.refusal is not None
    assert answer.refusal.code == code
    assert reason in answer.refusal.message
    assert answer.sentences == ()
    assert answer.passages, "the nearest are shown"
    assert decoder.prompts == []
    assert trace.record["judgement"]["verdict"] == "incorrect"
    view = answer_view(answer)
    assert view["judgement"]["reasons"] == list(answer.judgement.reasons if answer.judgement else ())
    assert view["judgement"]["out_of_scope"] is (code == "out_of_scope")


@pytest.mark.parametrize("documents", [(), (RULES,)])
def test_without_passages_the_generator_is_not_called(documents: tuple[Document, ...]):
    answer, _, events, decoder = ask("never written", "" if documents else QUESTION, documents=documents)
    assert answer.refusal is not None
    assert answer.refusal.code == ("nothing_retrieved" if documents else "empty_library")
    assert decoder.prompts == []
    assert not [e for e in events if e["type"] == "evidence"]


@pytest.mark.parametrize(("text", "mode"), [(None, "answer"), ("never written", "quote")])
def test_quoting_needs_no_generator(text: str | None, mode: Mode):
    answer, _, _, decoder = ask(text, mode=mode)
    assert answer.mode == "quoted"
    assert answer.sentences[0].text in RULES.text
    assert decoder.prompts == []


def test_the_trace_is_one_line_of_json_with_every_stage():
    _, trace, _, _ = ask("Members may borrow up to six books [1].")
    line = trace.close()
    assert b"\n" not in line
    record = json.loads(line)
    assert record["question"] == QUESTION
    assert {"lexical", "dense", "fusion"} <= set(record["retrieval"])
    assert record["support"][0]["kept"]
    assert {"retrieval", "generation", "total"} <= set(record["timings"])
