"""What the small generator writes to development questions, each sentence labelled by a person who read its sources.

`written.jsonl` names the questions and keeps the SHA-256 of question and sentence with the label, but no text of the
sets. Decoding is greedy, so the same weights and sources write the same sentences; one that comes out otherwise has no
label and is left out. “Partly” counts as not supported.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path

from terrarium.answers.splitting import plain, split_answer
from terrarium.generation.generator import Generator
from terrarium.generation.prompt import prompt_prefix, prompt_rest
from terrarium.library import Library
from terrarium.models.catalogue import open_generator
from terrarium.questions.cleaning import clean_question
from terrarium.retrieval.context import Source, choose_sources
from terrarium.retrieval.funnel import Retriever
from terrarium.retrieval.matches import match_sentences
from terrarium.runtime.native import NativeRuntime
from terrarium_build.judging import sets
from terrarium_build.judging.collect import RERANKED, open_set
from terrarium_build.judging.sets import Case, JudgeSet

from .examples import WRITTEN, Example, fits
from .passages import rows_of

LABELS = Path(__file__).with_name("written.jsonl")
GENERATOR = "qwen2.5-0.5b"
SOURCE_TOKENS = 350


async def written(data: Path, manuals: Path, models: Path | None, embeddings: Path) -> list[Example]:
    """Every labelled sentence with the sources it was written from."""
    decoder = await open_generator(NativeRuntime(models, threads=1), GENERATOR)
    ends = [id for token in ("<|im_end|>", "<|endoftext|>") if (id := decoder.tokenizer.token_id(token)) is not None]
    generator = Generator(decoder, prompt_prefix(), ends)
    labels = {row["sha256"]: row["label"] for row in rows_of(LABELS)}
    wanted = {row["question"] for row in rows_of(LABELS)}
    found: list[Example] = []
    for name, make in _sets(data / "data" / "rag", manuals).items():
        one = await asyncio.to_thread(make)
        library, reranker = await open_set(one, RERANKED, models, embeddings)
        for case in (case for case in one.cases if f"{name}:{case.id}" in wanted):
            question, sources, text = await _answer(library, Retriever(library, reranker), case, generator)
            for sentence in split_answer(text):
                words = plain(sentence.text)
                if label := labels.get(digest(question, words)):
                    found.append(_example(words, label == "supported", question, sources, name))
    return found


def digest(question: str, sentence: str) -> str:
    return hashlib.sha256(f"{question}\n{sentence}".encode()).hexdigest()


async def _answer(
    library: Library, retriever: Retriever, case: Case, generator: Generator
) -> tuple[str, list[Source], str]:
    question = clean_question(case.question)
    passages = (await retriever.retrieve(question, within=case.within)).passages[:4]
    matches = await match_sentences(question, passages, library.embedder)
    count = generator.count_tokens
    sources = await choose_sources(passages, matches, count, SOURCE_TOKENS, library.text, library.embedder)
    answer = await generator.write(prompt_rest([source.text for source in sources], question))
    return question, sources, answer.text


def _example(sentence: str, supported: bool, question: str, sources: list[Source], name: str) -> Example:
    texts = tuple(source.passage.chunk.text for source in sources)
    titles = tuple(source.passage.document.title for source in sources)
    language = "zh" if name == "cmrc" else "en"
    return Example(WRITTEN, supported, sentence, texts, titles, question, name, language, fits(question))


def _sets(rag: Path, manuals: Path) -> dict[str, Callable[[], JudgeSet]]:
    return {
        "clapnq": lambda: sets.clapnq(rag / "clapnq_dev.jsonl"),
        "squad2": lambda: sets.squad2(rag / "squad2_dev_ctx6_2000.jsonl", 200),
        "manuals": lambda: sets.manuals(manuals),
        "cmrc": lambda: sets.cmrc(rag / "cmrc2018_dev.jsonl", 120),
        "scifact": lambda: _claims(rag / "scifact_claims_dev.jsonl"),
    }


def _claims(path: Path) -> JudgeSet:
    """SciFact's claims asked as questions, over their abstracts."""
    documents, cases = {}, []
    for row in rows_of(path):
        for one in row["passages"]:
            document = sets.passage_document(one["title"], one["text"])
            documents[document.id] = document
        claim = row["question"].rstrip(". ")
        cases.append(Case(str(row["id"]), f"Is it true that {claim[0].lower()}{claim[1:]}?", "answerable"))
    return JudgeSet("scifact", tuple(documents.values()), tuple(cases))
