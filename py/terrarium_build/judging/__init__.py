"""The judge's weights and thresholds: questions over libraries that answer them and over libraries that do not.

    python -m terrarium_build.judging --data FOLDER --manuals FOLDER --work FOLDER [collect] [fit] [report]

`collect` asks every question and keeps the signals of `terrarium.judging.signals`; `fit` makes
`py/terrarium/judging/judge.toml` of those of the development questions; `report` says how it does on the others.
`models/judge.md` says what the manuals are and how the numbers came out. numpy and the desk's runtime are all that is
needed.
"""
