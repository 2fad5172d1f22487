"""One run as a person reads it: where things are found, what was answered, how long it took, question by question."""

from ui import words
from ui.dom import button, h, icon
from ui.evaluation_plot import bars
from ui.evaluation_rows import question_table
from ui.evaluation_words import ANSWERS, MADE, MEASURES, NOTHING, RAGAS, STAGES, about, duration, mean, share
from ui.trace_words import stage as step

LEFT_OUT = "Left out, {reason}: {ids}."
PLACES = "A place is the quote or the document that a question names; else the words of its expected answer."
NO_PLACES = "None of these questions says where its answer stands, so nothing can be said about what is found."
MODELS = (("embedder", "Meaning"), ("reranker", "Order"), ("generator", "Writing"), ("runtime", "Runs on"))
SPANS = ("understanding", "scope", "retrieval", "judge", "corrective", "loading", "sources", "generation", "check")
MARKS = ("evidence_first", "evidence_final", "quoted", "first_word", "total")


def result(run: dict, when: str) -> list:
    """The elements of a whole run."""
    head = h("div", "set-head", h("h3", "", f"{run['name']}, {when}"), _save("JSON", "json"), _save("CSV", "csv"))
    reasons = run["set"]["left_out"]
    left = [LEFT_OUT.format(reason=reason, ids=", ".join(reasons[reason])) for reason in reasons]
    made = h("p", "elsewhere", icon("info"), h("span", "", MADE)) if run["made"] else None
    notes = [h("p", "quiet small", text) for text in [about(run)] + left]
    parts = [_found(run), _answered(run), _refused(run), _times(run), _questions(run), _setting(run)]
    return [head, notes, made] + parts


def _save(label: str, kind: str) -> object:
    element = button(f"Save as {label}", "save-run", css="link")
    element.dataset.format = kind
    return element


def _section(title: str, *children: object) -> object:
    return h("section", "", h("h4", "", title), children)


def _found(run: dict) -> object:
    stages = [(name, label, note) for name, label, note in STAGES if run["stages"].get(name)]
    if not stages:
        return _section("Found", h("p", "quiet", NO_PLACES))
    measures = [one for one in MEASURES if one[0] in run["stages"]["final"]]
    rows = []
    for name, label, note in stages:
        cells = [h("td", "", mean(key, run["stages"][name][key])) for key, _, _ in measures]
        rows.append(h("tr", "", h("th", "", label, scope="row", title=note), cells))
    heads = [h("th", "", label, scope="col", title=note) for _, label, note in measures]
    table = h("table", "figures", h("thead", "", h("tr", "", h("th", "", "Stage", scope="col"), heads)))
    table.append(h("tbody", "", rows))
    drawn = []
    for name, label, _ in stages:
        value = run["stages"][name]["all@4"]
        low, high = run["intervals"][name]["all@4"]
        drawn.append((label, value, low, high, f"{share(value)} ({share(low)} to {share(high)})"))
    scored = words.count(run["scored"], "question")
    title = f"Everything needed is among the four passages that are read, with 95 % intervals over {scored}"
    lead, below = h("p", "quiet small", PLACES), h("p", "small", title)
    return _section("Found", lead, h("div", "wide", table), below, bars(title, drawn, 1))


def _facts(rows: list) -> object:
    return h("dl", "facts", [h("div", "", h("dt", "", label), h("dd", "", value)) for label, value in rows])


def _answered(run: dict) -> object:
    answers = run.get("answers")
    if not answers:
        return None
    rows = [(label, f"{share(answers[name])} {note}") for name, label, note in ANSWERS if answers.get(name) is not None]
    scores = [(label, f"{mean(name, answers.get(name))} – {note}") for name, label, note in RAGAS]
    judge = f"RAGAS' four, by its published definitions, judged by {answers['judge']}. {answers['agreement']}"
    return _section("Answers", _facts(rows), h("p", "quiet small judge", judge), _facts(scores))


def _refused(run: dict) -> object:
    """What the judge alone says, where nothing was answered."""
    found = run.get("refusal")
    if run.get("answers") or not found:
        return None
    rows = [
        ("Would be refused wrongly", f"{share(found['over_refusal'])} of the questions that have an answer"),
        ("Would be refused rightly", f"{share(found['recall'])} of the questions that have none"),
    ]
    return _section("Refusals", _facts([row for row in rows if not row[1].startswith(NOTHING)]))


def _times(run: dict) -> object:
    found = run["latency"]
    others = sorted(name for name in found if name not in SPANS + MARKS)
    names = [name for name in list(SPANS) + others + list(MARKS) if name in found]
    most = max([found[name]["p90"] for name in names] or [0])
    rows = [
        (step(name), found[name]["median"], found[name]["median"], found[name]["p90"], duration(found[name]))
        for name in names
    ]
    title = "Seconds by stage: the median, and where the slowest tenth begins"
    return _section("Time", h("p", "quiet small", title), bars(title, rows, most))


def _questions(run: dict) -> object:
    lost = len([row for row in run["questions"] if row["lost"]])
    only = button("Only what went wrong", "only-lost", css="link")
    head = h("div", "set-head", h("h4", "", f"{lost} of {words.count(len(run['questions']), 'question')} went wrong"))
    head.append(only)
    return h("section", "", head, question_table(run))


def _setting(run: dict) -> object:
    models, library = run["models"], run["library"]
    size = f"{words.count(library['documents'], 'document')}, {words.count(library['passages'], 'passage')}"
    rows = [("Library", size)] + [(label, models.get(key) or "none") for key, label in MODELS]
    return h("details", "", h("summary", "small", "What it ran on"), _facts(rows))
