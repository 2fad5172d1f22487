"""Two runs beside each other: by how much each measure differs, how sure that is, and which questions changed."""

from ui import words
from ui.dom import h
from ui.evaluation_words import ANSWERS, MEASURES, RAGAS, STAGES, difference, state

HOW = (
    "Later minus earlier, over the questions that both asked. In brackets the 95 % interval; p is how often swapping "
    "the two runs at random, question by question, makes as large a difference. With many measures some p are small "
    "by luck."
)
NOTHING_SHARED = "The two runs share no question. Runs are compared by the questions' ids and words."
TIME = (("seconds", "Time for an answer", ""),)
SAME = "No question came out differently."


def comparison(found: dict, names: list) -> list:
    """`names` are those of the earlier and the later run."""
    head = [h("h3", "", "What changed"), h("p", "quiet small", f"From {names[0]} to {names[1]}.")]
    if not found["shared"]:
        return head + [h("p", "", NOTHING_SHARED)]
    shared = h("p", "quiet small", f"{words.count(found['shared'], 'question')} in both. {HOW}")
    return head + [shared, _table(found), _changed(found["changed"])]


def _table(found: dict) -> object:
    rows = []
    for name, label, _ in STAGES:
        of = found["stages"].get(name) or {}
        rows += [(label, measure, difference(key, of[key])) for key, measure, _ in MEASURES if key in of]
    of = found["answers"]
    rows += [("Answers", measure, difference(key, of[key])) for key, measure, _ in ANSWERS + RAGAS + TIME if key in of]
    lines = [
        h("tr", "", h("td", "", stage), h("th", "", label, scope="row"), h("td", "", text))
        for stage, label, text in rows
    ]
    heads = [h("th", "", name, scope="col") for name in ("Stage", "Measure", "Difference")]
    return h("div", "wide", h("table", "figures", h("thead", "", h("tr", "", heads)), h("tbody", "", lines)))


def _changed(changed: list) -> object:
    if not changed:
        return h("p", "quiet", SAME)
    better = len([one for one in changed if one["better"] > 0])
    worse = len([one for one in changed if one["better"] < 0])
    title = f"{words.count(len(changed), 'question')} came out differently: {better} better, {worse} worse"
    items = []
    for one in sorted(changed, key=lambda one: one["better"]):
        sign = "better" if one["better"] > 0 else "worse" if one["better"] < 0 else "other"
        way = f"{state(one['before'])} → {state(one['after'])}"
        items.append(h("li", f"change {sign}", h("b", "", one["question"]), h("span", "quiet small", f"{sign}: {way}")))
    return h("section", "", h("h4", "", title), h("ul", "", items))
