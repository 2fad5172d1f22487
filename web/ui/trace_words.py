"""How the page puts a trace into words: stages, lists, signals, settings, what became of a sentence. Text only."""

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

STAGES = {
    "understanding": "Understanding the question",
    "scope": "Looking whether documents can answer it",
    "retrieval": "Searching",
    "judge": "Judging the passages",
    "corrective": "Searching again",
    "guards": "Looking for instructions in passages",
    "quoting": "Quoting",
    "loading": "Waiting for the writer",
    "sources": "Choosing what is read",
    "generation": "Reading and writing",
    "reading": "Reading the passages",
    "writing": "Writing",
    "check": "Checking the sentences",
    "conflicts": "Looking for contradictions",
    "layout": "Laying out",
    "evidence_first": "First passages shown",
    "evidence_final": "Passages settled",
    "quoted": "Quotes shown",
    "first_word": "First word shown",
    "total": "Done",
}

# Each from 0 to 1 unless it says something else; what they are is told in judging/signals.py.
SIGNALS = (
    ("coverage", "Share of the question's words in the best passage (rare ones weigh more)"),
    ("coverage_together", "Share of them in all passages together"),
    ("focus", "Share of them in one sentence and its neighbours"),
    ("missing", "Weight of the rarest word that no passage holds"),
    ("unknown", "Weight of the rarest word that stands nowhere in the library"),
    ("unknown_share", "Share of the question in words that stand nowhere in the library"),
    ("missing_rare", "Weight of the rarest name or unusual word that no passage holds"),
    ("missing_names", "Names that no passage holds: 0.5 for one, 1 for more"),
    ("cosine", "Closeness of the best passage in meaning"),
    ("margin", "How far it stands out from the other candidates"),
    ("agreement", "Share of the first ten that both searches found"),
    ("same_first", "Both searches have the same passage first (1) or not (0)"),
    ("closeness", "Closeness of the best sentence in meaning"),
    ("relevant", "The reranker's odds of the best passage, from −1 to 1"),
    ("relevant_margin", "How far these odds stand out from the others'"),
)

VERDICTS = {"correct": "answers", "ambiguous": "may answer in part", "incorrect": "does not answer"}

STOPPED = {
    "end": "The writer ended by itself.",
    "stop_string": "The writer began another turn of the conversation, which was cut off.",
    "control": "The writer wrote a control word, where its text was cut off.",
    "budget": "The writer was stopped at the end of its budget of words.",
    "loop": "The writer repeated itself and was stopped.",
}


def stage(name: str) -> str:
    return STAGES.get(name) or plain(name)


def plain(name: str) -> str:
    """A name of the code as a person reads it: "rerank_max" → "Rerank max"."""
    text = name.replace("_", " ")
    return text[:1].upper() + text[1:]


def figure(value: object) -> str:
    """A score or signal with as many digits as say something."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    size = abs(value)
    text = f"{value:.1f}" if size >= 10 else f"{value:.2f}" if size >= 1 else f"{value:.3f}"
    return text.replace("-", "−")


def put_up_by(ranks: "dict[str, int]") -> str:
    """Which first searches found a passage: "words and meaning"."""
    names = (("lexical", "words"), ("dense", "meaning"), ("exact", "names"), ("phrase", "quotation"))
    ways = [name for key, name in names if key in ranks]
    return " and ".join(part for part in (", ".join(ways[:-1]), ways[-1]) if part) if ways else "later searches"


def fate(support: "dict[str, Any]") -> str:
    """What became of a written sentence, and why, as the check noted it."""
    kept, cited = support.get("kept") or [], support.get("cited") or []
    if not kept:
        return f"Removed: {support.get('reason') or 'nothing that was read supports it'}."
    written = "" if cited == kept else f"; it was written with {_numbered(cited) or 'no number'}"
    return f"Kept, rests on {_numbered(kept)}{written}."


def _numbered(numbers: "list[int]") -> str:
    # An f-string inside another one's braces does not see the names around it in MicroPython.
    return ", ".join(["[" + str(number) + "]" for number in numbers])


def differences(record: "dict[str, Any]", texts: "list[dict[str, Any]]") -> "list[str]":
    """Why what is shown is not what was written; `texts` as trace_rows.texts gives them."""
    supports = record.get("support") or []
    removed = len([one for one in supports if not one.get("kept")])
    lines = []
    for text in texts:
        line = STOPPED.get(text["generation"].get("stopped_by"))
        if line and line not in lines:
            lines.append(line)
    if removed:
        them = "1 sentence was" if removed == 1 else f"{removed} sentences were"
        lines.append(f"{them} removed, because nothing that was read supports {'it' if removed == 1 else 'them'}.")
    if [one for one in supports if one.get("kept") and one.get("cited") != one["kept"]]:
        lines.append("Numbers of passages were put right: each is the passage that the check found to support it.")
    if record.get("answer_mode") == "quoted":
        lines.append("No written sentence stood, so the documents are quoted instead.")
    return lines
