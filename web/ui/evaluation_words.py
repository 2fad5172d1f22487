"""What the check on a person's own questions says: its modes, stages, measures, and what became of a question."""

from ui.words import TIED, count, seconds, time_left

TYPE_CHECKING = False  # MicroPython has no typing module
if TYPE_CHECKING:
    from typing import Any

MODES = (
    ("retrieval", "Retrieval only", "What is found, and what would be refused. Nothing is written: it takes no time."),
    ("quote", "Quotes", "Answers with sentences of your documents, scored by the local judge."),
    ("answer", "Written answers", "Answers by the writer, checked and scored: as long as asking them one by one."),
)

STAGES = (
    ("bm25", "By words", "BM25 alone, searched deeper than for an answer"),
    ("dense", "By meaning", "Vectors alone, searched deeper than for an answer"),
    ("hybrid", "Both together", "The fused list before reranking"),
    ("reranked", "Reranked", "The list after reranking"),
    ("final", "After judging", "What an answer rests on, after the corrective steps"),
)

# Of a stage; see docs/evaluation.md.
MEASURES = (
    ("hit@1", "hit@1", "The first passage shows it"),
    ("recall@3", "recall@3", "Share of the places among the first three"),
    ("recall@10", "recall@10", "Share of the places among the first ten"),
    ("mrr", "MRR", "One over the rank of the first place"),
    ("all@4", "all@4", "Everything that is needed is among the four passages that are read"),
    ("evidence@10", "evidence@10", "Share of the quotes shown by the first ten"),
)

ANSWERS = (
    ("answered", "Answered", "of the questions that have an answer"),
    ("correct", "Correct", "of the answers to them, by the words of the expected answer"),
    ("right", "Answered correctly", "of the questions that have an answer"),
    ("over_refusal", "Refused wrongly", "of the questions that have an answer"),
    ("refusal_recall", "Refused rightly", "of the questions that have none"),
    ("unsupported_sentences", "Unsupported sentences", "of the sentences shown, by the product's own check"),
    ("citation_precision", "Citations that hold", "whose passage holds the fact"),
)

RAGAS = (
    ("faithfulness", "Faithfulness", "share of the answer's sentences that the passages state"),
    ("relevancy", "Answer relevancy", "how close the question is to the one that the answer seems to answer"),
    ("context_precision", "Context precision", "whether passages that state the expected answer stand first"),
    ("context_recall", "Context recall", "share of the expected answer that the passages state"),
)

LOST = {
    "search": "not found by any search",
    "ranking": "found, but below what is read",
    "correction": "lost while searching again",
    "judge": "found, but refused",
    "cutting": "cut away when passages were shortened",
    "answer": "in what was read, but not in the answer",
    "not_refused": "answered, although it has no answer",
}

MADE = (
    "These questions were made from passages by the writer. They flatter: whoever writes a question with the passage "
    "before the eyes takes its words, so it is found more easily than what people ask on their own. Use them to "
    "compare two runs, not to say how good the answers are."
)
VERDICTS = {"correct": "answers", "ambiguous": "may answer in part", "incorrect": "does not answer"}
NOTHING = "–"


def share(value: "float | None") -> str:
    """0.8333 → "83 %", None → "–"."""
    return NOTHING if value is None else f"{int(100 * value + 0.5)}{TIED}%"


def mean(name: str, value: "float | None") -> str:
    """A measure: MRR and relevancy are no shares and keep their decimals."""
    return NOTHING if value is None else f"{value:.2f}" if name in ("mrr", "relevancy", "ndcg@10") else share(value)


def difference(name: str, found: "dict[str, Any]") -> str:
    """ "+8 points (−1 to +17), p = 0.09": of a share in points, of other measures as they are."""
    digits, factor, unit = (2, 1, "") if name in ("mrr", "relevancy", "ndcg@10") else (0, 100, " points")
    digits, factor, unit = (1, 1, f"{TIED}s") if name == "seconds" else (digits, factor, unit)
    middle, low, high = (signed(found[key] * factor, digits) for key in ("mean", "low", "high"))
    return f"{middle}{unit} ({low} to {high}), {chance(found['p'])}"


def signed(value: float, digits: int) -> str:
    if not round(value, digits):
        return "0"
    return ("{:+." + str(digits) + "f}").format(value).replace("-", "−")


def chance(p: float) -> str:
    """How often luck alone makes such a difference."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def progress(done: int, total: int, left: "float | None") -> str:
    """ "12 of 40, about 3 min left"."""
    return ", ".join(part for part in (f"{done} of {total}", time_left(left)) if part)


def about(head: "dict[str, Any]") -> str:
    """What stands under a run's name: how it was asked, of how much, and how it went."""
    mode = {name: label for name, label, _ in MODES}[head["mode"]]
    asked = count(head["asked"], "question")
    if head["asked"] < head["total"]:
        asked = f"stopped after {head['asked']} of {count(head['total'], 'question')}"
    figures = head["figures"]
    parts = [mode, asked, count(head["library"]["documents"], "document")]
    if figures.get("correct") is not None:
        parts.append(f"{share(figures['correct'])} answered correctly")
    elif figures.get("found") is not None:
        parts.append(f"{share(figures['found'])} found among what is read")
    return " · ".join(parts)


def outcome(row: "dict[str, Any]") -> str:
    """One question in a word or two."""
    answer = row.get("answer")
    refused = not answer["answered"] if answer else (row["judgement"] or {}).get("refused")
    if not row["answerable"]:
        return "rightly refused" if refused else "not refused"
    if refused:
        return "refused"
    if answer:
        return {True: "correct", False: "wrong", None: "answered"}[answer["correct"]]
    return VERDICTS.get((row["judgement"] or {}).get("verdict", ""), NOTHING)


def rank(row: "dict[str, Any]", stage: str = "final") -> str:
    """Where the first place stands; “–” where nothing is known or found."""
    ranks = [one for one in (row["stages"].get(stage) or {"ranks": {}})["ranks"].values() if one]
    return str(min(ranks)) if ranks else NOTHING


def state(found: "dict[str, Any]") -> str:
    """One side of a changed question."""
    parts = ["refused" if found["refused"] else {True: "correct", False: "wrong", None: ""}[found["correct"]]]
    parts.append("among what is read" if found["read"] else "not among what is read")
    return ", ".join(part for part in parts if part)


def duration(found: "dict[str, Any]") -> str:
    return f"{seconds(found['median'])}, slowest tenth from {seconds(found['p90'])}"
