"""Prompt lookup writes what plain greedy decoding writes, in fewer passes where an answer quotes its prompt."""

from __future__ import annotations

import asyncio
import zlib
from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest

from terrarium.generation.generator import Generation, GenerationSettings, Generator
from terrarium.generation.lookup import Lookup
from terrarium.generation.prefill import Pace
from terrarium.generation.stream import visible_text
from terrarium.generation.wager import Wager
from terrarium.models.scripted import ANSWER_BEGINS, ByteTokenizer, ScriptedDecoder, SeenTokens

END = 257
MARKER_IDS = (256, 257, 258)
PROMPT = (
    "Sources:\n[1] Each book may be kept for 21 days and renewed twice, unless somebody has reserved it. The fine for "
    "a late book is 20 cents a day.\n[2] The reading room opens at 9:30 and closes at 19:00 on Fridays.\n\nHow long?\n"
)


class Steady(Wager):
    """Does not look at the clock, so that a test means the same on every machine."""

    def learn_time(self, tokens: int, seconds: float) -> None:
        pass


class Parrot:
    """A decoder whose logits are noise, the same for the same tokens; most lean to what followed in the prompt.

    Its caches hold one place in turn, as those on a GPU: what begins with a shorter cache ends the longer ones.
    """

    def __init__(self, seed: int, copies: float) -> None:
        self.id, self.tokenizer, self.max_tokens = "parrot@1", ByteTokenizer(), 4096
        self.seed, self.copies = seed, copies
        self.prompt = self.ids(PROMPT)
        self.places = defaultdict(list)
        for token, following in pairwise(self.prompt):
            self.places[token].append(following)
        self.valid: list[SeenTokens] = []
        self.passes = 0

    def ids(self, text: str) -> list[int]:
        return [int(i) for i in self.tokenizer.encode_batch([text], special=False)[0]]

    def logits(self, ids: tuple[int, ...]) -> np.ndarray:
        noise = np.random.default_rng(zlib.crc32(bytes(i % 256 for i in ids[-30:]), self.seed))
        logits = noise.normal(0, 1, self.tokenizer.vocabulary).astype(np.float32)
        logits[128:256] -= 9  # few of these bytes make whole characters
        if noise.random() < self.copies:
            places = self.places[ids[-1]] or self.prompt
            logits[places[noise.integers(len(places))]] += noise.uniform(2, 9)
        if noise.random() < 0.01:
            logits[END] += 20
        return logits

    async def forward(self, ids, cache, rows=1):
        if cache is not None and (cache not in self.valid or cache.released):
            raise ValueError("a cache that is no longer valid")
        before = cache.ids if cache else ()
        self.valid = [one for one in self.valid if not one.released and one.length <= len(before)]
        seen = SeenTokens((*before, *ids))
        self.valid.append(seen)
        self.passes += 1
        ends = range(seen.length - rows + 1, seen.length + 1)
        return np.stack([self.logits(seen.ids[:end]) for end in ends]), seen

    async def release(self) -> None:
        self.valid = []


def plain(decoder: Parrot, settings: GenerationSettings) -> tuple[list[int], str]:
    """Greedy decoding from first principles: the tokens, and what ended them."""
    ids = tuple(decoder.prompt)
    written: list[int] = []
    while len(written) < settings.max_new_tokens:
        logits = decoder.logits((*ids, *written)).astype(np.float64)
        for token in set(written[-64:]):
            logits[token] *= settings.repetition_penalty ** (-1 if logits[token] > 0 else 1)
        if (token := int(logits.argmax())) in MARKER_IDS:
            return written, "end" if token == END else "control"
        written.append(token)
        if cut := visible_text(decoder.tokenizer.decode(written))[1]:
            return written, cut
    return written, "budget"


def write(decoder: Parrot, settings: GenerationSettings, wager: Wager) -> tuple[Generation, list[str]]:
    shown: list[str] = []
    generator = Generator(decoder, PROMPT[:20], [END], settings, Pace(tokens=16), wager)
    result = asyncio.run(generator.write(PROMPT[20:], on_text=shown.append))
    assert [one.length for one in decoder.valid if not one.released] == [20], "only the prefix's cache stays"
    return result, shown


@pytest.mark.parametrize("penalty", [1.0, 1.1, 1.5])
@pytest.mark.parametrize("copies", [0.0, 0.7, 0.97])
def test_the_text_is_that_of_plain_decoding(copies: float, penalty: float):
    fewer = 0
    for seed in range(8):
        settings = GenerationSettings(30 + 5 * seed, penalty)
        expected, stopped_by = plain(Parrot(seed, copies), settings)
        without, steps = write(Parrot(seed, copies), settings, Wager(most=0))
        # Costs as if checking were free, as on a WASM thread, and as if it were dear.
        for beside in (0.0, 0.1, 0.3):
            result, shown = write(Parrot(seed, copies), settings, Steady(beside=beside))
            assert result.raw == without.raw == Parrot(seed, copies).tokenizer.decode(expected)
            assert result.tokens == without.tokens == len(expected)
            assert result.stopped_by == without.stopped_by == stopped_by
            assert (result.text, shown) == (without.text, steps)
            fewer += result.passes < without.passes
    assert fewer or not copies


def test_a_quotation_takes_few_passes():
    quoted = "The reading room closes at 19:00 on Fridays."
    decoder = ScriptedDecoder(quoted)
    wager = Steady()
    generator = Generator(decoder, "", [decoder.end], wager=wager)
    source = "Sources: The reading room closes at 19:00 on Fridays. It is closed on Sundays."
    result = asyncio.run(generator.write(source + ANSWER_BEGINS))
    assert result.text == quoted
    assert result.tokens == len(quoted)
    assert result.passes < len(quoted) / 4


