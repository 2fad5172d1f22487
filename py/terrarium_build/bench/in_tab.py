"""Runs inside the engine's worker, where Pyodide reads it as text: one writer, read and written with by the clock.

It uses the engine's own `Generator` over the engine's own runtime, so keys and values are the tab's handles, and what
is measured is what answers a question.
"""

from __future__ import annotations

import json
import time
from typing import Any

from terrarium.generation.generator import GenerationSettings, Generator
from terrarium.generation.prefill import Pace
from terrarium.generation.prompt import prompt_prefix
from terrarium.generation.wager import Wager
from terrarium.models.catalogue import open_generator, read_card
from terrarium.runtime.protocols import Decoder
from terrarium.runtime.web import WebRuntime

decoders: list[Decoder] = []
stops: list[str] = []
generators: dict[str, Generator] = {}


async def load(name: str) -> str:
    """Open the writer; the answer is {seconds}."""
    begun = time.perf_counter()
    runtime = WebRuntime()
    decoders.append(await open_generator(runtime, name))
    stops.extend(read_card(runtime, name).settings["stop"])
    return json.dumps({"seconds": time.perf_counter() - begun})


async def write(arguments: str) -> str:
    """{prompt, tokens, piece, chat, lookup} → a `Generation`'s counts and seconds, and its text.

    `piece` tokens of the prompt are read at once; with 0 the engine's own pace decides, as it learned from run to run.
    `chat`: the prompt follows the engine's fixed beginning, and the model's own marks end the text. `lookup`: whether
    guesses from the prompt are tried.
    """
    asked = json.loads(arguments)
    prompt = asked.pop("prompt")
    # What a generator learns about its device and keeps of its prefix stays from run to run, as in the engine.
    kind = json.dumps(asked)
    if kind not in generators:
        generators[kind] = _generator(**asked)
    await generators[kind].warm_up()
    written = await generators[kind].write(prompt)
    kept = ("prompt_tokens", "prefill_seconds", "tokens", "decode_seconds", "text")
    return json.dumps({name: getattr(written, name) for name in kept})


def _generator(tokens: int, piece: int, chat: bool, lookup: bool) -> Generator:
    (decoder,) = decoders
    ends = [i for i in map(decoder.tokenizer.token_id, stops) if i is not None] if chat else []
    limits: dict[str, Any] = {"tokens": piece, "least": piece, "most": piece} if piece else {}
    return Generator(
        decoder,
        prompt_prefix() if chat else "",
        ends,
        GenerationSettings(max_new_tokens=tokens),
        Pace(**limits),
        Wager() if lookup else Wager(most=0),
    )
