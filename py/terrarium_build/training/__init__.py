"""The head of late interaction over the frozen embedder's hidden states: made, trained, measured, calibrated.

    python -m terrarium_build.training --data FOLDER --work FOLDER STEP …

The steps, in order: `states` (hidden states of every text, once), `mine` (hard negatives), `principal` (the head
without training, the shipped one: `models/late-interaction.md` says why), `train`, `calibrate`, `evaluate`, `export`.
Each keeps what it made in the work folder and goes on from there when started again. `cross-encoder` trains and
measures the other kind of reranker, which was tried and is not shipped. torch is needed for these two alone, `train`
and `cross-encoder`; requirements.txt beside this file pins what the steps need. Nothing here is needed to build or to
run the page.
"""
