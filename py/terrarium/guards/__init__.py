"""Instructions that stand in documents and are meant for a model: found by code, so that no model's goodwill decides.

`phrases.py` knows what only a model is told, `signals.py` and `classifier.py` tell a task that is foreign to its
passage from the orders that every manual gives, `code.py` a program that is; `instructions.py` puts them together.
`models/guard.md` says how well.
"""
