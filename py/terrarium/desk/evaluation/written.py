"""A generator that remembers on disk what it wrote, so that another check, layout or score writes nothing twice.

Greedy decoding makes equal prompts equal texts: the key is the decoder, the settings, and the whole prompt. What is
remembered is the raw text and how it ended, with the seconds that it took; what may be shown of it is made anew. A
change of when a text is stopped needs another FORMAT.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from terrarium.desk.evaluation.remembered import digest, open_remembered
from terrarium.generation.generator import Generation, GenerationSettings, Generator
from terrarium.generation.prefill import Pace
from terrarium.generation.prompt import prompt_prefix, shown_by_examples
from terrarium.generation.stream import visible_text
from terrarium.models.catalogue import open_generator, writing_habits
from terrarium.runtime.protocols import Decoder, Progress, Runtime

FORMAT = 1
_TABLE = "CREATE TABLE IF NOT EXISTS texts (digest BLOB PRIMARY KEY, made TEXT NOT NULL)"
_AT_ONCE = Pace(tokens=128, least=128, most=128)  # nobody waits for a cancel: the largest pieces are the quickest


class Remembered:
    """JSON by digest in one file, shared by processes."""

    def __init__(self, path: Path) -> None:
        self._connection = open_remembered(path, _TABLE)

    def get(self, *key: object) -> dict[str, Any] | None:
        row = self._connection.execute("SELECT made FROM texts WHERE digest = ?", (digest(repr(key)),)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, made: dict[str, Any], *key: object) -> None:
        text = json.dumps(made, ensure_ascii=False)
        self._connection.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (digest(repr(key)), text))


class RememberingGenerator(Generator):
    """A Generator whose texts are kept in `memory`. `computed` counts those that the model had to write."""

    def __init__(
        self,
        decoder: Decoder,
        prefix: str,
        stop_ids: Sequence[int],
        memory: Remembered,
        settings: GenerationSettings | None = None,
        rephrases: bool = False,
    ) -> None:
        super().__init__(decoder, prefix, stop_ids, settings, _AT_ONCE, rephrases=rephrases)
        self._prefix, self._memory = prefix, memory
        self.computed = 0

    async def write(
        self, rest: str, *, on_prefill: Progress | None = None, on_text: Callable[[str], None] | None = None
    ) -> Generation:
        """As a generator's own; one that is remembered is not painted on the way."""
        key = (FORMAT, self.decoder.id, sorted(asdict(self.settings).items()), self._prefix + rest)
        known = self._memory.get(*key)
        text, cut = visible_text(known["raw"], final=True, tokens=self._tokens) if known else ("", None)
        if known is None or (known["stopped_by"] == "stop_string" and cut is None):  # by what stops none any more
            made = await super().write(rest, on_prefill=on_prefill, on_text=on_text)
            self.computed += 1
            self._memory.put(asdict(made), *key)
            return made
        return Generation(**known | {"text": text})

    async def write_line(
        self, task: str, examples: Sequence[tuple[str, str]], given: str, settings: GenerationSettings
    ) -> str:
        """As a generator's own, remembered by what was given."""
        key = (FORMAT, self.decoder.id, sorted(asdict(settings).items()), shown_by_examples(task, examples), given)
        known = self._memory.get(*key)
        if known is None:
            known = {"line": await super().write_line(task, examples, given, settings)}
            self.computed += 1
            self._memory.put(known, *key)
        line: str = known["line"]
        return line


async def open_remembering(runtime: Runtime, name: str, folder: Path) -> RememberingGenerator:
    """The generator of that id for the product's prompts, what it writes kept in `folder`. Raises ModelError."""
    decoder = await open_generator(runtime, name)
    stop_ids, rephrases = writing_habits(runtime, name, decoder)
    memory = Remembered(folder / f"{decoder.id}.sqlite")
    return RememberingGenerator(decoder, prompt_prefix(), stop_ids, memory, rephrases=rephrases)
