"""The middle column: the turns so far, the empty page before the first, and the box for the next question."""

import time

from ui import dom, engine, words
from ui.composer import Composer
from ui.dom import button, h, icon
from ui.scope import ADDED, Scope
from ui.scope_panel import ScopePanel
from ui.turn import Turn

EARLIER = 4  # turns that a question is understood by
FOLLOW = 120  # pixels below the visible part within which the page follows what is written
MARGIN = 24  # pixels left below it


class Conversation:
    """Asks one question at a time. `open_places(places, index, element)` shows a passage.

    `dialog` and `new_button` are for the page to place: where to look, and beginning anew.
    """

    def __init__(self, open_places: object, library: object) -> None:
        self._open_places = open_places
        self._library = library
        self._scope = Scope()
        self.dialog = ScopePanel(self._scope, library, self._scope_changed).element
        self.new_button = button("New conversation", "new-conversation", css="plain new-talk", symbol="new")
        self.new_button.setAttribute("aria-label", "New conversation")
        self.new_button.title = "Clears the questions and answers. The documents stay."
        dom.show(self.new_button, False)
        self._empty_shows = None
        self._turns = []
        self._running = None  # the turn that is being answered
        self.ready = False
        self._composer = Composer(self.ask, self.stop)
        self._empty = h("div", "empty")
        self._list = h("div", "turns")
        self._scroller = h("div", "scroll", self._empty, self._list, id="turns", tabindex="-1")
        parts = (self._scroller, self._composer.element)
        self.element = h("section", "conversation", *parts, id="conversation", aria_label="Conversation")
        dom.on("example", lambda element, _: self._propose(element.textContent))
        dom.on("ask-again", lambda element, _: self.ask(self._turn(element).question, self._turn(element).literal))
        dom.on("ask-literally", lambda element, _: self.ask(self._turn(element).question, literal=True))
        dom.on("ask-everywhere", lambda *_: self._ask_everywhere())
        dom.on("new-conversation", lambda *_: self._begin_anew())
        dom.on("all-passages", lambda element, _: self._turn(element).toggle_evidence())
        dom.on("open-passage", lambda element, _: self._open(element, self._turn(element).passage_places()))
        dom.on("open-citation", lambda element, _: self._open_citation(element))

    def open(self, writer: bool) -> None:
        """The engine is ready; `writer` says whether a generator is on its way. Without one only quotes are offered."""
        self.ready = True
        if writer:
            self.writer_coming(0, 0)
        else:
            self._composer.no_writer()
        self.refresh()
        self._composer.focus()

    def writer_coming(self, done: float, total: float) -> None:
        self._composer.writer_coming(done, total)
        if self._running:
            self._running.writer_coming(done, total)

    def writer_there(self) -> None:
        self._composer.writer_there()

    def no_writer(self) -> None:
        self._composer.no_writer()

    def refresh(self) -> None:
        """Draw anew what depends on what is in the library: the empty page, and the chosen documents."""
        if not self._scope.everything:
            self._scope.forget_missing(self._library.documents)
            self._scope_changed()
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
        self._composer.focus()

    @property
    def busy(self) -> bool:
        return self._running is not None

    def _propose(self, text: str) -> None:
        self._composer.put(text)
        self._composer.focus()

    def _scope_changed(self) -> None:
        self._composer.show_scope(self._scope_words())

    def _scope_words(self) -> str:
        scope = self._scope
        return words.scope(scope.chosen, dict(ADDED)[scope.days] if scope.days else "", self._library.documents)

    def _ask_everywhere(self) -> None:
        self._scope.clear()
        self._scope_changed()
        self._composer.focus()

    def _begin_anew(self) -> None:
        """Questions asked from now on are not understood by the ones that go."""
        self.stop()
        self._turns.clear()
        self._list.replaceChildren()
        self._scope.clear()
        self._scope_changed()
        self._empty_shows = None
        dom.show(self.new_button, False)
        self.refresh()
        self._composer.focus()
        dom.announce("A new conversation.")

    def ask(self, question: str, literal: bool = False) -> None:
        if not question or self._running:
            return
        if not self.ready:
            dom.toast("Still starting: ask when the page says that it is ready.")
            return
        self._composer.put("")
        scope = self._scope_words()
        adding = bool(self._library.queue.running)
        turn = Turn(len(self._turns), question, self._composer.mode, adding, scope, literal)
        self._turns.append(turn)
        dom.show(self.new_button, True)
        self.refresh()
        self._list.append(turn.element)
        above = turn.element.getBoundingClientRect().top - self._scroller.getBoundingClientRect().top
        self._scroller.scrollTop += above
        request = {"question": question, "mode": turn.mode}
        earlier = [] if literal else [one.as_earlier() for one in self._turns[:-1]]
        earlier = [one for one in earlier if one][-EARLIER:]
        if earlier:
            request["turns"] = earlier
        if scope:
            request["filter"] = self._scope.filter(time.time())
        self._run(turn)
        dom.spawn(self._ask(turn, request))

    async def _ask(self, turn: object, request: dict) -> None:
        def heard(event: dict) -> None:
            edge = self._scroller.getBoundingClientRect().bottom
            followed = turn.below(edge) < FOLLOW
            turn.hear(event)
            if followed and event["type"] == "writing" and turn.below(edge) > 0:
                self._scroller.scrollTop += turn.below(edge) + MARGIN

        def started(call_id: object) -> None:
            turn.call = call_id

        if turn.ended:
            return
        try:
            turn.finish(engine.plain(await engine.call("ask", request, on_event=heard, on_start=started)))
        except engine.EngineError as error:
            turn.fail(error.kind, error.message)
        finally:
            if self._running is turn:
                self._run(None)

    def _run(self, turn: object) -> None:
        self._running = turn
        self._composer.busy(turn is not None)

    def stop(self) -> None:
        """End the running question here and now; the engine hears of it and stops after its present step."""
        turn = self._running
        if turn:
            if turn.call is not None:
                engine.cancel(turn.call)
            turn.fail("Cancelled", "")
            self._run(None)
            self._composer.focus()

    def _turn(self, element: object) -> object:
        return self._turns[int(element.closest("[data-turn]").dataset.turn)]

    def _open(self, element: object, places: list) -> None:
        number = int(element.dataset.number)
        for index, place in enumerate(places):
            if place["number"] == number:
                self._open_places(places, index, element)
                return

    def _open_citation(self, element: object) -> None:
        places, index = self._turn(element).citation_places(element)
        self._open_places(places, index, element)
