"""The middle column: the turns so far, the empty page before the first, and the box that questions are typed into."""

from ui import dom, engine, words
from ui.dom import button, h, icon
from ui.turn import Turn

FOLLOW = 120  # pixels from the end within which the page follows what is written


class Conversation:
    """Asks one question at a time. `open_places(places, index, element)` shows a passage."""

    def __init__(self, open_places: object, library: object) -> None:
        self._open_places = open_places
        self._library = library
        self._empty_shows = None
        self._turns = []
        self._running = None
        self.ready = False
        self._can_write = True
        self.element = self._draw()
        dom.on("ask", lambda _, event: self._submitted(event))
        dom.on("question-key", lambda _, event: self._key(event))
        dom.on("question-input", lambda *_: self._grow())
        dom.on("stop", lambda *_: self.stop())
        dom.on("example", lambda element, _: self._propose(element.textContent))
        dom.on("ask-again", lambda element, _: self.ask(self._turn(element).question))
        dom.on("all-passages", lambda element, _: self._turn(element).toggle_evidence())
        dom.on("open-passage", lambda element, _: self._open(element, self._turn(element).passage_places()))
        dom.on("open-citation", lambda element, _: self._open(element, self._turn(element).citation_places()))

    def _draw(self) -> object:
        self._empty = h("div", "empty")
        self._list = h("div", "turns")
        self._scroller = h("div", "scroll", self._empty, self._list, id="turns", tabindex="-1")
        hears = {"data_keydown": "question-key", "data_input": "question-input"}
        self._box = h("textarea", id="question", rows="1", maxlength="2000", aria_label="Question", **hears)
        self._box.placeholder = "Ask your documents"
        self._written = h("input", type="radio", name="mode", value="answer", checked=True)
        self._quotes = h("input", type="radio", name="mode", value="quote")
        written = h("label", "", self._written, h("span", "", "Answer"))
        quotes = h("label", "", self._quotes, h("span", "", "Quotes only"))
        modes = h("fieldset", "modes", h("legend", "unseen", "Kind of answer"), written, quotes)
        self._send = h("button", "send", icon("send"), type="submit", aria_label="Ask", title="Ask (Enter)")
        self._stop = button("Stop", "stop", css="send", symbol="stop", only_symbol=True)
        dom.show(self._stop, False)
        keys = h("span", "quiet small keys", "Enter asks, Shift+Enter starts a line")
        row = h("div", "composer-row", modes, keys, self._send, self._stop)
        place = h("div", "composer-place", h("form", "composer", self._box, row, data_submit="ask"))
        return h("section", "conversation", self._scroller, place, id="conversation", aria_label="Conversation")

    def open(self, can_write: bool) -> None:
        """The engine is ready; without a generator only quotes are offered."""
        self.ready = True
        self._can_write = can_write
        if not can_write:
            self._quotes.checked = True
            self._written.disabled = True
            self._written.parentElement.title = "No generator is loaded: reload the page and choose written answers."
        self.refresh()
        self._box.focus()

    def refresh(self) -> None:
        """Draw the empty page anew; it depends on what is in the library."""
        dom.show(self._empty, not self._turns)
        self.element.classList.toggle("begun", bool(self._turns))
        if self._turns:
            return
        infos = self._library.documents
        arriving = bool(self._library.queue.running)
        shown = (len(infos), arriving)
        if shown == self._empty_shows:
            return
        self._empty_shows = shown
        lead = h("p", "", "Drop files or a folder anywhere on this page, then ask.")
        if arriving and not infos:
            lead = h("p", "", "Your files are being read. Ask as soon as the first one is ready.")
        elif infos:
            ready = words.count(len(infos), "document")
            lead = h("p", "", f"{ready} ready. Ask a question, or begin with one of these.")
        trust = h("p", "", "Every sentence of an answer points at the passage it comes from. Nothing leaves this tab.")
        dom.replace(self._empty, icon("terrarium", "emblem"), h("h2", "", "Ask your own documents"), lead, trust)
        if infos:
            tries = [button(text, "example", css="example") for text in words.examples(infos)]
            self._empty.append(h("div", "examples", tries))
        elif not arriving:
            files = button("Choose files", "choose-files", css="primary", symbol="files")
            folder = button("Choose folder", "choose-folder", css="plain", symbol="folder")
            self._empty.append(h("div", "pickers", files, folder))

    def focus(self) -> None:
        self._box.focus()

    @property
    def busy(self) -> bool:
        return self._running is not None

    def _propose(self, text: str) -> None:
        self._box.value = text
        self._grow()
        self._box.focus()

    def _grow(self) -> None:
        self._box.style.height = "auto"
        self._box.style.height = f"{self._box.scrollHeight}px"

    def _key(self, event: object) -> None:
        # 229 is how browsers mark the Enter that ends a Chinese, Japanese or Korean composition.
        if event.key == "Enter" and not event.shiftKey and not event.isComposing and event.keyCode != 229:
            self._submitted(event)

    def _submitted(self, event: object) -> None:
        event.preventDefault()
        self.ask(self._box.value.strip())

    def ask(self, question: str) -> None:
        if not question or self._running:
            return
        if not self.ready:
            dom.toast("Still starting: ask when the page says that it is ready.")
            return
        self._box.value = ""
        self._grow()
        turn = Turn(len(self._turns), question, bool(self._library.queue.running))
        self._turns.append(turn)
        self.refresh()
        self._list.append(turn.element)
        self._scroller.scrollTop = turn.element.offsetTop - 24
        self._running = {"id": None, "turn": turn}
        self._buttons()
        dom.spawn(self._ask(turn))

    async def _ask(self, turn: object) -> None:
        def heard(event: dict) -> None:
            at_end = self._scroller.scrollHeight - self._scroller.scrollTop - self._scroller.clientHeight < FOLLOW
            turn.hear(event)
            if at_end and event["type"] == "writing":
                self._scroller.scrollTop = self._scroller.scrollHeight

        def started(call_id: object) -> None:
            self._running["id"] = call_id

        mode = "quote" if self._quotes.checked or not self._can_write else "answer"
        try:
            question = {"question": turn.question, "mode": mode}
            turn.finish(engine.plain(await engine.call("ask", question, on_event=heard, on_start=started)))
        except engine.EngineError as error:
            turn.fail(error.kind, error.message)
        finally:
            self._running = None
            self._buttons()

    def _buttons(self) -> None:
        dom.show(self._send, not self._running)
        dom.show(self._stop, bool(self._running))

    def stop(self) -> None:
        if self._running and self._running["id"] is not None:
            engine.cancel(self._running["id"])

    def _turn(self, element: object) -> object:
        return self._turns[int(element.closest("[data-turn]").dataset.turn)]

    def _open(self, element: object, places: list) -> None:
        number = int(element.dataset.number)
        for index, place in enumerate(places):
            if place["number"] == number:
                self._open_places(places, index, element)
                return
