"""The native peer: the same engine and the same models under CPython, with onnxruntime on one thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from terrarium.engine import Engine
from terrarium.generation.generator import Generation, GenerationSettings, Generator
from terrarium.generation.prefill import Pace
from terrarium.generation.prompt import prompt_prefix
from terrarium.readers.local import LocalReader
from terrarium.readers.pdf.node import NodePdfExtractor
from terrarium.runtime.native import NativeRuntime
from terrarium.storage.memory import MemoryStore

T = TypeVar("T")

# Nobody stops the peer, so it reads a prompt in the largest pieces, which are the quickest.
WHOLE = 512


class Desk:
    """An engine with an empty library. `generator` is a model's id, None for quotes only."""

    def __init__(self, generator: str | None) -> None:
        # A thread of its own: Playwright's synchronous half keeps an event loop running in the caller's.
        self._thread = ThreadPoolExecutor(1)
        self._loop = asyncio.new_event_loop()
        self._engine = Engine(
            NativeRuntime(threads=1),
            MemoryStore(),
            LocalReader(NodePdfExtractor()),
            generator=generator,
            pace=Pace(tokens=WHOLE, least=WHOLE, most=WHOLE),
        )
        self.call("open")
        self.call("load_generator")

    def close(self) -> None:
        self._thread.shutdown()
        self._loop.close()

    def call(self, command: str, **args: Any) -> dict[str, Any]:
        """{result, events, seconds}, as the page's calls are recorded."""
        begun = time.perf_counter()
        events: list[dict[str, Any]] = []
        result = self._run(
            self._engine.handle(command, args, lambda event: events.append(event | {"after": _since(begun)}))
        )
        return {"result": result, "events": events, "seconds": _since(begun)}

    def write(self, prompt: str) -> Generation:
        """Continue a whole prompt, whose fixed beginning has been read before."""
        return self._run(self._generator.write(prompt.removeprefix(prompt_prefix())))

    def read_in_pieces(self, prompt: str, piece: int) -> float:
        """Seconds to read what follows the fixed beginning of a prompt, `piece` tokens at once."""
        pace = Pace(tokens=WHOLE, least=WHOLE, most=WHOLE)
        reader = Generator(self._generator.decoder, prompt_prefix(), (), GenerationSettings(max_new_tokens=1), pace)
        self._run(reader.warm_up())
        pace.tokens = pace.least = pace.most = piece
        return self._run(reader.write(prompt.removeprefix(prompt_prefix()))).prefill_seconds

    def prefix_tokens(self) -> int:
        (count,) = self._generator.count_tokens([prompt_prefix()])
        return count

    @property
    def _generator(self) -> Generator:
        generator = self._engine.answerer.generator
        if generator is None:
            raise ValueError("this desk was opened without a generator")
        return generator

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.submit(self._loop.run_until_complete, work).result()


def _since(begun: float) -> float:
    return time.perf_counter() - begun
