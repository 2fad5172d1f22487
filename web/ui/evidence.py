"""The passages that an answer rests on, as numbered cards."""

from ui import answer_words, marking, words
from ui.dom import button, h, icon, replace

SNIPPET = 400  # characters of a passage that a card holds
GLANCE = 130  # of these, how many are seen before all passages are shown


def card(passage: dict, question: str) -> object:
    """One passage: number, document, page, heading, and the part that is closest to the question."""
    _, name = words.split_name(passage["document"])
    headings = passage.get("headings") or []
    place = words.pages(passage.get("page"), passage.get("last_page"), passage.get("label") or "")
    inside = f"in {passage['inside']}" if passage.get("inside") else ""
    where = " · ".join(part for part in (place, inside, headings[-1] if headings else "") if part)
    path = " › ".join([passage["document"]] + headings)
    found = answer_words.found_by(passage.get("placings") or {})
    body = marking.without_heading(passage["text"], headings)
    text = marking.extract(body, question, GLANCE)
    also = [words.split_name(one["document"])[1] for one in passage.get("also") or []]
    snippet = text if len(text) <= SNIPPET else text[:SNIPPET].rsplit(" ", 1)[0] + " …"
    number = str(passage["number"])
    flagged = answer_words.FLAGGED if passage.get("flags") else ""
    opens = {"data_action": "open-passage", "data_number": number, "title": f"{path}\n{found}".strip()}
    face = h(
        "button",
        "card",
        h("span", "card-head", h("span", "number", number), h("span", "card-name", name)),
        h("span", "card-where", where or "text"),
        h("span", "card-text", snippet),
        h("span", "card-where", "The same in " + ", ".join(also)) if also else None,
        h("span", "card-flag", icon("warning"), h("span", "", flagged)) if flagged else None,
        type="button",
        aria_label=f"Passage {number}, {name}, {where}: {snippet} {flagged}".strip(),
        **opens,
    )
    return h("li", "card-place", face)


class EvidenceStrip:
    """A row of cards that scrolls sideways, or a list when all are asked for."""

    def __init__(self, question: str) -> None:
        self._question = question
        self.passages = []
        self._title = h("h3", "label", "Passages found")
        self._all = button("Show all", "all-passages", css="link")
        self._cards = h("ol", "cards")
        self._judged = h("div", "judged")
        row = h("div", "label-row", self._title, self._all)
        self.element = h("section", "evidence", row, self._judged, self._cards, hidden=True, aria_label="Passages")

    def show(self, passages: list, title: str) -> None:
        self.passages = passages
        self._title.textContent = title
        replace(self._cards, [card(passage, self._question) for passage in passages])
        self.element.hidden = not passages
        self._all.hidden = len(passages) < 2

    def judge(self, *said: object) -> None:
        """What is known of the passages as a whole, between their header and the cards."""
        replace(self._judged, *said)

    def toggle(self) -> None:
        opened = self._cards.classList.toggle("all")
        self._all.setAttribute("aria-expanded", "true" if opened else "false")
        self._all.querySelector("span").textContent = "Show fewer" if opened else "Show all"
