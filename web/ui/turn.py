"""One question and what came of it: evidence first, then the draft as it is written, then the checked answer."""

from ui import dom, judged, words
from ui.dom import button, h, icon
from ui.evidence import EvidenceStrip, citation
from ui.marking import split_citations, without_open_bracket

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
        self._answer = h("div", "answer", aria_live="polite", aria_busy="true")
        self._foot = h("div", "turn-foot")
        self._understood = h("div", "understood", role="status", hidden=True)
        notes = [f"Asked only: {scope}" if scope else "", LITERAL if literal else ""]
        note = " · ".join(one for one in notes if one)
        about = h("p", "quiet small asked-of", note) if note else None
        parts = (self._understood, about, self._evidence.element, self._status, self._bar, self._answer, self._foot)
        self.element = h("article", "turn", h("h2", "question", question), *parts, data_turn=str(number))

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
        dom.replace(self._answer, h("p", "draft", self._with_citations(without_open_bracket(text)), caret))

    def _with_citations(self, text: str) -> list:
        return [citation(part, self._name(part)) if isinstance(part, int) else part for part in split_citations(text)]

    def _name(self, number: int) -> str:
        for passage in self._evidence.passages:
            if passage["number"] == number:
                return words.split_name(passage["document"])[1]
        return ""

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
        dom.replace(self._answer, self._refusal() if refused else self._sentences())
        empty = refused and result["refusal"]["code"] == "empty_library"
        outcome = words.NO_DOCUMENTS if empty else words.MODES[result["mode"]]
        badge = h("span", f"badge {result['mode']}", icon(BADGES[result["mode"]]), outcome)
        times = words.timing_line(self._evidence_after, self._first_word_after, dom.now() - self._asked)
        dom.replace(self._foot, h("div", "foot-line", badge, h("span", "quiet small", times)), self._removed())
        dom.announce(outcome)

    def _refusal(self) -> object:
        box = h("div", "refusal", h("p", "", self.result["refusal"]["message"]))
        if self.result["refusal"]["code"] == "empty_library":
            box.append(h("div", "pickers", button("Choose files", "choose-files", css="plain", symbol="files")))
        return box

    def _sentences(self) -> object:
        """One paragraph, or for quotes one for each place that they come from."""
        quoted = self.result["mode"] == "quoted"
        paragraphs = []
        place = None
        for sentence in self.result["sentences"]:
            cites = [citation(number, self._name(number)) for number in sentence["citations"]]
            if not paragraphs or (quoted and sentence["citations"] != place):
                paragraphs.append(h("p", "quotation" if quoted else ""))
            place = sentence["citations"]
            dom.fill(paragraphs[-1], h("span", "sentence", sentence["text"], cites), " ")
        return paragraphs

    def _removed(self) -> object:
        removed = self.result.get("removed") or []
        if not removed:
            return None
        them = "it" if len(removed) == 1 else "them"
        title = f"{words.count(len(removed), 'sentence')} removed: no passage supports {them}"
        texts = h("ul", "", [h("li", "small", text) for text in removed])
        return h("details", "removed", h("summary", "small", title), texts)

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
        return self._evidence.passages

    def citation_places(self) -> list:
        """Where the answer's [n] lead: the quotes, or before they are known the passages."""
        return self.result.get("citations") or self._evidence.passages
