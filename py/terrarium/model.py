"""The types that travel through the whole pipeline: the only currency between its stages.

Every text position is a character offset into `Document.text`, so a citation can be followed from an
answer's sentence down to the characters of the document that it rests on.

This module holds data only: no reading, scoring or storing happens here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

BlockKind = Literal["heading", "paragraph", "list_item", "table_row", "code", "quote"]

Verdict = Literal["correct", "ambiguous", "incorrect"]
RefusalCode = Literal[
    "empty_library", "nothing_retrieved", "not_found", "out_of_scope", "asked_to_ignore", "asked_for_instructions"
]

BLOCK_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph, list item, table row or piece of code, in reading order."""

    kind: BlockKind
    text: str
    page: int | None = None  # 1-based; None where the format has no pages
    level: int = 0  # 1–6 for headings, nesting depth for list items
    hidden: bool = False  # text that a person looking at the page does not see; never indexed
    row: int = 0  # 1-based number of a table's row in its sheet; 0 where rows have no numbers
    # Of a table's row, for each cell (column, start, end): 0-based column, and where its value stands in `text`. A
    # column's name stands before the value ("Name: value"), so it is what lies between the cell before and ": ".
    cells: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """A word that text recognition read on a page: PDF points from the page's top left corner, y downwards."""

    page: int  # 1-based
    text: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader made of one file. `id` is the SHA-256 of its bytes, in hexadecimal."""

    id: str
    name: str  # as the person gave it, with the folders of a dropped folder: "contracts/2024 b.pdf"
    kind: str  # "pdf", "docx", …: readers.sniff.Kind
    title: str
    blocks: tuple[Block, ...]
    size: int  # bytes of the file
    pages: int | None = None
    language: str = ""  # ISO 639-1, "" when unknown
    warnings: tuple[str, ...] = ()  # sentences for the person: what was left out and why
    labels: tuple[str, ...] = ()  # what its pages are called, where that differs from their numbers: "iv", "A-1"
    recognised: tuple[Word, ...] = ()  # read from pictures of text
    within: str = ""  # id of the file that this one was inside of as it was read; "" for one that was added itself

    @property
    def text(self) -> str:
        """The blocks' texts joined by `BLOCK_SEPARATOR`: what every offset counts in."""
        return BLOCK_SEPARATOR.join(block.text for block in self.blocks)

    @property
    def block_starts(self) -> list[int]:
        """The offset of each block's first character in `text`."""
        lengths = (len(block.text) + len(BLOCK_SEPARATOR) for block in self.blocks)
        return list(accumulate(lengths, initial=0))[: len(self.blocks)]

    def page_at(self, offset: int) -> int | None:
        """The page that the character at `offset` stands on; None where there are no pages."""
        position = bisect_right(self.block_starts, offset) - 1
        return self.blocks[position].page if position >= 0 else None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A child chunk: what is embedded and searched. `text == document.text[start:end]`, always."""

    document_id: str
    number: int  # 0-based position in its document
    text: str
    start: int
    end: int
    parent_start: int  # the section (≤ 600 tokens) around it: document.text[parent_start:parent_end]
    parent_end: int
    page: int | None = None
    last_page: int | None = None
    headings: tuple[str, ...] = ()  # heading path, outermost first
    lead: str = ""  # a sentence, header row or line before it that its beginning hangs on, where there is one
    lead_start: int = 0  # where that stands in the document

    @property
    def key(self) -> tuple[str, int]:
        return (self.document_id, self.number)


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document of the library without its text: what lists and citations need."""

    id: str
    name: str
    kind: str
    title: str
    size: int
    chunks: int
    pages: int | None = None
    language: str = ""
    warnings: tuple[str, ...] = ()
    added: float = 0.0  # seconds since the epoch
    collection: str = ""  # the part of the library that the person put it in; "" for none
    within: tuple[str, ...] = ()  # ids of the files that it is inside of: one may be attached to two mails
    alone: bool = True  # added itself, not only as a part of those
    # None in a record that was stored before they were counted: storage.counts makes them of the text.
    words: int | None = None
    tables: int | None = None
    recognised: int | None = None  # pages whose text was read from their pictures
    labels: tuple[str, ...] = ()  # what its pages are called, where that differs from their numbers


@dataclass(frozen=True, slots=True)
class Placing:
    """Where one stage put a passage: 1-based rank and the stage's own score."""

    rank: int
    score: float
    probability: float | None = None  # that the passage answers the question, from a stage that is calibrated


@dataclass(frozen=True, slots=True)
class Flag:
    """A stretch of a passage that is addressed to the model instead of the reader: chunk.text[start:end].

    It stays visible to the person and is never read by the generator, quoted, or counted as support.
    """

    kind: Literal["instruction"]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that retrieval returned, with its placing in every stage that saw it."""

    chunk: Chunk
    document: DocumentInfo
    score: float  # the last stage's score: comparable within one list only
    placings: Mapping[str, Placing] = field(default_factory=dict)  # by stage: "lexical", "dense", "exact", …
    also: tuple[Passage, ...] = ()  # folded into this one: they say nothing that it does not say
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document that a sentence rests on. `quote == document.text[start:end]`."""

    document_id: str
    document_name: str
    start: int
    end: int
    quote: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer and the numbers of the passages that it cites.

    `spans` are the quotes that it rests on, one for each of `citations`; `lead` the line breaks and the list mark that
    stood before it where it was written ("\\n- ").
    """

    text: str
    citations: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether the passages found answer the question: what is decided from that, and why, in words for the person."""

    verdict: Verdict
    probability: float  # that the passages answer the question, calibrated
    reasons: tuple[str, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)  # what it was decided from, by name
    out_of_scope: bool = False  # no question to these documents at all


@dataclass(frozen=True, slots=True)
class Step:
    """One more search, made because the judge was not content with what had been found."""

    name: str
    question: str  # as it was searched
    verdict_before: Verdict
    verdict_after: Verdict
    gained: int  # passages among the first few that were not there before
    seconds: float


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no answer is given. `code` is for programs and tests, `message` for the person."""

    code: RefusalCode
    message: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Places of the documents that say different things about one matter, each as a quotation with its passage."""

    about: str  # what they differ in, in words for the person: "the date", "the number of days"
    statements: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question came to. With a `refusal` the sentences and quotes are empty.

    `quotes` are the documents' own sentences closest to the question; in an answer by quotation they are its sentences.
    """

    question: str
    sentences: tuple[Sentence, ...]
    citations: Mapping[int, Span]  # passage number → the quote in it
    passages: tuple[Passage, ...]  # the evidence that was shown, best first; passage n is passages[n-1]
    mode: Literal["generated", "quoted", "refused"]
    refusal: Refusal | None = None
    removed: tuple[str, ...] = ()  # sentences taken out because no passage supports them
    resolved: str = ""  # a follow-up question made whole from the turns before; "" when it stood alone
    parts: tuple[str, ...] = ()  # of a question that asks several things at once
    judgement: Judgement | None = None  # None: there was nothing to judge
    steps: tuple[Step, ...] = ()
    quotes: tuple[Sentence, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()  # sentences of the code for the person: what is not covered, what was cut short

    @property
    def text(self) -> str:
        """The answer as plain text, each sentence followed by its [n]."""
        parts = (s.text + "".join(f" [{n}]" for n in s.citations) for s in self.sentences)
        return self.refusal.message if self.refusal else " ".join(parts)
