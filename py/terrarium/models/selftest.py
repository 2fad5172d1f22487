"""Every model proves itself once on a device, and the proof decides where it runs.

A pair of model and backend does what `proofs` asks, or is refused with the reason. What a graphics processor computes
is tried on a small random decoder with the generators' operators first, so that a wrong operator is found before a
gigabyte is loaded. float16 is a backend of its own, tried first where the processor has it, with proofs of its own.

Of the backends that passed the quickest is taken. One that is quick beyond doubt (`PLENTY`) is not compared with
others, because loading a second form of a generator costs more than it could show. Embedder and reranker have one form.

Not here: whether a model's answers are good. The conversion's tests hold graphs against independent implementations.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from terrarium.errors import ModelError
from terrarium.models.catalogue import RERANKER, Card, open_generator, read_card
from terrarium.models.decoding import CausalDecoder
from terrarium.models.late_interaction import LateInteraction
from terrarium.models.proofs import (
    FLOAT16_TOLERANCE,
    LOGIT_TOLERANCE,
    Clock,
    Speed,
    prove_decoder,
    prove_embedder,
    prove_operators,
    prove_reranker,
)
from terrarium.models.verdicts import Verdict, Verdicts
from terrarium.runtime.protocols import Backend, Embedder, Reranker, Runtime
from terrarium.storage.protocol import Store

PROBE = "gpu-probe"
PLACES: dict[Backend, str] = {  # in the order of trying
    "webgpu-f16": "Graphics processor in float16",
    "webgpu": "Graphics processor",
    "wasm": "WebAssembly",
}
PLENTY = 8.0  # seconds for a question's text: one WebAssembly thread needs 12 for the small generator
LOSSES = 2  # of the graphics processor, after which it is left alone


class SelfTest:
    """The tests of one engine on its device."""

    def __init__(self, runtime: Runtime, store: Store, clock: Clock = time.perf_counter) -> None:
        self._runtime, self._clock = runtime, clock
        self._verdicts = Verdicts(runtime, store)
        self._chosen: dict[str, Backend] = {}
        self._held: tuple[str, Backend, CausalDecoder] | None = None
        self._losses = 0

    async def check_embedder(self, embedder: Embedder, name: str) -> None:
        """Raises ModelError when it gives wrong vectors: nothing can be found without it."""
        card = read_card(self._runtime, name)
        answers = json.loads(self._runtime.read_text(card.files["answers"]))
        texts, known = answers["texts"], np.array(answers["vectors"], np.float32)
        verdict = await self._verdicts.of(
            card, "wasm", lambda: prove_embedder(embedder, texts, known, clock=self._clock)
        )
        self._chosen[card.name] = "wasm"
        if not verdict.passed:
            raise ModelError(
                f"{card.title} cannot be used in this browser. {verdict.reason} "
                "Update the browser or try another one; what was stored is kept."
            )

    async def checked_reranker(self, reranker: Reranker | None) -> Reranker | None:
        """The reranker, or None when it gives wrong scores: passages then stay in the order of the search."""
        if not isinstance(reranker, LateInteraction):
            return reranker
        card = read_card(self._runtime, RERANKER)
        verdict = await self._verdicts.of(card, "wasm", lambda: prove_reranker(reranker, clock=self._clock))
        if verdict.passed:
            self._chosen[card.name] = "wasm"
        return reranker if verdict.passed else None

    async def generator(self, name: str) -> CausalDecoder:
        """The generator on its quickest backend. Raises ModelError with the reasons when it passes on none."""
        card = read_card(self._runtime, name)
        looked_at: list[Verdict] = []
        for backend in (one for one in PLACES if one in card.backends):
            looked_at.append(await self._generator_verdict(card, backend))
            if looked_at[-1].passed and looked_at[-1].seconds <= PLENTY:
                break
        passed = [verdict for verdict in looked_at if verdict.passed]
        if not passed:
            await self._let_go()
            reasons = " ".join(f"{PLACES[verdict.backend]}: {verdict.reason}" for verdict in looked_at)
            raise ModelError(f"{card.title} cannot be used here, so answers are quotes. {reasons}")
        best = min(passed, key=lambda verdict: verdict.seconds)
        try:
            decoder = await self._open(card, best.backend)
        except ModelError as error:
            self._verdicts.note(card, replace(best, passed=False, reason=str(error)))
            return await self.generator(name)
        self._held = None
        self._chosen[card.name] = best.backend
        return decoder

    def device_lost(self) -> None:
        """Tell of it before asking for a generator again; after the second time that one runs elsewhere."""
        self._losses += 1

    def backends(self) -> dict[str, Backend]:
        """The backend of each model that runs."""
        return dict(self._chosen)

    def report(self) -> list[dict[str, Any]]:
        """Which backend each model got, and why: one record a pair that was looked at."""
        return [
            {**asdict(verdict), "chosen": self._chosen.get(name) == backend}
            for (name, backend), verdict in self._verdicts.noted.items()
        ]

    async def _generator_verdict(self, card: Card, backend: Backend) -> Verdict:
        refused = await self._gpu_refused(card, backend) if backend != "wasm" else ""
        if refused:
            return self._verdicts.note(card, Verdict(card.id, backend, "", False, refused))

        async def prove() -> Speed:
            counts = card.settings.get("counts", True)
            return await prove_decoder(await self._open(card, backend), counts=counts, clock=self._clock)

        return await self._verdicts.of(card, backend, prove)

    async def _gpu_refused(self, card: Card, backend: Backend) -> str:
        """Why this generator is not loaded on the graphics processor; "" when it may be."""
        gpu = await self._runtime.accelerator()
        if gpu.refused:
            return gpu.refused
        if self._losses >= LOSSES:
            return "It was lost twice since the page was opened."
        half = backend == "webgpu-f16"
        if half and not gpu.float16:
            return "It does not compute in float16 (WebGPU's shader-f16)."
        needed = card.backends[backend]["binding"]
        if needed > gpu.binding:
            return f"It takes {gpu.binding >> 20} MiB at once, and the model has a matrix of {needed >> 20} MiB."
        probe = read_card(self._runtime, PROBE)
        answers = json.loads(self._runtime.read_text(probe.files["answers"]))

        async def prove() -> Speed:
            session = await self._runtime.session(probe.backends[backend]["graph"], None, backend)
            try:
                tolerance = FLOAT16_TOLERANCE if half else LOGIT_TOLERANCE
                return await prove_operators(session, answers, tolerance=tolerance, clock=self._clock)
            finally:
                await session.release()

        return (await self._verdicts.of(probe, backend, prove)).reason

    async def _open(self, card: Card, backend: Backend) -> CausalDecoder:
        """One form of a generator at a time: two would need twice the memory."""
        if self._held and self._held[:2] == (card.name, backend):
            return self._held[2]
        await self._let_go()
        decoder = await open_generator(self._runtime, card.name, backend)
        self._held = (card.name, backend, decoder)
        return decoder

    async def _let_go(self) -> None:
        if self._held:
            _, _, decoder = self._held
            self._held = None
            await decoder.release()
