"""The local judge of answers (`terrarium.evaluation.local_judge`): its weights, and how far it agrees with a person.

    python -m terrarium_build.claims fit --work FOLDER
    python -m terrarium_build.claims agree --work FOLDER RUN.json…
    python -m terrarium_build.claims facts SET

`fit` takes the support check's labelled sentences, made and written, which `terrarium_build.support` left in the
folder, of the documents that thresholds are chosen on. `agree` holds the judge, and a generator that is asked yes or
no, against the written ones of the other documents and the labels in `hand_labels.jsonl`: sentences of answers in runs
of `terrarium evaluate --answers --json`, read by a person beside the passages that they cite. `facts` holds the rule
for right answers (`terrarium.evaluation.facts`) against `fact_labels.jsonl`; see `models/local-judge.md`.
"""
