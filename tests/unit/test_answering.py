"""The pipeline from question to answer or refusal, with a scripted generator over real small documents."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from terrarium.answers.answering import Answerer, AnswerSettings
from terrarium.answers.notes import NO_WRITER, NOTHING_STANDS, NOTHING_WRITTEN, PART_QUOTED, WRITER_FAILED
from terrarium.answers.writing import CUT_SHORT, LOST
from terrarium.errors import DeviceLost, ModelError
from terrarium.generation.generator import GenerationSettings, Generator
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


def told(
    text: str | Callable[[str], str] | None,
    question: str,
    *documents: Document,
    mode: Mode = "both",
    settings: GenerationSettings | None = None,
    error: Exception | None = None,
) -> tuple[Answer, Trace, list[dict[str, Any]]]:
    """One question to a generator of these settings, or to one that fails."""

    async def scenario() -> tuple[Answer, Trace, list[dict[str, Any]]]:
        library = await Library.open(MemoryStore(), HashingEmbedder())
        for document in documents:
            await library.add(document)
        decoder = FailingDecoder(error) if error else ScriptedDecoder(text or "")
        generator = None if text is None else Generator(decoder, "", [decoder.end], settings)
        events: list[dict[str, Any]] = []
        answer, trace = await Answerer(library, Retriever(library), generator, {}).answer(question, mode, events.append)
        return answer, trace, events

    return asyncio.run(scenario())


class FailingDecoder(ScriptedDecoder):
    def __init__(self, error: Exception) -> None:
        super().__init__("")
        self._error = error

    async def forward(self, ids: Any, cache: Any, rows: int = 1) -> Any:
        raise self._error


def test_both_shows_quotes_before_a_word_is_written():
    answer, trace, events = told("Members may borrow up to six books [1].", QUESTION, RULES)
    kinds = [event["type"] for event in events]
    assert kinds.index("evidence") < kinds.index("quoted") < kinds.index("writing")
    (shown,) = [event["quotes"] for event in events if event["type"] == "quoted"]
    assert shown == answer_view(answer)["quotes"]
    assert shown[0]["text"] == "Members may borrow up to six books for 21 days."
    assert shown[0]["places"][0]["page"] == 1
    assert (answer.mode, answer.text) == ("generated", "Members may borrow up to six books. [1]")
    assert trace.record["sources"][0]["number"] == 1
    assert {"quoting", "conflicts", "generation"} <= set(trace.timings)


def test_a_written_answer_alone_has_no_quotes():
    answer, _, events = told("Members may borrow up to six books [1].", QUESTION, RULES, mode="answer")
    assert (answer.mode, answer.quotes) == ("generated", ())
    assert not [event for event in events if event["type"] == "quoted"]


@pytest.mark.parametrize("mode", ["both", "answer"])
def test_without_a_writer_the_documents_are_quoted_and_that_is_said(mode: Mode):
    answer, _, _ = told(None, QUESTION, RULES, mode=mode)
    assert answer.mode == "quoted"
    assert answer.sentences == answer.quotes != ()
    assert answer.notes == (NO_WRITER,)


def test_a_writer_that_fails_is_told_and_a_lost_device_is_the_engines():
    answer, _, _ = told("x", QUESTION, RULES, error=ModelError("The model is damaged."))
    assert answer.mode == "quoted"
    assert answer.notes == (WRITER_FAILED, "The model is damaged.")
    with pytest.raises(DeviceLost):
        told("x", QUESTION, RULES, error=DeviceLost("gone"))


def test_a_sentence_that_the_budget_cut_off_is_not_shown():
    text = "Members may borrow up to six books [1]. The reading room closes at 19:00 on Fridays [1]."
    settings = GenerationSettings(max_new_tokens=len(text) - 20)
    answer, _, _ = told(text, "How many books may members borrow?", RULES, settings=settings)
    assert [sentence.text for sentence in answer.sentences] == ["Members may borrow up to six books."]
    assert answer.notes == (CUT_SHORT["budget"],)
    assert answer.removed == ()


def test_an_answer_that_lost_the_number_asked_for_is_replaced_by_quotes():
    terrace = Block("paragraph", "Members may borrow up to six books. Members may return books on the terrace.", page=1)
    rules = replace(RULES, blocks=(terrace,))
    text = "Members may borrow up to 8 books [1]. Members may return books on the terrace [1]."
    answer, _, _ = told(text, QUESTION, rules)
    assert answer.mode == "quoted"
    assert answer.notes == (LOST,)
    assert answer.removed == ("Members may borrow up to 8 books.",)
    assert answer.sentences == answer.quotes
    beside, _, _ = told(text, "What may members do with books?", rules)
    assert beside.mode == "generated", "no number was asked for"


def test_a_text_that_never_ends_a_sentence_is_replaced_by_quotes():
    settings = GenerationSettings(max_new_tokens=20)
    answer, _, _ = told("Members may borrow up to six books [1].", QUESTION, RULES, settings=settings)
    assert answer.mode == "quoted"
    assert answer.notes == (CUT_SHORT["budget"], NOTHING_WRITTEN)


def test_a_loop_is_cut_to_whole_sentences():
    answer, _, _ = told("Members may borrow up to six books [1]. La la la la la la la la la la la la", QUESTION, RULES)
    assert [sentence.text for sentence in answer.sentences] == ["Members may borrow up to six books."]
    assert answer.notes == (CUT_SHORT["loop"],)


def test_what_is_not_supported_is_told_with_the_quotes():
    answer, _, _ = told("Members may borrow 40 films for two years [1].", QUESTION, RULES)
    assert answer.mode == "quoted"
    assert answer.notes == (NOTHING_STANDS,)


def test_documents_that_disagree_are_both_shown():
    other = replace(
        RULES,
        id="b" * 64,
        name="old rules.md",
        blocks=(Block("paragraph", "Members may borrow up to eight books for 21 days."),),
        pages=None,
    )
    answer, _, _ = told("Members may borrow up to six books [1].", QUESTION, RULES, other)
    (conflict,) = answer.conflicts
    assert conflict.about == "the number of “books”"
    assert {span.document_name for one in conflict.statements for span in one.spans} == {RULES.name, other.name}
    assert set(answer.citations) == {number for one in conflict.statements for number in one.citations}


PARTS = "How many books may members borrow, and who painted the bridge of Zanzibar?"


def test_a_part_that_is_not_covered_is_named_and_the_other_answered():
    answer, trace, _ = told("Members may borrow up to six books [1].", PARTS, RULES)
    assert len(answer.parts) == 2
    assert answer.text == "Members may borrow up to six books. [1]"
    assert answer.notes == ("Your documents do not seem to say: “Who painted the bridge of Zanzibar?”",)
    assert [part["verdict"] == "incorrect" for part in trace.record["judged_parts"]] == [False, True]


def test_each_part_that_is_covered_is_written_by_itself():
    def reply(prompt: str) -> str:
        asked = prompt.rpartition("Question: ")[2]
        return "Members may borrow up to six books [1]." if "borrow" in asked else "It closes at 19:00 on Fridays [2]."

    question = "How many books may members borrow, and when does the reading room close on Fridays?"
    answer, trace, events = told(reply, question, RULES)
    assert [sentence.text for sentence in answer.sentences] == [
        "Members may borrow up to six books.",
        "It closes at 19:00 on Fridays.",
    ]
    assert len(trace.record["writings"]) == 2
    last = [event["text"] for event in events if event["type"] == "writing"][-1]
    assert last.startswith("Members may borrow"), "what was written first stays"
    assert "19:00" in last


FRAMINGS = (
    "{}",
    "Hello, {}",
    "Hi there! {}",
    "Good morning. {}",
    "Dear team, {}",
    "Hey, {} Thanks!",
    "{} Thank you very much.",
    "{} Thanks in advance!",
    "Please: {}",
    "{} Please.",
    "Sorry to bother you, {}",
    "Excuse me, {}",
    "Hello! I have a question: {}",
    "Quick question: {}",
    "{} 🙂",
    "Hello 👋 {}",
    "   {}   ",
    "{}\n",
    "\n{}",
    "Hi! {} Kind regards",
    "Just curious: {}",
    "By the way, {}",
    "Ok, {}",
    "Hmm, {}",
    "Thanks! {}",
    "I hope you are well. {}",
    "Hello everyone, {}",
    "Actually, {}",
    "Good evening! {} Many thanks",
    "{}!",
)
QUESTIONS = (
    "How many books may members borrow?",
    "When does the reading room close on Fridays?",
    "Is the reading room closed on Sundays?",
    "How many days may members borrow books?",
    "When is the reading room closed?",
    "What may members borrow?",
    "Where may members borrow six books?",
    "Which room closes at 19:00?",
    "Who may borrow up to six books?",
    "What closes on Fridays?",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_thirty_framings_of_a_question_give_the_same_prompt_passages_and_quotes(question: str):
    async def scenario() -> list[Any]:
        library = await Library.open(MemoryStore(), HashingEmbedder())
        await library.add(RULES)
        decoder = ScriptedDecoder("Members may borrow up to six books [1].")
        answerer = Answerer(library, Retriever(library), Generator(decoder, "", [decoder.end]), {})
        found = []
        for framing in FRAMINGS:
            decoder.prompts.clear()
            answer, _ = await answerer.answer(framing.format(question), "both", lambda _event: None)
            found.append((tuple(decoder.prompts), answer))
        return found

    first, *others = asyncio.run(scenario())
    assert len(FRAMINGS) == 30
    assert first[0]
    for framing, other in zip(FRAMINGS[1:], others, strict=True):
        assert other == first, framing


def test_a_part_on_which_nothing_written_stands_is_quoted():
    def reply(prompt: str) -> str:
        asked = prompt.rpartition("Question: ")[2]
        return "Members may borrow 40 films [1]." if "borrow" in asked else "It closes at 19:00 on Fridays [2]."

    question = "How many books may members borrow, and when does the reading room close on Fridays?"
    answer, _, _ = told(reply, question, RULES)
    assert answer.mode == "generated"
    assert [sentence.text for sentence in answer.sentences] == [
        "Members may borrow up to six books for 21 days.",
        "It closes at 19:00 on Fridays.",
    ]
    assert answer.removed == ("Members may borrow 40 films.",)
    assert answer.notes == (PART_QUOTED.format("How many books may members borrow?"),)


def test_every_place_of_an_answer_has_its_own_page():
    answer, _, _ = told("The reading room closes at 19:00 on Fridays [1].", "When does the reading room close?", RULES)
    (sentence,) = answer.sentences
    assert [span.page for span in sentence.spans] == [2]
    assert {span.quote: span.page for quote in answer.quotes for span in quote.spans} == {
        quote.text: 1 if "borrow" in quote.text else 2 for quote in answer.quotes
    }
    assert {span.page for span in answer.citations.values()} == {2}
