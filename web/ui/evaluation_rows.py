"""The questions of a run, a line each, with the way to how the answer was made."""

from ui.dom import button, h
from ui.evaluation_words import LOST, outcome, rank

DRAWN = 300  # lines; whoever has more reads the saved table


def question_table(run: dict) -> object:
    """Lines of what went wrong first come out by a class of the whole (`only-lost`)."""
    answered = bool(run.get("answers"))
    names = ["Question", "Outcome", "Found at", "Lost", "Answer" if answered else "", ""]
    heads = h("tr", "", [h("th", "", name, scope="col") for name in names if name] + [h("td")])
    lines = [_line(row, answered) for row in run["questions"][:DRAWN]]
    more = len(run["questions"]) - DRAWN
    note = h("p", "quiet small", f"and {more} more in the saved file") if more > 0 else None
    return h("div", "wide", h("table", "run-rows", h("thead", "", heads), h("tbody", "", lines)), note)


def _line(row: dict, answered: bool) -> object:
    opens = button("How was this made", "show-trace", css="link")
    opens.dataset.trace = row["trace"]
    opens.setAttribute("aria-label", f"How was this made: {row['question']}")
    said = outcome(row)
    cells = [h("th", "row-question", row["question"], scope="row"), h("td", "", h("span", f"said {said}", said))]
    cells += [h("td", "", rank(row)), h("td", "quiet", LOST.get(row["lost"], ""))]
    if answered:
        cells.append(h("td", "row-answer", row["answer"]["text"] if row.get("answer") else ""))
    return h("tr", "lost" if row["lost"] else "", cells, h("td", "", opens))
