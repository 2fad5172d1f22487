"""What the judge says of the passages, and what was searched again, in words that open under the evidence's header."""

from ui import answer_words
from ui.dom import h


def verdict(result: dict) -> object:
    """A line that opens to the reasons; None where nothing was judged."""
    judgement = result.get("judgement")
    if not judgement:
        return None
    lines = [answer_words.chance(judgement["probability"])] + list(judgement["reasons"])
    if len(result.get("parts") or []) > 1:
        lines.append("Searched in parts: " + " ".join(f"“{part}”" for part in result["parts"]))
    lines += [answer_words.step(step) for step in result.get("steps") or []]
    name = "out_of_scope" if judgement.get("out_of_scope") else judgement["verdict"]
    said = h("summary", "small", h("span", "dot", aria_hidden="true"), answer_words.VERDICTS[name])
    return h(
        "details", f"verdict {judgement['verdict']}", said, h("ul", "", [h("li", "small", line) for line in lines])
    )


def elsewhere(result: dict, scope: str) -> str:
    """A sentence when the passages come from outside the chosen documents, else ""."""
    for step in result.get("steps") or []:
        if step["name"] == "other_collections" and step["gained"]:
            return f"Not found in {scope or 'the chosen documents'}. These passages are from the rest of the library."
    return ""
