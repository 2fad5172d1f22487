"""What the judge said of the passages, from which signals, and what each further search changed."""

from ui import answer_words, trace_words, words
from ui.dom import h


def asked(record: dict) -> object:
    """The question on its way: as typed, as understood, as searched."""
    typed, resolved, cleaned = record["question"], record.get("resolved"), record.get("cleaned")
    facts = [("As typed", typed)]
    if resolved and resolved != typed:
        facts.append(("Understood as", resolved))
    if cleaned and cleaned != (resolved or typed):
        facts.append(("Searched as", cleaned))
    if len(record.get("parts") or []) > 1:
        facts.append(("In parts", " · ".join(record["parts"])))
    turns = record.get("turns") or []
    if turns:
        facts.append(("Questions before it", " · ".join([turn["question"] for turn in turns])))
    facts.append(("Only in", conditions(record["filter"]) if record.get("filter") else "all documents"))
    library = record.get("library")
    if library:
        held = f"{words.count(library['documents'], 'document')}, {words.count(library['chunks'], 'passage')}"
        facts.append(("The library then held", held))
    return listing(facts)


def conditions(chosen: dict) -> str:
    """A filter in a line: documents are counted, because their ids say nothing."""
    parts = []
    for name, value in sorted(chosen.items()):
        if name == "documents":
            parts.append(words.count(len(value), "chosen document"))
        elif isinstance(value, list):
            named = ", ".join([one or words.UNCOLLECTED for one in value])
            parts.append(f"{name}: {named}")
        else:
            parts.append("by when they were added")
    return " · ".join(parts)


def listing(facts: list) -> object:
    """(label, value) pairs as a list of terms."""
    rows = [h("div", "", h("dt", "", label), h("dd", "", value)) for label, value in facts]
    return h("dl", "facts", rows)


def judged(record: dict) -> object:
    """Verdict and reasons, then the signals with their numbers, then the searches that followed."""
    judgement = record.get("judgement")
    if not judgement:
        return h("p", "quiet", "Nothing was found that could be judged.")
    name = "out_of_scope" if judgement.get("out_of_scope") else judgement["verdict"]
    lines = [answer_words.chance(judgement["probability"])]
    lines += judgement["reasons"]
    box = h("div", "", h("p", "trace-verdict", answer_words.VERDICTS[name]), _list(lines))
    parts = record.get("judged_parts") or []
    if parts:
        box.append(h("h4", "", "Part by part"))
        box.append(_list([f"“{one['question']}”: the passages {_verdict(one)} it." for one in parts]))
    steps = record.get("steps") or []
    if steps:
        box.append(h("h4", "", "Searched again"))
        box.append(h("ol", "trace-steps", [h("li", "", _step(one)) for one in steps]))
    signals = judgement.get("signals") or {}
    if signals:
        order = [name for name, _ in trace_words.SIGNALS]
        order += sorted([name for name in signals if name not in order])
        rows = [_signal(name, signals[name]) for name in order if name in signals]
        box.append(h("h4", "", "What the judge decided from"))
        box.append(h("table", "signals", h("tbody", "", rows)))
    return box


def _verdict(judgement: dict) -> str:
    said = {"correct": "answer", "ambiguous": "may answer a part of", "incorrect": "do not answer"}
    return said[judgement["verdict"]]


def _list(lines: list) -> object:
    return h("ul", "", [h("li", "", line) for line in lines])


def _signal(name: str, value: float) -> object:
    label = dict(trace_words.SIGNALS).get(name) or trace_words.plain(name)
    return h("tr", "", h("th", "", label, scope="row"), h("td", "", trace_words.figure(float(value))))


def _step(step: dict) -> list:
    before, after = step["verdict_before"], step["verdict_after"]
    change = f"{trace_words.VERDICTS[before]} → {trace_words.VERDICTS[after]}"
    time = f"{change} · {words.seconds(step['seconds'])}"
    asked_for = f"“{step['question']}”" if step["name"] != "rephrased" else None
    searched = h("span", "quiet small", asked_for) if asked_for else None
    return [h("span", "", answer_words.step(step)), searched, h("span", "quiet small", time)]
