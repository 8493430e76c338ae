"""The heads in PyTorch, held against those of the annotator, which work with numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.annotate.pocket.exact import Ends  # noqa: E402
from referee.annotate.pocket.heads import read_heads, write_heads  # noqa: E402
from referee.annotate.pocket.scores import Scorer  # noqa: E402
from referee.pocket import store  # noqa: E402
from referee.train.recipes.encoder.batches import IGNORED, Batch, packed  # noqa: E402
from referee.train.recipes.encoder.examples import DEPREL, FIRST, HEAD, LAST, PART, TAG  # noqa: E402
from referee.train.recipes.encoder.heads import WEIGHTS, Heads, labels, losses, total  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402

WIDTH = 24


@pytest.fixture(scope="module")
def batch() -> Batch:
    """One row with texts of one and of two sentences, German, French and English: all of them have splits."""
    examples = small_treebanks.examples()
    texts = [[range(6, 8), range(18, 19), range(1)]]
    return packed(examples, texts, np.array(small_annotator.tokens()), np.zeros(3, bool))


def made(seed: int) -> Heads:
    torch.manual_seed(seed)
    heads = Heads(small_treebanks.inventory(), WIDTH).eval()
    for name, weight in heads.named_parameters():
        torch.nn.init.normal_(weight, std=0.5 if name.endswith(("bias", "parts", "root")) else 0.25)
    return heads


class Both:
    """The scores of both for the same vectors and the same stored weights."""

    def __init__(self, heads: Heads, batch: Batch, folder: Path) -> None:
        inventory = small_treebanks.inventory()
        about = {
            "languages": ["de"],
            "upos": list(inventory.upos),
            "features": inventory.features,
            "deprels": list(inventory.deprels),
            "lemma_scripts": [list(script) for script in inventory.lemmas],
            "split_scripts": [list(script) for script in inventory.splits],
            "encoder": "0" * 64,
        }
        write_heads(
            folder / "heads.npz", about, {name: weight.detach().numpy() for name, weight in heads.stored().items()}
        )
        stored = store.read(folder / "heads.npz", store.HEADS)
        heads.load({name: torch.from_numpy(np.array(array)) for name, array in stored.weights.items()})
        states = torch.randn(1, batch.pieces.shape[1], WIDTH)
        with torch.no_grad():
            self.theirs = {name: scores[0].numpy() for name, scores in heads(states, batch).items()}
        self.count = int((batch.word_source[0] >= 0).sum())
        self.atoms = int((batch.atom_source[0] >= 0).sum())
        self.scorer = Scorer(read_heads(stored), "de")
        self.vectors = self.scorer.grounded(states[0].numpy().copy())
        self.words = batch.words[0, : self.count].numpy()
        self.ends = Ends(self.words[:, FIRST], self.words[:, LAST])


@pytest.fixture(params=range(3))
def both(request: pytest.FixtureRequest, batch: Batch, tmp_path: Path) -> Both:
    return Both(made(request.param), batch, tmp_path)


def test_borders_are_the_same(both: Both, batch: Batch) -> None:
    atoms = batch.atoms[0, : both.atoms].numpy()
    ours = both.scorer.borders(both.vectors, Ends(atoms[:, 0], atoms[:, 1]))
    np.testing.assert_allclose(ours, both.theirs["border"][: both.atoms], atol=0.05)


def test_tags_and_features_are_the_same(both: Both) -> None:
    ours = both.scorer.words(both.vectors, both.ends, both.words[:, PART]).tags
    features = len(small_treebanks.inventory().features)
    theirs = np.concatenate(
        [both.theirs["upos"], *(both.theirs[f"feature {number}"] for number in range(features))], axis=1
    )
    np.testing.assert_allclose(ours, theirs[: both.count], atol=0.1)
    assert np.abs(theirs).max() > 2


def clear(scores: np.ndarray, margin: float) -> np.ndarray:
    """Rows whose best score is far enough from the second that rounding cannot change it."""
    ordered = np.sort(scores, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2] > margin)


def test_splits_and_lemmas_are_the_same(both: Both) -> None:
    splits = both.scorer.splits(both.vectors, both.ends)
    lemmas = both.scorer.words(both.vectors, both.ends, both.words[:, PART]).lemmas
    for ours, name in ((splits, "split"), (lemmas, "lemma")):
        theirs = both.theirs[name][: both.count]
        chosen = clear(theirs, 0.1)
        assert chosen.sum() > both.count / 2
        assert ours[chosen].tolist() == theirs.argmax(1)[chosen].tolist()


def test_arcs_and_labels_are_the_same(both: Both, batch: Batch) -> None:
    scores = both.scorer.words(both.vectors, both.ends, both.words[:, PART])
    sentence = batch.sentence[0, : both.count].numpy()
    for number in np.unique(sentence):
        members = np.flatnonzero(sentence == number)
        ours = both.scorer.arcs(scores, members[None])[0]
        theirs = both.theirs["arc"][members][:, [0, *(members + 1)]]
        inside = theirs > -1e3
        # All of the annotator's scores are the same multiple of these.
        factor = (ours[inside] @ theirs[inside]) / (theirs[inside] @ theirs[inside])
        assert factor > 0
        np.testing.assert_allclose(ours[inside] / factor, theirs[inside], atol=0.02 * np.abs(theirs[inside]).max())
        outside = np.setdiff1d(np.arange(both.count), members)
        assert (both.theirs["arc"][members][:, outside + 1] < -1e3).all()
    heads = both.words[:, HEAD] - 1
    ours, theirs = both.scorer.labels(scores, heads), both.theirs["label"][: both.count]
    for left, right in zip(ours, theirs, strict=True):
        # A word's scores are multiples of these, each word's of its own.
        factor = (left @ right) / (right @ right)
        assert factor > 0
        np.testing.assert_allclose(left / factor, right, atol=0.05 * np.abs(right).max())


def test_words_do_not_govern_themselves(batch: Batch) -> None:
    with torch.no_grad():
        arcs = made(1)(torch.randn(1, batch.pieces.shape[1], WIDTH), batch)["arc"][0]
    assert (torch.diagonal(arcs[:, 1:]) < -1e3).all()
    assert (arcs[:, 0] > -1e3).all()


def test_what_is_stored_is_loaded() -> None:
    one, other = made(1), made(2)
    other.load(one.stored())
    for name, weight in one.named_parameters():
        torch.testing.assert_close(other.get_parameter(name), weight)
    assert one.stored()["label.weight"].dim() == 2
    assert not any("_" in name for name in one.stored())


def test_unknown_labels_do_not_count(batch: Batch) -> None:
    heads = made(1)
    states = torch.randn(1, batch.pieces.shape[1], WIDTH)
    unknown = batch.rows(0, 1)
    unknown.words[0, 0, TAG] = -1
    known = labels(batch)
    assert known["upos"][0, 0] == IGNORED
    with torch.no_grad():
        scores = heads(states, unknown)
        parts = losses(scores, unknown)
        changed = {**scores, "upos": scores["upos"].clone()}
        changed["upos"][0, 0] += torch.randn(scores["upos"].shape[-1])
        torch.testing.assert_close(losses(changed, unknown)["upos"], parts["upos"])
        changed["upos"][0, 1, 0] += 3
        assert losses(changed, unknown)["upos"] != parts["upos"]


def test_a_task_without_labels_has_no_loss(batch: Batch) -> None:
    nothing = batch.rows(0, 1)
    words = nothing.words.clone()
    words[..., DEPREL] = -1
    empty = Batch(**{**vars(nothing), "words": words})
    with torch.no_grad():
        parts = losses(made(1)(torch.randn(1, batch.pieces.shape[1], WIDTH), empty), empty)
    assert float(parts["label"]) == 0
    assert all(torch.isfinite(loss) for loss in parts.values())


def test_the_total_weighs_tasks() -> None:
    parts = {name: torch.tensor(1.0) for name in (*WEIGHTS, *(f"feature {number}" for number in range(4)))}
    assert float(total(parts)) == pytest.approx(sum(WEIGHTS.values()) + 4 * 3 / 2)
