"""What stands around a written answer: quotations, places that disagree, notes, and what was taken out."""

from ui import answer_words, dom, words
from ui.dom import button, h, icon

BETWEEN = 2  # characters between two sentences that follow each other


def quotations(sentences: list, cites: object) -> list:
    """The documents' own sentences, in one frame where they follow each other. Nothing in them is markup."""
    drawn, last = [], None
    for sentence in sentences:
        if not drawn or not _follows(sentence, last):
            drawn.append((h("p", "quoted"), _source(sentence)))
        last = sentence
        dom.fill(drawn[-1][0], h("span", "sentence", sentence["text"], cites(sentence)), " ")
    return [h("blockquote", "quotation", text, source) for text, source in drawn]


def _follows(sentence: dict, last: dict) -> bool:
    """Whether a quotation goes on where the one before it ends."""
    if not sentence.get("places") or not last.get("places"):
        return False
    place, before = sentence["places"][0], last["places"][0]
    return place["document_id"] == before["document_id"] and 0 <= place["start"] - before["end"] <= BETWEEN


def _source(sentence: dict) -> object:
    """The document's name and page under a quotation; the name is text, whatever stands in it."""
    if not sentence.get("places"):
        return None
    place = sentence["places"][0]
    name = words.split_name(place["document"])[1]
    return h("footer", "quiet small", " · ".join(part for part in (name, words.pages(place.get("page"))) if part))


def conflicts(found: list, cites: object) -> list:
    """Places that say different things, each with its source, before the answer that can follow one of them only."""
    return [
        h(
            "section",
            "conflict",
            h("h3", "conflict-title", icon("warning"), h("span", "", answer_words.disagreement(one["about"]))),
            quotations(one["statements"], cites),
        )
        for one in found
    ]


def notes(texts: list) -> list:
    return [h("p", "elsewhere", icon("info"), h("span", "", text)) for text in texts]


def removed(texts: list) -> object:
    """The sentences that no passage supports, behind a line that says how many; None without any."""
    if not texts:
        return None
    listed = h("ul", "", [h("li", "small", text) for text in texts])
    return h("details", "removed", h("summary", "small", answer_words.removed(len(texts))), listed)


def refusal(given: dict) -> object:
    box = h("div", "refusal", h("p", "", given["message"]))
    if given["code"] == "empty_library":
        box.append(h("div", "pickers", button("Choose files", "choose-files", css="plain", symbol="files")))
    return box


def made(trace_id: str) -> object:
    """The way to the whole record of how an answer came about; None where there is none."""
    if not trace_id:
        return None
    opens = button("How was this made", "show-trace", css="link")
    opens.dataset.trace = trace_id
    opens.setAttribute("aria-haspopup", "dialog")
    return opens
