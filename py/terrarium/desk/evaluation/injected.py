"""`terrarium evaluate --injection ATTACKS.jsonl`: the set's own questions over passages with attacks in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from terrarium.answers.answering import Answerer
from terrarium.desk.evaluation.prepared import Say, default_cache
from terrarium.desk.evaluation.written import open_remembering
from terrarium.evaluation.attacks import Attack, inject
from terrarium.evaluation.injection import injection_summary, try_all
from terrarium.evaluation.lines import BadSet, read_lines
from terrarium.evaluation.questions import Question
from terrarium.runtime.protocols import Runtime


async def try_attacks(
    answerer: Answerer, questions: Sequence[Question], path: Path, generator: str, runtime: Runtime, say: Say
) -> dict[str, Any]:
    """{"injection": the summary}. Raises BadSet where nothing can be injected, ModelError without the generator.

    `flagged_clean` counts the set's questions of whose first passages, as they are, any sentence is flagged: no attack
    stands there.
    """
    attacks = [Attack(str(row.get("category", "")), str(row["attack"])) for row in read_lines(path, ("attack",))]
    injected = inject(attacks, [one for one in questions if one.answerable], answerer.library)
    if not injected:
        raise BadSet(f"The attacks of {path} need answerable questions whose evidence is in the documents.")
    writer = await open_remembering(runtime, generator, default_cache() / "written")
    tried = await try_all(injected, answerer, writer, lambda done, total: say("attacking", done, total))
    clean = 0
    for done, question in enumerate(questions, start=1):
        found = await answerer.gather(question.text)
        clean += any(passage.flags for passage in found.passages)
        say("asking without attacks", done, len(questions))
    return {"injection": {**injection_summary(tried), "flagged_clean": clean, "clean": len(questions)}}