def test_a_text_that_quotes_nothing_takes_one_token_a_pass():
    decoder = ScriptedDecoder("0123456789" * 3)
    result = asyncio.run(Generator(decoder, "", [decoder.end]).write("no figures here" + ANSWER_BEGINS))
    assert result.passes == result.tokens
    assert max(len(cache.ids) for cache in decoder.caches) <= result.prompt_tokens + result.tokens


def test_a_text_in_a_circle_ends_at_the_same_token():
    for wager in (Wager(most=0), Steady()):
        decoder = ScriptedDecoder("la " * 60)
        generator = Generator(decoder, "", [decoder.end], GenerationSettings(150), wager=wager)
        result = asyncio.run(generator.write("la " * 40 + ANSWER_BEGINS))
        assert (result.stopped_by, result.tokens) == ("loop", 24)


class Counted(ScriptedDecoder):
    """Remembers how many tokens each pass ended at, and refuses more than the model has room for."""

    async def forward(self, ids, cache, rows=1):
        self.ends = [*getattr(self, "ends", []), (cache.length if cache else 0) + len(ids)]
        assert self.ends[-1] <= self.max_tokens
        return await super().forward(ids, cache, rows)


def test_nothing_is_checked_past_the_budget():
    decoder = Counted("abcdefghijklmnopqrstuvwxyz")
    generator = Generator(decoder, "", [decoder.end], GenerationSettings(20), wager=Steady(beside=0.0))
    result = asyncio.run(generator.write("abcdefghijklmnopqrstuvwxyz" + ANSWER_BEGINS))
    assert (result.raw, result.stopped_by) == ("abcdefghijklmnopqrst", "budget")
    assert max(decoder.ends) == result.prompt_tokens + 19, "the last token's own logits are of no use"


def test_nothing_is_checked_past_the_models_length():
    prompt = "abcdefghijklmnopqrstuvwxyz" + ANSWER_BEGINS
    length = len(ByteTokenizer().encode_batch([prompt], special=False)[0])
    decoder = Counted("abcdefghij", max_tokens=length + 10)
    result = asyncio.run(Generator(decoder, "", [decoder.end], wager=Steady(beside=0.0)).write(prompt))
    assert (result.raw, result.stopped_by) == ("abcdefghij", "end")
    assert max(decoder.ends) == length + 10


def test_cancelling_while_writing_releases_the_caches():
    decoder = ScriptedDecoder("The reading room opens at 9:30 and closes at 19:00 on Fridays.")
    generator = Generator(decoder, "", [decoder.end])

    async def scenario():
        begun = asyncio.Event()
        task = asyncio.create_task(generator.write(PROMPT + ANSWER_BEGINS, on_text=lambda _: begun.set()))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert all(cache.released for cache in decoder.caches)


def test_the_longest_agreement_counts_then_the_first_place():
    lookup = Lookup([2, 3, 4, 9, 1, 2, 3, 5, 8, 9, 3, 6], closing={9})
    assert lookup.guess([7, 1, 2, 3]) == ([5, 8, 9], 3)
    assert lookup.guess([7, 2, 3]) == ([4, 9], 2)
    assert lookup.guess([7, 5]) == ([8, 9], 1)
    assert lookup.guess([9]) == ([1, 2, 3, 5, 8, 9], 1), "behind a sentence's end the next one is guessed"
    assert lookup.guess([8, 9, 3]) == ([6], 3)
    assert lookup.guess([6]) == ([], 0), "nothing follows the prompt's last token"
    assert lookup.guess([]) == ([], 0)


def test_the_wager_follows_costs_and_luck():
    assert Wager(beside=0.01).tokens(4) == 16, "cheap checks are worth a long guess"
    assert 1 <= Wager(beside=0.1).tokens(2) <= 8
    assert Wager(beside=0.4).tokens(4) == 0, "a chance of less than one would not pay"
    wager = Wager()
    for _ in range(60):
        wager.learn(2, False)
    assert wager.tokens(2) == 0
    assert wager.tokens(3) > 0, "longer agreements are judged by their own record"
    for _ in range(60):
        wager.learn(2, True)
    assert wager.tokens(2) > 2


def test_the_wager_learns_what_a_pass_costs():
    wager = Wager()
    wager.learn_time(9, 5.0)
    assert wager.beside == 0.1, "without a single token's time nothing can be told"
    for _ in range(9):
        wager.learn_time(1, 0.2)
        wager.learn_time(11, 0.6)
    assert wager.beside == pytest.approx(0.2)
    for _ in range(4):
        wager.learn_time(2, 30.0)
        wager.learn_time(1, 30.0)
    assert wager.beside == pytest.approx(0.2), "a few passes that the machine held up say nothing"
    wager.learn_time(2, 0.01)
    assert min(wager._costs) == 0, "a quicker pass of more tokens is noise"


def test_a_busy_minute_does_not_end_guessing_for_good():
    wager = Wager()
    for _ in range(9):
        wager.learn_time(1, 0.1)
        wager.learn_time(2, 1.0)
    assert wager.tokens(4) == 0
    for _ in range(150):
        wager.learn_time(1, 0.1)
    assert wager.tokens(4) > 4


def test_guesses_that_are_not_worth_a_check_are_still_watched():
    decoder = ScriptedDecoder("The reading room opens at 9:30 and closes at 19:00 on Fridays.")
    wager = Steady()
    for _ in range(80):
        for agreed in range(1, 5):
            wager.learn(agreed, False)
    assert wager.tokens(4) == 0
    generator = Generator(decoder, "", [decoder.end], wager=wager)
    asyncio.run(generator.write(PROMPT + ANSWER_BEGINS))
    asyncio.run(generator.write(PROMPT + ANSWER_BEGINS))
    assert wager.tokens(4) > 4
