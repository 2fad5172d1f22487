"""What the writer read and wrote, letter by letter, beside what was shown, and what became of each sentence."""

from ui import trace_words, words
from ui.dom import button, h
from ui.trace_rows import texts

NOT_CALLED = {
    "refused": "The writer was not called: the code refused before it.",
    "quoted": "The writer was not called: the answer is made of the documents' own sentences.",
}
PIECE = 4000  # characters a text node: one of a hundred thousand is slow to lay out


def _text(text: str, label: str) -> object:
    """Letter by letter, line breaks kept; a region of its own, so that keys can scroll it."""
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    return h("pre", "trace-text", pieces, tabindex="0", role="region", aria_label=label)


def prompt(record: dict) -> object:
    """The sources, and the whole text that the writer was given: one for each part of a question of several."""
    every = texts(record)
    if not every:
        return _not_called(record)
    return h("div", "", [_prompt(text, str(place)) for place, text in enumerate(every)])


def _prompt(text: dict, place: str) -> list:
    written = text["generation"]
    size = f"{words.count(len(text['prompt']), 'character')}, {words.count(written['prompt_tokens'], 'token')}"
    copy = button("Copy the prompt", "copy-prompt", css="link")
    copy.dataset.place = place
    sources = [
        h("li", "", f"Source {n} is of passage {one['number']}: {words.count(len(one['text']), 'character')}.")
        for n, one in enumerate(text["sources"], 1)
    ]
    line = h("div", "trace-line", h("span", "quiet small", size), copy)
    return [_part(text), h("ol", "", sources), line, _text(text["prompt"], "The exact prompt")]


def _part(text: dict) -> object:
    """Which part of the question a text answers; None where there is one text."""
    return h("h4", "", f"“{text['question']}”") if text["question"] else None


def _not_called(record: dict) -> object:
    return h("p", "quiet", NOT_CALLED.get(record.get("answer_mode"), "The writer was not called."))


def written(record: dict) -> object:
    """Raw output and what was shown side by side, why they differ, and each sentence's fate."""
    box = h("div", "")
    every = texts(record)
    if every:
        raw = h("div", "", h("h4", "", "Written by the model"), [_raw(text) for text in every])
        shown = h("div", "", h("h4", "", "Shown"), _text(record.get("answer") or "", "Shown"))
        box.append(h("div", "trace-pair", raw, shown))
        box.append(h("ul", "", [h("li", "", line) for line in trace_words.differences(record, every)]))
    else:
        box.append(_not_called(record))
        box.append(_text(record.get("answer") or "", "Shown"))
    supports = record.get("support") or []
    if supports:
        box.append(h("h4", "", "Sentence by sentence"))
        box.append(h("ol", "fates", [_fate(one) for one in supports]))
        box.append(h("p", "quiet small", "Numbers here count the sources that the writer read, in their order."))
    for title, lines in _beside(record):
        if lines:
            box.append(h("h4", "", title))
            box.append(h("ul", "", [h("li", "", text) for text in lines]))
    return box


def _raw(text: dict) -> list:
    made = text["generation"]
    passes = words.count(made.get("passes") or made["tokens"], "pass", "passes")
    speed = f"{words.count(made['tokens'], 'token')} in {words.seconds(made['decode_seconds'])}, {passes}."
    return [_part(text), _text(made["raw"], "Written by the model"), h("p", "quiet small", speed)]


def _beside(record: dict) -> list:
    """(title, lines) of what stands beside the written sentences."""
    quotes = [one["text"] for one in record.get("quotes") or []] if record.get("answer_mode") == "generated" else []
    differing = []
    for one in record.get("conflicts") or []:
        said = " / ".join([statement["text"] for statement in one["statements"]])
        differing.append(f"{one['about']}: {said}")
    beside = [("Quoted beside it", quotes), ("Where passages disagree", differing)]
    return beside + [("Added by the code", record.get("notes")), ("Not shown", record.get("removed"))]


def _fate(support: dict) -> object:
    css = "kept" if support.get("kept") else "gone"
    return h("li", css, h("span", "fate-text", support["sentence"]), h("span", "small", trace_words.fate(support)))
