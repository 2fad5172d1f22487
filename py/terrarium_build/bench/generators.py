"""Tokens a second, ours beside wllama's: the same prompts and as many tokens written, in turn, on as many threads.

And what prompt lookup gains on answers that rest on their passages, against the same engine without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from terrarium.generation.prompt import prompt_rest
from terrarium_build.bench.figures import Figure
from terrarium_build.bench.prompts import HubEncoder, prompt_of
from terrarium_build.bench.texts import QUESTIONS, sources
from terrarium_build.bench.writer_pages import OWN_PACE, WRITER, EnginePage, Run, Side, WllamaPage, open_writers
from terrarium_build.models import model_for
from terrarium_build.npm import npm_package
from terrarium_build.paths import BuildError, cache_folder, say

LENGTHS = (143, 400, 900)
WRITTEN = 32  # tokens that each side writes behind each prompt
ANSWER = 120  # as in the engine
PLAIN = "the same without prompt lookup"

Pairs = list[tuple[float, float]]


@dataclass(slots=True)
class Rates:
    """What one number of threads gave: tokens a second, (ours, the peer's) of each round, by the prompt's length."""

    threads: int
    prefill: dict[int, Pairs] = field(default_factory=dict)
    paced: dict[int, Pairs] = field(default_factory=dict)  # ours in the engine's own pieces
    decode: dict[int, Pairs] = field(default_factory=dict)
    lookup: Pairs = field(default_factory=list)  # with and without, a pair a question

    def add(self, length: int, ours: Run, theirs: Run, in_pieces: Run) -> None:
        self.prefill.setdefault(length, []).append((ours.prefill, theirs.prefill))
        self.paced.setdefault(length, []).append((in_pieces.prefill, theirs.prefill))
        self.decode.setdefault(length, []).append((ours.decode, theirs.decode))

    def figures(self) -> Iterator[Figure]:
        """For the report's table."""
        threads = f"{self.threads} thread{'s' if self.threads > 1 else ''}"
        peer = f"wllama {npm_package('@wllama/wllama')['version']}, {threads}"
        named = {"Reading {} tokens": self.prefill, "Reading {} tokens in the page's pieces": self.paced}
        named["Writing behind {} tokens"] = self.decode
        for name, by_length in named.items():
            for length, pairs in by_length.items():
                yield Figure(f"{name.format(length)}, {threads}", "tokens/s", peer, *_sides(pairs))
        if self.lookup:
            yield Figure(f"Writing answers with prompt lookup, {threads}", "tokens/s", PLAIN, *_sides(self.lookup))

    def summary(self) -> dict[str, float]:
        """Ratios of medians; against the peer at the shortest prompt."""
        short, long = min(self.prefill), max(self.prefill)
        ratios = {
            "decode_vs_wllama": _ratio(self.decode[short]),
            "prefill_vs_wllama": _ratio(self.prefill[short]),
            "prefill_in_pieces_vs_wllama": _ratio(self.paced[short]),
        }
        by_name = {"prefill": self.prefill, "prefill_in_pieces": self.paced, "decode": self.decode}
        for name, by_length in by_name.items():
            ratios[f"{name}_{long}_over_{short}"] = _ours(by_length[long]) / _ours(by_length[short])
        for length in [length for length in self.prefill if length != short]:
            ratios[f"decode_vs_wllama_{length}"] = _ratio(self.decode[length])
            ratios[f"prefill_vs_wllama_{length}"] = _ratio(self.prefill[length])
        return ratios | ({"lookup_vs_plain": _ratio(self.lookup)} if self.lookup else {})


def _sides(pairs: Pairs) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(ours for ours, _ in pairs), tuple(theirs for _, theirs in pairs)


def _ours(pairs: Pairs) -> float:
    return median(ours for ours, _ in pairs)


def _ratio(pairs: Pairs) -> float:
    return _ours(pairs) / median(theirs for _, theirs in pairs)


def measure_generators(index: Path, threads: int, rounds: int, lengths: Sequence[int] = LENGTHS) -> Rates:
    """Raises BuildError when a side does not start, or the two do not do the same work. Lookup on one thread only."""
    rates = Rates(threads)
    tokenizer = model_for(WRITER).description["files"]["tokenizer"]
    encoder = HubEncoder(cache_folder() / "models" / tokenizer)
    with open_writers(index, threads, max(lengths) + WRITTEN) as (ours, theirs):
        warm = prompt_of(encoder, 16, 0)
        for side in (ours, theirs):
            side.write(warm, 4)
        for number in range(rounds):
            for length in lengths:
                say(f"{length} tokens, round {number + 1} of {rounds}")
                _round(ours, theirs, prompt_of(encoder, length, number), number, rates, length)
        if threads == 1:
            rates.lookup = measure_lookup(ours)
    return rates


def _round(ours: EnginePage, theirs: WllamaPage, prompt: str, number: int, rates: Rates, length: int) -> None:
    in_pieces = ours.write(prompt, 1, piece=OWN_PACE)
    # Who begins alternates too.
    sides: list[Side] = [ours, theirs] if number % 2 == 0 else [theirs, ours]
    runs = {side.name: side.write(prompt, WRITTEN) for side in sides}
    for run in runs.values():
        check(run, length, prompt)
    rates.add(length, runs[ours.name], runs[theirs.name], in_pieces)
    said = [f"{name} {run.prefill:.1f} and {run.decode:.2f}" for name, run in runs.items()]
    say(f"  reading and writing, tokens/s: {', '.join(said)}; ours in pieces {in_pieces.prefill:.1f}")


def check(run: Run, length: int, prompt: str) -> None:
    """Unless both sides do the same work, the figures mean nothing."""
    if run.prompt_tokens != length:
        raise BuildError(
            f"A side read {run.prompt_tokens} tokens where the prompt has {length}; the benchmark is void. "
            f"The prompt begins: {prompt[:60]!r}"
        )
    if run.tokens < WRITTEN // 2:
        raise BuildError(f"A side wrote {run.tokens} of {WRITTEN} tokens and stopped; the benchmark is void.")


def measure_lookup(ours: EnginePage) -> Pairs:
    """Answers to questions about made texts, with and without, in turn. Raises BuildError when the texts differ."""
    pairs = []
    for number, form in enumerate(QUESTIONS):
        say(f"Prompt lookup, question {number + 1} of {len(QUESTIONS)}")
        texts, name = sources(number)
        prompt = prompt_rest(texts, form.format(name=name))
        order = (True, False) if number % 2 == 0 else (False, True)
        runs = {lookup: ours.write(prompt, ANSWER, chat=True, lookup=lookup) for lookup in order}
        if runs[True].text != runs[False].text:
            raise BuildError(
                "Prompt lookup changed an answer, which it must not.\n"
                f"With: {runs[True].text}\nWithout: {runs[False].text}"
            )
        say(f"  {runs[True].tokens} tokens: {runs[True].decode:.2f} and {runs[False].decode:.2f} tokens/s")
        pairs.append((runs[True].decode, runs[False].decode))
    return pairs
