"""What a model must be able to do before it is trusted on a backend, and how quickly it does it.

Each check either returns the measured speed or raises `Disproved` with the reason. They use the protocols only, so they
hold for a tab, for the desk and for fakes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrarium.models.caches import InPlace
from terrarium.models.late_interaction import LateInteraction
from terrarium.runtime.protocols import Cache, Candidate, Decoder, Embedder, Session

Clock = Callable[[], float]

# Cosine with float32. Graphs in int8 give 0.995 to 0.999, and so do two runtimes with one such graph, as rounding
# magnifies a last bit: 0.999 would refuse right ones. A wrong operator gives far less.
LEAST_COSINE = 0.99
# Largest difference of a logit of the random decoder, whose logits lie between -4 and 4. A software adapter is at 1e-5,
# one with float16 (Mesa's lavapipe) at 0.007 with the graph for that.
LOGIT_TOLERANCE, FLOAT16_TOLERANCE = 1e-3, 0.05
SCORE_TOLERANCE = 1e-3
QUESTION = "How much water does the tank hold?"
SHORTEST = 1e-4  # seconds: browsers round their clocks
# A language model counts on: for SmolLM2 135M, the smallest, the right token leads by 3.9 in the logits at least.
COUNTED, NEXT = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,", " 13, 14,"
# What a question costs: tokens read beyond the kept prefix, and written.
READ, WRITTEN = 300, 60
HOPELESS = 180.0  # seconds for them


class Disproved(Exception):
    """The model gave a wrong result here. The message says which."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second. `writing` is 0 for a model that does not write."""

    reading: float
    writing: float = 0.0

    @property
    def seconds(self) -> float:
        """For the text of one question."""
        return READ / self.reading + (WRITTEN / self.writing if self.writing else 0.0)


async def prove_embedder(
    embedder: Embedder, texts: Sequence[str], known: NDArray[np.float32], *, clock: Clock = time.perf_counter
) -> Speed:
    """`known` [len(texts), dimensions]: the vectors that the model in float32 gives for these passages."""
    await embedder.embed(texts[:1])
    started = clock()
    vectors = await embedder.embed(texts)
    seconds = clock() - started
    if not np.isfinite(vectors).all():
        raise Disproved("Its vectors hold numbers that are none.")
    cosines = (vectors * known).sum(axis=1) / np.linalg.norm(known, axis=1)
    if not cosines.min() >= LEAST_COSINE:
        raise Disproved(f"Its vectors are wrong (cosine {cosines.min():.3f} with the known ones).")
    tokens = sum(len(ids) for ids in embedder.tokenizer.encode_batch(texts, special=True))
    return Speed(_rate(tokens, seconds))


async def prove_decoder(decoder: Decoder, *, counts: bool = True, clock: Clock = time.perf_counter) -> Speed:
    """Let it count on, twice: the first time a graphics processor compiles its programs. Caches made before are lost.

    One that is too slow by far is not kept busy for longer.
    Of a model that cannot (`counts` false: random weights) only numbers are asked for.
    """
    prompt, whole = (ids.tolist() for ids in decoder.tokenizer.encode_batch([COUNTED, COUNTED + NEXT], special=False))
    first = await _count(decoder, prompt, whole[len(prompt) :], counts, clock)
    if first.seconds > HOPELESS:
        return first
    return await _count(decoder, prompt, whole[len(prompt) :], counts, clock)


async def _count(decoder: Decoder, prompt: list[int], following: list[int], counts: bool, clock: Clock) -> Speed:
    cache: Cache | None = None
    started = clock()
    try:
        logits, cache = await decoder.forward(prompt, None)
        read = clock()
        for token in following:
            if not np.isfinite(logits).all():
                raise Disproved("Its logits hold numbers that are none.")
            if counts and (found := int(np.argmax(logits[-1]))) != token:
                wrong, right = decoder.tokenizer.decode([found]), decoder.tokenizer.decode([token])
                raise Disproved(f"It counts wrongly (“{wrong}” where “{right}” comes next).")
            before = cache
            logits, cache = await decoder.forward([token], before)
            before.release()
        written = clock()
    finally:
        if cache is not None:
            cache.release()
    return Speed(_rate(len(prompt), read - started), _rate(len(following), written - read))


async def prove_reranker(reranker: LateInteraction, *, clock: Clock = time.perf_counter) -> Speed:
    """Scores of random token vectors, against late interaction computed here."""
    random = np.random.default_rng(9)
    asked = await reranker.embedder.question_tokens(QUESTION)
    passages = [random.integers(-7, 8, (length, asked.shape[1])).astype(np.int8) for length in (9, 4, 17)]
    started = clock()
    scores = await reranker.score(QUESTION, [Candidate(str(len(tokens)), tokens) for tokens in passages])
    speed = _rate(sum(map(len, passages)), clock() - started)
    directions = [tokens / np.linalg.norm(tokens, axis=1, keepdims=True) for tokens in passages]
    expected = np.array([(asked @ tokens.T).max(axis=1).sum() for tokens in directions])
    if not np.abs(scores - expected).max() <= SCORE_TOLERANCE:
        raise Disproved("Its scores are wrong.")
    return Speed(speed)


async def prove_operators(
    session: Session,
    answers: Mapping[str, Any],
    *,
    tolerance: float = LOGIT_TOLERANCE,
    clock: Clock = time.perf_counter,
) -> Speed:
    """The random decoder of `terrarium_build.conversion.gpu_probe`, its keys and values in place, rolled back once.

    `tolerance` is the largest difference of a logit that is no mistake.
    """
    caches = InPlace(session, (1, answers["kv_heads"], answers["capacity"], answers["head_size"]))
    cache: Cache | None = None
    started = clock()
    try:
        for step in answers["steps"]:
            used, ids = step["used"], step["ids"]
            todo = caches.before(cache.cut(used) if cache else None, len(ids))
            feeds = {"input_ids": np.array([ids], np.int64), "rows": np.array([1], np.int64), **todo.feeds}
            arrays, kept = await session.run(feeds, ["logits"], todo.keep, todo.into)
            cache = caches.after(used + len(ids), kept)
            difference = np.abs(arrays["logits"].reshape(-1) - np.array(step["logits"], np.float32)).max()
            if not difference <= tolerance:
                raise Disproved(f"It computes wrongly: a small model of known results is off by {difference:.2g}.")
    finally:
        caches.release()
    return Speed(_rate(sum(len(step["ids"]) for step in answers["steps"]), clock() - started))


def _rate(tokens: int, seconds: float) -> float:
    return tokens / max(seconds, SHORTEST)
