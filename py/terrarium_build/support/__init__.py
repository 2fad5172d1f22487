"""The support check's labelled set, its thresholds and its figures.

    python -m terrarium_build.support --data FOLDER --manuals FOLDER --work FOLDER [make] [write] [measure] [fit]
        [report]

`make` takes sentences of passages, changes them by rules, and writes what each then is: supported by its passages or
not, and by which change. `measure` holds each against its passages with the engine's own check, `fit` chooses the
thresholds of wording on one part of the documents, `report` says how the check does on the other. `write` has the
small generator write again what was read and labelled by hand (`written.jsonl`). `models/support.md` says how the
numbers came out.
"""
