"""The generator of an engine: loaded where the self-test says, loaded anew when the graphics processor is lost."""

from __future__ import annotations

from terrarium.errors import DeviceLost, ModelError
from terrarium.events import Emit, progress_of
from terrarium.generation.generator import Generator
from terrarium.generation.prefill import Pace
from terrarium.generation.prompt import prompt_prefix
from terrarium.models.catalogue import writing_habits
from terrarium.models.selftest import SelfTest
from terrarium.runtime.protocols import Runtime

LOST = "The graphics processor was reset or taken away. The model is loaded again, and the question is asked once more."


class GeneratorLoader:
    """`name` is the generator's id."""

    def __init__(self, runtime: Runtime, selftest: SelfTest, name: str, pace: Pace | None) -> None:
        self._runtime, self._selftest, self._name, self._pace = runtime, selftest, name, pace

    async def load(self, emit: Emit) -> Generator:
        """Loaded, and its fixed prefix computed. Raises ModelError when it runs nowhere."""
        try:
            return await self._load(emit)
        except DeviceLost:
            self._selftest.device_lost()
            return await self._load(emit)

    async def replace(self, old: Generator, emit: Emit) -> Generator | None:
        """For `old`, whose device was lost: the same model there again, or elsewhere, or none. The person is told."""
        emit({"type": "notice", "message": LOST})
        self._selftest.device_lost()
        await old.decoder.release()
        try:
            return await self.load(emit)
        except ModelError as error:
            emit({"type": "notice", "message": str(error)})
            return None

    async def _load(self, emit: Emit) -> Generator:
        progress = progress_of(emit, "generator")
        progress(0, 1)
        decoder = await self._selftest.generator(self._name)
        stop_ids, rephrases = writing_habits(self._runtime, self._name, decoder)
        generator = Generator(decoder, prompt_prefix(), stop_ids, pace=self._pace, rephrases=rephrases)
        await generator.warm_up(progress)
        return generator
