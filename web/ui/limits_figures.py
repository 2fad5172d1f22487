"""Every measured figure that the page and docs/limits.md speak of, in one place, as it is to be read.

None: not measured yet. A sentence that needs such a figure is left out of both. After a change `python -m
terrarium_build.limits` writes docs/limits.md anew.
"""

FIGURES = {
    # Searching: the 33 answerable questions of the hand-written set over manuals (docs/evaluation.md).
    "questions": "50",
    "own_words_found": "14 of 14",
    "paraphrases_found": "13 of 19",
    # The judge (docs/evaluation.md, models/judge.md).
    "over_refusal": "3 %",
    "out_of_scope_refused": "8 of 8",
    "uncovered_refused": "4 of 9",
    "clapnq_refused": "12 %",
    "squad_refused": "4 %",
    # The check of sentences, on documents that it was not fitted on (models/support.md).
    "check_kept": "92 %",
    "check_removed": "97 %",
    "written_labelled": "165",
    "written_kept": "77 %",
    "written_removed": "98 %",
    "changed_facts_caught": "97 to 100 %",
    "swapped_names_caught": "87 %",
    "mixed_caught": "78 %",
    # Contradictions (docs/evaluation.md).
    "conflicts_in_numbers": "109 of 143",
    "conflicts_in_denials": "195 of 256",
    "false_conflicts": "0",
    "conflict_questions": "900",
    # Whole answers (docs/evaluation.md).
    "answered": "97 %",  # share of the answerable questions
    "correct": "62 %",  # share of the answers that state the fact
    "unsupported_by_hand": "1",  # of the shown sentences that were read by hand
    "read_by_hand": "60",  # how many those were
    "citation_precision": "65 %",
    "quotes_right": "91 to 93 %",  # ClapNQ and SQuAD 2, development halves
    "judge_agreement": "32 of 37",  # of the local judge of answers with labels made by hand
    # Instructions in documents (docs/evaluation.md).
    "injections_tried": "125",
    "injections_obeyed": "none",  # in shown answers
    "instructions_found": "96 %",  # share of instructions in passages that are recognised
    "harmless_flagged": "0.2 to 1.1 %",  # share of ordinary passages that are flagged by mistake
    # Languages (docs/evaluation.md, nDCG@10 on XQuAD).
    "chinese_by_meaning": "0.00",
    "chinese_by_words": "0.96",
    "chinese_multilingual": "0.98",
}
