"""The box that questions are typed into, with the choice of the kind of answer and of the documents that it goes to."""

from pyscript import window

from ui import answer_words, dom, words
from ui.dom import button, h, icon

KEYS = "Enter asks, Shift+Enter starts a line"
WAITS = "The writer is being prepared. A question shows its passages and quotes at once and waits for it."
EVERYWHERE = "All documents"
LONGEST = 2000  # characters
NO_WRITER = "No writer is loaded, so answers are quotes. To choose one, open “What runs here” at the top."
NO_WRITER_SHORT = "No writer is loaded"  # beside the choice; leads to where one can be chosen


class Composer:
    """Calls `ask(question)` for what is typed; `stop` is what the other face of the button runs."""

    def __init__(self, ask: object, stop: object) -> None:
        self._ask = ask
        self.element = self._draw()
        dom.on("ask", lambda _, event: self._submitted(event))
        dom.on("question-key", lambda _, event: self._key(event))
        dom.on("question-input", lambda *_: self._tidy())
        dom.on("stop", lambda *_: stop())

    def _draw(self) -> object:
        # Not a <textarea>: on a web server Chromium asks Google's server about the fields of every page that has one.
        # Nor is its spelling checked: for that it fetches a dictionary.
        self._box = h(
            "div",
            id="question",
            contenteditable="plaintext-only",
            role="textbox",
            aria_multiline="true",
            aria_label="Question",
            aria_placeholder="Ask your documents",
            spellcheck="false",
            data_keydown="question-key",
            data_input="question-input",
        )
        self._modes = {mode: h("input", type="radio", name="mode", value=mode) for mode in answer_words.ASKED_FOR}
        self._modes["both"].checked = True
        self._labels = {mode: _label(mode, self._modes[mode]) for mode in answer_words.ASKED_FOR}
        legend = h("legend", "unseen", "Kind of answer")
        self._kinds = h("fieldset", "modes", legend, [self._labels[mode] for mode in answer_words.ASKED_FOR])
        self._send = h("button", "send", icon("send"), type="submit", aria_label="Ask", title="Ask (Enter)")
        self._stop = button("Stop (Esc)", "stop", css="send", symbol="stop", only_symbol=True)
        dom.show(self._stop, False)
        self._everywhere = button(EVERYWHERE, "open-scope", css="scope-button", symbol="filter")
        self._everywhere.setAttribute("aria-label", f"{EVERYWHERE}: choose where to look")
        self._everywhere.title = "Choose the documents that the question goes to"
        self._everywhere.setAttribute("aria-haspopup", "dialog")
        self._scope_words = h("span", "scope-words")
        change = button("Change", "open-scope", css="link")
        change.setAttribute("aria-haspopup", "dialog")
        everywhere = button("Ask all documents again", "ask-everywhere", css="ghost", symbol="close", only_symbol=True)
        self._scope = h("div", "scope-row", icon("filter"), self._scope_words, change, everywhere, hidden=True)
        self._keys = h("span", "quiet small keys", KEYS)
        pulse = h("span", "pulse", aria_hidden="true")
        self._writer = h("span", "quiet small writer", pulse, h("span"), id="writer-state", hidden=True)
        beside = h("div", "beside", self._keys, self._writer)
        row = h("div", "composer-row", self._kinds, self._everywhere, beside, self._send, self._stop)
        return h("div", "composer-place", h("form", "composer", self._scope, self._box, row, data_submit="ask"))

    @property
    def mode(self) -> str:
        """The kind of answer that is asked for, as the engine names it."""
        for mode, choice in self._modes.items():
            if choice.checked:
                return mode
        return "quote"

    def show_scope(self, chosen: str) -> None:
        """Say above the box which documents are asked; "" for all of them."""
        self._scope_words.textContent = f"Only: {chosen}"
        self._scope_words.title = chosen
        dom.show(self._scope, bool(chosen))
        dom.show(self._everywhere, not chosen)

    def writer_coming(self, done: float, total: float) -> None:
        """Say beside the choice how much of the writer is prepared."""
        self._say(words.counted("Preparing the writer", done, total))
        self._kinds.title = WAITS

    def writer_there(self) -> None:
        self._say("")
        self._kinds.removeAttribute("title")

    def no_writer(self) -> None:
        """Only quotes can be had, and why is said beside the choice."""
        self._modes["quote"].checked = True
        for mode in ("both", "answer"):
            self._modes[mode].disabled = True
            self._labels[mode].title = NO_WRITER
        self._kinds.removeAttribute("title")
        self._kinds.setAttribute("aria-describedby", "writer-state")
        self._say(NO_WRITER_SHORT)
        dom.replace(self._writer, button(NO_WRITER_SHORT, "open-about", css="link"))

    def _say(self, text: str) -> None:
        self._writer.lastChild.textContent = text
        dom.show(self._writer, bool(text))
        dom.show(self._keys, not text)

    def busy(self, running: bool) -> None:
        """While a question runs the button stops it."""
        dom.show(self._send, not running)
        dom.show(self._stop, running)

    def put(self, text: str) -> None:
        self._box.textContent = text

    def focus(self) -> None:
        """Put the caret behind what is there."""
        self._box.focus()
        selection = window.getSelection()
        selection.selectAllChildren(self._box)
        selection.collapseToEnd()

    def _tidy(self) -> None:
        # Browsers leave a <br> in a box that was emptied; the hint comes back only without it. Typed lines are "\n".
        if not self._box.textContent:
            self._box.replaceChildren()

    def _key(self, event: object) -> None:
        # 229 is how browsers mark the Enter that ends a Chinese, Japanese or Korean composition.
        if event.key == "Enter" and not event.shiftKey and not event.isComposing and event.keyCode != 229:
            self._submitted(event)

    def _submitted(self, event: object) -> None:
        event.preventDefault()
        question = self._box.innerText.strip()
        if len(question) > LONGEST:
            long = f"The question has {len(question)} characters; at most {LONGEST} can be asked. Shorten it."
            dom.toast(long, bad=True)
        else:
            self._ask(question)


def _label(mode: str, choice: object) -> object:
    """What the person reads; the tooltip says what comes of it."""
    name, more, means = answer_words.ASKED_FOR[mode]
    rest = h("span", "mode-more", more) if more else None
    return h("label", "", choice, h("span", "", name, rest), title=means)
