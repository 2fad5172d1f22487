"""An evaluation set of any format: which it is follows from the path, its documents go through the product's reading.

A text of a collection becomes a document of its title and its lines; a file is read as the page reads it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from terrarium.desk.evaluation.collections import Text, load_beir, load_rag
from terrarium.errors import UnreadableFile
from terrarium.evaluation.lines import BadSet, read_lines
from terrarium.evaluation.questions import Question, load_questions
from terrarium.model import Block, Document
from terrarium.readers.enclosed import flattened
from terrarium.readers.language import guess_language
from terrarium.readers.pdf.reading import PdfExtractor
from terrarium.readers.reading import read_file
from terrarium.runtime.protocols import Progress

Format = Literal["beir", "rag", "questions"]
Half = Literal["development", "test"]
HALVES: tuple[Half, ...] = get_args(Half)


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Questions over `texts` (by name) or over `files`; over neither, they are asked of a library that is there."""

    name: str
    format: Format
    questions: tuple[Question, ...]
    texts: Mapping[str, Text]
    files: tuple[Path, ...] = ()

    def first(self, count: int | None) -> EvaluationSet:
        """With the first `count` questions, over all documents."""
        return replace(self, questions=self.questions[:count])

    def first_of_each(self, count: int | None) -> EvaluationSet:
        """With the first `count` questions of each kind."""
        if count is None:
            return self
        kinds = {one.kind for one in self.questions}
        kept = {q.id for kind in kinds for q in [one for one in self.questions if one.kind == kind][:count]}
        return replace(self, questions=tuple(one for one in self.questions if one.id in kept))

    def half(self, name: Half | None) -> EvaluationSet:
        """With the questions of one half, told by the parity of their ids' SHA-256: what is tuned on one is shown on
        the other.
        """
        if name is None:
            return self
        wanted = HALVES.index(name)
        chosen = [one for one in self.questions if hashlib.sha256(one.id.encode()).digest()[-1] % 2 == wanted]
        return replace(self, questions=tuple(chosen))

    @property
    def digest(self) -> str:
        """SHA-256 over the documents: what is asked changes no library."""
        found = hashlib.sha256()
        for part in self._parts():
            found.update(hashlib.sha256(part).digest())
        return found.hexdigest()

    def _parts(self) -> Iterator[bytes]:
        for name, text in self.texts.items():
            yield from (name.encode(), text.title.encode(), text.body.encode())
        for file in self.files:
            yield from (file.name.encode(), file.read_bytes())


def load_set(path: Path, documents: Sequence[Path] = (), split: str = "test") -> EvaluationSet:
    """A BEIR folder, a RAG file, or a question set over `documents` (files, or folders of them). Raises BadSet."""
    if path.is_dir():
        found = load_beir(path, split)
        return EvaluationSet(found.name, "beir", found.questions, found.documents)
    first = read_lines(path, ("id", "question"))[0]
    if "passages" in first:
        found = load_rag(path)
        return EvaluationSet(found.name, "rag", found.questions, found.documents)
    if "kind" not in first:
        raise BadSet(f"{path} is no set that can be evaluated: its lines have neither “passages” nor “kind”.")
    return EvaluationSet(path.stem, "questions", tuple(load_questions(path)), {}, tuple(_files(documents)))


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.exists():
            raise BadSet(f"{path} is not there. Name files or folders after --documents.")
        yield from sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]


async def read_documents(
    chosen: EvaluationSet, pdf: PdfExtractor, progress: Progress
) -> tuple[list[Document], list[str]]:
    """The documents, those inside of others too, and a sentence for each file that could not be read."""
    documents = [text_document(name, text) for name, text in chosen.texts.items()]
    failed = []
    for done, file in enumerate(chosen.files):
        progress(done, len(chosen.files))
        try:
            read = await read_file(file.read_bytes(), file.name, pdf=pdf)
            documents += [one.document for one, _ in flattened(read).values()]
        except UnreadableFile as error:
            failed.append(f"{file.name}: {error}")
    if chosen.files:
        progress(len(chosen.files), len(chosen.files))
    return documents, failed


def text_document(name: str, text: Text) -> Document:
    """Its id is made of the name too: a collection may hold one text twice, judged under two names."""
    blocks = [Block("heading", text.title, level=1)] if text.title else []
    blocks += [Block("paragraph", line) for line in text.body.splitlines() if line.strip()]
    whole = f"{name}\n{text.whole}".encode()
    return Document(
        id=hashlib.sha256(whole).hexdigest(),
        name=name,
        kind="text",
        title=text.title,
        blocks=tuple(blocks),
        size=len(whole),
        language=guess_language(blocks),
    )
