"""Training of the reranker: what becomes a negative, what the head computes, how its results are judged."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest
from safetensors.numpy import save_file
from tests.fixtures import tiny_bert

from terrarium_build.conversion.bert_graph import Bert, write_bert
from terrarium_build.training.calibrate import auc, brier, calibration_error, fit
from terrarium_build.training.evaluate import Table, late_interaction, markdown, measure, pooled
from terrarium_build.training.head import Head, load_head, maxsim, rounded, untrained
from terrarium_build.training.joining import CLS, SEP, join
from terrarium_build.training.mining import in_turn, load_mined, looks_like_an_answer, mine, save_mined
from terrarium_build.training.principal import principal_head
from terrarium_build.training.sets import Pair, RetrievalSet, sample, training_pairs, without

LAYERS, WIDTH, DIMENSIONS = (2, 5), 6, 4


class FakeStates:
    """Texts with given sentence vectors, or random ones, and random hidden states of five tokens."""

    def __init__(self, vectors: dict[str, list[float] | None]) -> None:
        chance = np.random.default_rng(7)
        self.place = {text: place for place, text in enumerate(vectors)}
        self.sentence = np.array([one or chance.normal(size=3) for one in vectors.values()], np.float32)
        self._hidden = chance.normal(size=(len(vectors), 5, len(LAYERS) * WIDTH)).astype(np.float32)

    def hidden(self, place: int, layers: Sequence[int]) -> np.ndarray:
        hidden: np.ndarray = self._hidden[place][:, : len(layers) * WIDTH]
        return hidden


def a_head(seed: int = 0) -> Head:
    chance = np.random.default_rng(seed)

    def some(*shape: int) -> np.ndarray:
        found: np.ndarray = chance.normal(size=shape).astype(np.float32)
        return found

    inputs = len(LAYERS) * WIDTH
    return Head(LAYERS, *(some(inputs, DIMENSIONS), some(DIMENSIONS)) * 2, some(inputs), some(1))


def test_rankings_take_turns_and_name_a_passage_once():
    assert in_turn([1, 2], [2, 3, 4]) == [1, 2, 3, 4]


def test_a_passage_that_repeats_the_positive_is_no_negative():
    positive = "The tower in Paris was finished in 1889 by Gustave Eiffel."
    assert looks_like_an_answer(positive, [positive])
    assert looks_like_an_answer("More about towers. " + positive + " It is made of iron.", [positive])
    assert not looks_like_an_answer("The tower in London was finished by William the Conqueror.", [positive])


def test_mining_drops_what_lies_as_close_to_the_question_as_the_positive():
    question = "who finished the tower"
    positive, close, far = "Eiffel finished it", "the tower stood finished", "a tower of wood"
    pair = Pair(question, positive, (close, far), "nq_qed_train", 1.0, held_out=False)
    known = FakeStates({question: [1, 0, 0], positive: [0.9, 0.44, 0], close: [0.95, 0.31, 0], far: [0.5, 0.87, 0]})
    (row,) = mine([pair], known)
    assert row.negatives == (far,)


def test_mined_rows_survive_their_file(tmp_path: Path):
    pair = Pair("q", "p", ("n",), "nq_qed_train", 1.0, held_out=True)
    rows = mine([pair], FakeStates({"q": [1, 0, 0], "p": [1, 0, 0], "n": [0, 1, 0]}))
    save_mined(rows, tmp_path / "mined.jsonl")
    assert load_mined(tmp_path / "mined.jsonl") == rows
    assert rows[0].negatives == ("n",)
    assert rows[0].held_out


def test_held_out_pairs_share_no_positive_with_training(tmp_path: Path):
    rows = [{"query": f"question {n}", "positive": f"passage {n // 3}", "negatives": []} for n in range(2400)]
    for source in ("nq_qed_train", "medquad", "debian_doc_headings", "code_docstring"):
        with gzip.open(tmp_path / f"{source}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    pairs = training_pairs(tmp_path)
    aside = {(pair.source, pair.positive) for pair in pairs if pair.held_out}
    kept = {(pair.source, pair.positive) for pair in pairs if not pair.held_out}
    assert len(aside) >= 200
    assert not aside & kept


def test_pairs_that_repeat_an_evaluation_set_are_left_out():
    long = " ".join(f"word{n}" for n in range(40))
    kept = Pair("fine", "another passage " + long.replace("word", "term"), (), "medquad", 1.0, held_out=False)
    same_question = Pair("Who, then?", "anything", (), "medquad", 1.0, held_out=False)
    same_passage = Pair("new", "Title. " + long.replace(" ", ", "), (), "medquad", 1.0, held_out=False)
    one = RetrievalSet("set", [long], ["who then"], [{0: 1}])
    assert without([kept, same_question, same_passage], [one]) == [kept]


def test_head_follows_its_formula_and_its_file(tmp_path: Path):
    head = a_head()
    hidden = np.random.default_rng(1).normal(size=(5, len(LAYERS) * WIDTH)).astype(np.float32)
    head.save(tmp_path / "head.safetensors", {"note": "x"})
    loaded = load_head(tmp_path / "head.safetensors")

    rows, weights = [], []
    for token in hidden.astype(np.float64):
        parts = [part / np.linalg.norm(part) for part in (token[:WIDTH], token[WIDTH:])]
        x = np.concatenate(parts)
        projected = x @ head.projection + head.bias
        rows.append(projected / np.linalg.norm(projected))
        weights.append(math.log(1 + math.exp(float(x @ head.weight + head.weight_bias[0]))))
    expected = np.array(rows)
    share = np.array(weights) * len(weights) / sum(weights)

    assert loaded.layers == LAYERS
    np.testing.assert_allclose(loaded.passage(hidden), expected, atol=1e-5)
    np.testing.assert_allclose(loaded.question(hidden), expected * share[:, None], atol=1e-5)


def test_untrained_head_is_the_token_vectors_themselves():
    hidden = np.random.default_rng(2).normal(size=(3, 8)).astype(np.float32)
    head = untrained(width=8)
    expected = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
    np.testing.assert_allclose(head.passage(hidden), expected, atol=1e-6)
    np.testing.assert_allclose(head.question(hidden), expected, atol=1e-6)


def test_principal_head_keeps_products_when_nothing_is_left_out():
    known = FakeStates({"a": None, "b": None, "c": None})
    head = principal_head(["a", "b", "c"], known, layer=LAYERS[0], dimensions=WIDTH)
    hidden = known.hidden(0, (LAYERS[0],))
    exact = untrained(width=WIDTH).passage(hidden)
    np.testing.assert_allclose(head.passage(hidden) @ head.passage(hidden).T, exact @ exact.T, atol=1e-5)


def test_principal_head_leaves_out_the_weakest_directions():
    known = FakeStates({"a": None, "b": None, "c": None})
    head = principal_head(["a", "b", "c"], known, layer=LAYERS[0], dimensions=2)
    rows = np.concatenate(
        [untrained(width=WIDTH).passage(known.hidden(place, (LAYERS[0],))[::7]) for place in (0, 1, 2)]
    )
    _, _, directions = np.linalg.svd(rows)
    np.testing.assert_allclose(np.abs(directions[:2] @ head.projection), np.eye(2), atol=1e-4)


def test_rounding_keeps_the_direction_and_the_largest_element():
    vectors = np.array([[0.6, -0.8, 0.0], [1.0, 0.0, 0.0]], np.float32)
    levels = np.array([[5, -7, 0], [7, 0, 0]]) / np.array([[math.hypot(5, 7)], [7]])  # 0.6 / 0.8 · 7 = 5.25
    np.testing.assert_allclose(rounded(vectors, 7), levels, atol=1e-6)
    assert (rounded(vectors, 127) * vectors).sum(axis=1) == pytest.approx(1, abs=1e-4)


def test_torch_head_scores_as_the_numpy_one_does():
    torch = pytest.importorskip("torch")
    from terrarium_build.training.model import LateInteractionHead  # noqa: PLC0415

    model = LateInteractionHead(a_head(), apart=True)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    head = model.exported()
    known = FakeStates({"q": None, "p": None})
    asked, passage = (head.features(known.hidden(place, LAYERS)) for place in (0, 1))
    padded = np.concatenate([passage, np.ones((2, passage.shape[1]), np.float32)])
    mask = torch.tensor([[1.0] * len(passage) + [0.0] * 2])
    with torch.no_grad():
        questions = model.questions(torch.tensor(asked[None]), torch.ones(1, len(asked)))
        scores = model.scores(questions, model.passages(torch.tensor(padded[None])), mask)
    expected = maxsim(head.question(known.hidden(0, LAYERS)), head.passage(known.hidden(1, LAYERS)))
    assert float(scores[0, 0]) == pytest.approx(expected, abs=1e-5)


def test_measuring_counts_each_ranking_alone_and_blended():
    texts = ["cats purr", "dogs bark", "cats and dogs"]
    known = FakeStates({"what do cats do": [1, 0, 0], **dict.fromkeys(texts)})
    one = RetrievalSet("toy", texts, ["what do cats do"], [{0: 1}])
    reverse = {text: -float(place) for place, text in enumerate(texts)}
    table = measure(one, known, {"first": lambda _question, found: [reverse[text] for text in found]})
    assert table.scores["first"].tolist() == [1.0]
    assert set(table.scores) == {"bm25", "dense", "rrf", "first", "rrf+first"}


def test_late_interaction_reranks_with_what_is_stored():
    known = FakeStates({"q": None, "a": None, "b": None})
    head = a_head()
    exact = late_interaction(head, known, levels=None)("q", ["a", "b"])
    stored = late_interaction(head, known)("q", ["a", "b"])
    assert stored != exact
    np.testing.assert_allclose(stored, exact, atol=0.1)


def test_question_and_passage_become_one_text_cut_at_the_passage():
    joined = join([([7], [1, 2, 3, 4, 5]), ([8, 9], [6])], longest=7)
    assert joined.ids.tolist() == [[CLS, 7, SEP, 1, 2, 3, SEP], [CLS, 8, 9, SEP, 6, SEP, 0]]
    assert joined.types.tolist() == [[0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 0]]
    assert joined.real.tolist() == [[True] * 7, [True] * 6 + [False]]
    assert np.argwhere(joined.question).tolist() == [[0, 1], [1, 1], [1, 2]]
    assert np.argwhere(joined.passage).tolist() == [[0, 3], [0, 4], [0, 5], [1, 4]]


def test_cross_encoder_computes_what_the_embedder_does(tmp_path: Path):
    pytest.importorskip("torch")
    from terrarium_build.training.cross_encoder import START_BIAS, START_SCALE, CrossEncoder  # noqa: PLC0415

    weights = tiny_bert.tiny_bert()
    weights["embeddings.token_type_embeddings.weight"][1] = weights["embeddings.token_type_embeddings.weight"][0]
    save_file(weights, tmp_path / "weights.safetensors")
    write_bert(tmp_path / "exact.onnx", weights, Bert(heads=tiny_bert.HEADS, exact=True))
    session = ort.InferenceSession(tmp_path / "exact.onnx")
    model = CrossEncoder(tmp_path / "weights.safetensors", frozen=1, heads=tiny_bert.HEADS)

    joined = join([([7], [1, 2, 3, 4, 5]), ([8, 9], [6])], longest=12)
    hidden = model.hidden(joined).detach().numpy()
    feeds = {"input_ids": joined.ids, "attention_mask": joined.real.astype(np.int64)}
    (sentence,) = session.run(["sentence"], feeds)
    means = np.stack([row[real].mean(axis=0) for row, real in zip(hidden, joined.real, strict=True)])
    np.testing.assert_allclose(means / np.linalg.norm(means, axis=1, keepdims=True), sentence, atol=1e-4)

    asked, answer = hidden[0][1], hidden[0][3:8].mean(axis=0)
    cosine = asked @ answer / np.linalg.norm(asked) / np.linalg.norm(answer)
    assert model.logits(joined)[0].item() == pytest.approx(START_SCALE * cosine + START_BIAS, abs=1e-3)


def test_sample_keeps_each_question_with_its_passages():
    one = RetrievalSet("set", ["p0", "p1", "p2"], ["q0", "q1", "q2"], [{0: 1}, {1: 1}, {2: 1}])
    taken = sample(one, 2)
    assert taken.passages == one.passages
    assert [one.gains[one.questions.index(question)] for question in taken.questions] == taken.gains
    assert len(set(taken.questions)) == 2
    assert sorted(sample(one, 9).questions) == one.questions


def test_pooled_table_counts_every_question_once():
    tables = [
        Table("a", {"rrf": np.array([0.0, 1.0, 1.0]), "x": np.array([1.0, 1.0, 1.0])}, {"x": 10.0}),
        Table("b", {"rrf": np.array([0.5]), "x": np.array([0.0])}, {"x": 50.0}),
    ]
    found = pooled(tables)
    assert found.scores["x"].mean() == 0.75
    assert found.milliseconds == {"x": 20.0}
    row = markdown(found, against=("rrf", "x")).splitlines()[-1]
    assert "| x | 0.7500 | 20.0 | +0.1250 |" in row
    assert "| +0.0000 | 1.0000 |" in row


def test_logistic_regression_finds_what_made_the_sample():
    chance = np.random.default_rng(0)
    scores = chance.normal(0.6, 0.1, size=20_000)
    p = 1 / (1 + np.exp(-(12 * scores - 8)))
    right = chance.random(20_000) < p
    found = fit(scores, right)
    assert found.slope == pytest.approx(12, rel=0.05)
    assert found.intercept == pytest.approx(-8, rel=0.05)
    assert calibration_error(found.probability(scores), right) < 0.02


def test_measures_of_a_probability():
    right = np.array([True, False, True, False])
    p = np.array([0.9, 0.1, 0.4, 0.4])
    assert auc(p, right) == pytest.approx(3.5 / 4)  # of four pairs three are right, one is a tie
    assert brier(p, right) == pytest.approx((0.01 + 0.01 + 0.36 + 0.16) / 4)
    assert calibration_error(p, right) == pytest.approx((0.1 + 0.1 + 2 * 0.1) / 4)
