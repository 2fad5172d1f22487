"""What ran: models with their hashes and where, the version of the engine, its settings."""

from ui import words
from ui.trace_judged import listing
from ui.trace_words import figure, plain

MODELS = (("embedder", "Meaning"), ("reranker", "Order"), ("generator", "Writing"), ("runtime", "Runs on"))
NONE = "none"


def ran(record: dict) -> object:
    """A list of terms; what an older record does not say is left out."""
    models = record.get("models") or {}
    facts = [(label, models.get(key) or NONE) for key, label in MODELS]
    for model, place in sorted((models.get("backends") or {}).items()):
        facts.append((f"{model} on", words.PLACES.get(place, place)))
    engine = record.get("engine") or {}
    if engine.get("version"):
        facts.append(("Version", engine["version"]))
    for group, settings in sorted(engine.items()):
        if isinstance(settings, dict):
            said = [f"{plain(name).lower()} {figure(value)}" for name, value in sorted(settings.items())]
            facts.append((f"Settings: {group}", " · ".join(said)))
    facts.append(("Record", f"{record['id']}, {record['time']}, format {record['format']}"))
    return listing(facts)
