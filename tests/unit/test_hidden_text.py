"""What nobody sees in a file reaches no chunk, vector, term, heading path, title or answer, whatever its format."""

from __future__ import annotations

import asyncio
import shutil

import pytest
from tests.fixtures.documents import make_docx, make_epub, paragraph
from tests.fixtures.pdf import make_drawing
from tests.unit.retrieval_fakes import HashEmbedder

from terrarium.library import Library
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.readers.reading import read_document
from terrarium.retrieval.funnel import Retriever
from terrarium.storage.memory import MemoryStore
from terrarium.text import terms
from terrarium.views import document_view

QUESTION = "What is the zanzibar password?"
ANSWER = "The zanzibar password is quokka."
PAGE = f"""<html><head><title>Handbook</title><style>.x {{position: absolute; left: -9999px}}</style></head><body>
<h1>Open hours</h1><h2 class="x">{ANSWER}</h2>
<p>We are open on Mondays<span style="display:none"> {ANSWER}</span> and Tuesdays, with these exceptions:</p>
<p class="x">{ANSWER}:</p><ul><li hidden>{ANSWER}</li><li>Easter <i style="font-size:0">{ANSWER}</i></li></ul>
<table><caption style="color:#fff">{ANSWER}</caption><tr style="opacity:0"><th>{ANSWER}<th>Hour
<tr><td>Monday<td>9</table>
<pre>opening = 9 <b hidden>{ANSWER}</b></pre><p>Last words.</p></body></html>"""
MARKDOWN = f"""# Open hours

<!-- {ANSWER} -->

We are open. <i hidden>{ANSWER}</i>

<div hidden>

## {ANSWER}

</div>"""
VANISHED = f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{ANSWER}</w:t></w:r></w:p>"
DRAWING = "BT /F1 12 Tf 50 700 Td (We are open on Mondays.) Tj ET "
TAGGED = "We are open." + "".join(chr(0xE0000 + ord(character)) for character in ANSWER)
FILES = {
    "a.html": PAGE.encode(),
    "a.md": MARKDOWN.encode(),
    "a.txt": TAGGED.encode(),
    "a.csv": f"day,hour\n{TAGGED},9\n".encode(),
    "a.docx": make_docx(paragraph("Open hours", "Heading1") + VANISHED + paragraph("We are open.")),
    "a.epub": make_epub({"a.xhtml": f"<h1>Open</h1><p>We are open.</p><h2 hidden=''>{ANSWER}</h2>"}),
    "white.pdf": make_drawing(f"{DRAWING} 1 g BT /F1 30 Tf 50 750 Td ({ANSWER}) Tj ET"),
    "tiny.pdf": make_drawing(f"{DRAWING} BT /F1 .5 Tf 50 750 Td ({ANSWER}) Tj ET"),
    "covered.pdf": make_drawing(f"{DRAWING} BT /F1 12 Tf 50 750 Td ({ANSWER}) Tj ET 0 g 40 740 400 30 re f"),
}


async def nothing_of_it(name: str) -> None:
    document = await read_document(FILES[name], name, pdf=NodePdfExtractor())
    embedder = HashEmbedder(token_dimensions=8)
    library = await Library.open(MemoryStore(), embedder)
    info = await library.add(document, FILES[name])
    chunks = [library.chunk((document.id, number)) for number in range(info.chunks)]
    assert chunks, "what is seen is searched"
    searched = [info.title, *(text for batch in embedder.batches for text in batch)]
    for chunk in chunks:
        section = library.text(document.id)[chunk.parent_start : chunk.parent_end]
        searched += [chunk.text, chunk.lead, *chunk.headings, section]
    assert not any(word in text.lower() for text in searched for word in ("zanzibar", "quokka"))
    assert library.lexical.search(terms("zanzibar quokka"), 10) == []
    found = await Retriever(library).retrieve(QUESTION)
    assert not any("quokka" in passage.chunk.text for passage in found.passages)
    assert "hidden text" in info.warnings[-1]
    reachable = [block["text"] for block in document_view(document, info)["blocks"] if block["hidden"]]
    assert ANSWER in "\n".join(reachable)


@pytest.mark.parametrize("name", FILES)
def test_an_answer_that_nobody_sees_is_not_found(name):
    if name.endswith(".pdf") and not (shutil.which("node") and NodePdfExtractor().pdfjs.is_dir()):
        pytest.skip("needs Node and npm's pdfjs-dist")
    asyncio.run(nothing_of_it(name))
