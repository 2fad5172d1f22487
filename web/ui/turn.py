"""One question and what came of it: evidence, quotations, the draft as it is written, and the checked answer."""

from ui import answer_words, dom, judged, marking, said, words
from ui.blocks import Blocks
from ui.citations import Citations, flagged
from ui.dom import button, h, icon
from ui.evidence import EvidenceStrip

ANSWER_KEPT = 1000  # characters of an answer that later questions are understood by
LITERAL = "Asked as typed, without the questions before"
BADGES = {"generated": "pen", "quoted": "quote", "refused": "none"}


class Turn:
    """Draws itself; `result` holds the engine's answer once it is there. What comes after its end is not heard.

    `scope` says in words which documents are asked, "" for all; `literal` that the turns before are not looked at.
    """

    def __init__(self, number: int, question: str, mode: str, adding: bool, scope: str, literal: bool) -> None:
        self.question, self.mode, self.literal, self._scope = question, mode, literal, scope
        self.call = None  # the engine's call id, once the question is sent
        self.ended = False
        self.result = {}
        self._stage = ""
        self._asked = dom.now()
        self._evidence_after = self._first_word_after = None
        self._evidence = EvidenceStrip(question)
        meanwhile = "; it takes longer while a file is being added" if adding else ""
        self._step = h("span", "", "Searching your documents" + meanwhile)
        self._status = h("p", "working", h("span", "pulse", aria_hidden="true"), self._step)
        self._bar = h("progress", "bar", max="100", hidden=True, aria_label="Progress")
        self._citations = Citations(lambda: self._evidence.passages)
        self._conflicts = h("div", "conflicts")
        self._answer = h("div", "answer", aria_live="polite", aria_busy="true")
        self._notes = h("div", "answer-notes")
        self._quotes, self._quoted = h("div", "quotes-place"), []
        self._foot = h("div", "turn-foot")
        self._understood = h("div", "understood", role="status", hidden=True)
        notes = [f"Asked only: {scope}" if scope else "", LITERAL if literal else ""]
        note = " · ".join(one for one in notes if one)
        about = h("p", "quiet small asked-of", note) if note else None
        parts = (self._understood, about, self._evidence.element, self._status, self._bar)
        outcome = (self._conflicts, self._answer, self._notes, self._quotes, self._foot)
        self.element = h("article", "turn", h("h2", "question", question), *parts, *outcome, data_turn=str(number))

    def hear(self, event: dict) -> None:
        """One event of the engine's `ask`."""
        if self.ended:
            return
        kind = event["type"]
        if kind == "evidence":
            self._evidence_after = self._evidence_after or dom.now() - self._asked
            self._evidence.show(event["passages"], "Passages found" if event["final"] else "First passages found")
        elif kind == "understood":
            self._understand(event["question"])
        elif kind == "progress":
            self._progress(event["stage"], event["done"], event["total"])
        elif kind == "quoted":
            self._quote(event["quotes"])
            dom.announce(answer_words.quotes_found(len(event["quotes"])))
        elif kind == "writing":
            self._write(event["text"])
        elif kind == "notice":
            dom.toast(event["message"])

    def _understand(self, resolved: str) -> None:
        """A follow-up question as it was made whole from the turns before, with a way back to what was typed."""
        literally = button("Ask it as typed", "ask-literally", css="link")
        dom.replace(self._understood, h("p", "", h("span", "quiet", "Understood as "), resolved), literally)
        dom.show(self._understood, True)

    def as_earlier(self) -> dict:
        """This turn for the engine, which makes later follow-up questions whole from it; {} when it has no result."""
        if not self.result:
            return {}
        answer = "" if self.result["mode"] == "refused" else self.result["answer"][:ANSWER_KEPT]
        return {"question": self.result.get("resolved") or self.question, "answer": answer}

    def _progress(self, stage: str, done: float, total: float) -> None:
        self._stage = stage
        self._say(words.ask_progress(stage, done, total))
        counted = stage != "writing" and bool(total) and total > 1
        dom.show(self._bar, counted)
        if counted:
            self._bar.value = words.percent(done, total)

    def writer_coming(self, done: float, total: float) -> None:
        """How far the writer is that this question may be waiting for."""
        if self._stage == "loading":
            self._progress("loading", done, total)

    def _say(self, text: str) -> None:
        self._step.textContent = text

    def _write(self, text: str) -> None:
        if self._first_word_after is None:
            self._first_word_after = dom.now() - self._asked
            self._say("Writing a draft; each sentence is checked at the end")
        dom.show(self._bar, False)
        caret = h("span", "caret", aria_hidden="true")
        dom.replace(self._answer, h("p", "draft", marking.without_citations(text), caret))

    def _quote(self, quotes: list) -> None:
        """The documents' own sentences, at once; the written answer is to stand above them."""
        if quotes == self._quoted:
            return  # what is there may be open, closed or in use
        self._quoted = quotes
        self._citations.begin("quotes")
        drawn = said.quotations(quotes, lambda sentence: self._citations.buttons("quotes", sentence))
        summary = h("summary", "label", "In your documents")
        shown = h("details", "quotes", summary, drawn, open=True) if quotes else None
        dom.replace(self._quotes, shown)

    def below(self, edge: float) -> float:
        """By how many pixels the end of what is written lies below `edge`; negative where it is seen."""
        return self._answer.getBoundingClientRect().bottom - edge

    def finish(self, result: dict) -> None:
        """The checked answer takes the draft's place."""
        if self.ended:
            return
        self.result = result
        refused = result["mode"] == "refused"
        self._end()
        if result["passages"]:
            self._evidence.show(result["passages"], "Nearest passages" if refused else "Passages found")
            found = judged.elsewhere(result, self._scope)
            note = h("p", "elsewhere", icon("info"), h("span", "", found)) if found else None
            self._evidence.judge(judged.verdict(result), note)
        if result.get("resolved"):
            self._understand(result["resolved"])
        self._show_answer(result)
        outcome = answer_words.outcome(result)
        badge = h("span", f"badge {result['mode']}", icon(BADGES[result["mode"]]), outcome)
        times = words.timing_line(self._evidence_after, self._first_word_after, dom.now() - self._asked)
        made = said.made(result.get("trace_id"))
        dom.replace(self._foot, h("div", "foot-line", badge, made, h("span", "quiet small", times)))
        dom.announce(outcome)

    def _show_answer(self, result: dict) -> None:
        """Where documents disagree first, then the answer, what is to be known of it, and the quotations."""
        cites = self._citations
        for group in ("conflicts", "answer"):
            cites.begin(group)
        found = said.conflicts(result.get("conflicts") or [], lambda one: cites.buttons("conflicts", one))
        dom.replace(self._conflicts, found)
        sentences = result["sentences"]
        if result["mode"] == "refused":
            answer = said.refusal(result["refusal"])
        elif result["mode"] == "quoted":
            answer = said.quotations(sentences, lambda one: cites.buttons("answer", one))
        else:
            answer = Blocks(lambda number: cites.buttons("answer", sentences[number])).draw(result["layout"])
        dom.replace(self._answer, answer)
        dom.replace(self._notes, said.notes(result.get("notes") or []), said.removed(result.get("removed") or []))
        self._quote(result["quotes"] if result["mode"] == "generated" else [])

    def fail(self, kind: str, message: str) -> None:
        """Cancelled or broken: the draft goes, because nothing has checked it; the passages stay."""
        if self.ended:
            return
        self._end()
        self._answer.replaceChildren()
        if kind == "Cancelled":
            stopped = "Stopped. An unfinished answer is not shown, because it has not been checked."
            dom.replace(self._foot, h("p", "quiet small", stopped))
        else:
            failure = h("p", "failure", icon("warning"), h("span", "", message))
            dom.replace(self._foot, failure, button("Ask again", "ask-again", css="plain"))

    def _end(self) -> None:
        self.ended = True
        self._status.remove()
        self._bar.remove()
        self._answer.setAttribute("aria-busy", "false")

    def toggle_evidence(self) -> None:
        self._evidence.toggle()

    def passage_places(self) -> list:
        """Where the evidence's cards lead."""
        return [dict(passage, flags=flagged(passage)) for passage in self._evidence.passages]

    def citation_places(self, element: object) -> tuple:
        """Where an [n] leads: (the places of what it stands in, which of them)."""
        return self._citations.places(element)
