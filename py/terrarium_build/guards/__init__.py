"""What `guards/classifier.toml` is made of, and how good it is: made attacks against honest passages.

    python -m terrarium_build.guards --data FOLDER --work FOLDER embed fit report

`embed` keeps the vectors of all sentences in the work folder; `fit` writes the weights; `report` prints the figures of
`models/guard.md`. Only `report` reads attacks that are not this project's own.
"""
