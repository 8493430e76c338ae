"""Encoder and heads together: texts in one row, and what is found."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from torch import Tensor  # noqa: E402

from referee.train.recipes.encoder.batches import Batch, packed  # noqa: E402
from referee.train.recipes.encoder.examples import DEPREL, HEAD, LEMMA, SPLIT, TAG  # noqa: E402
from referee.train.recipes.encoder.model import STYLES, accuracy, find, hidden  # noqa: E402
from referee.train.recipes.encoder.passages import LANGUAGES  # noqa: E402
from referee.train.recipes.encoder.pretrain import Hiding  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402
from tests.support.small_annotator import Taught  # noqa: E402

ALONE = [range(number, number + 1) for number in range(48)]


def test_texts_in_a_row_do_not_see_each_other() -> None:
    examples = small_treebanks.examples()
    model = small_annotator.untaught().eval()
    torch.nn.init.normal_(model.styles.weight)
    tokens = np.array(small_annotator.tokens())
    texts = [range(2), range(9, 10), range(21, 23)]
    together = packed(examples, [texts], tokens, np.zeros(3, bool))

    def vectors(batch: Batch) -> Tensor:
        row: Tensor = model.encoder(batch.pieces, batch.mask(), batch.positions, model.styles(batch.style))[0]
        return row

    with torch.no_grad():
        row = vectors(together)
        for number, text in enumerate(texts):
            alone = packed(examples, [[text]], tokens, np.zeros(1, bool))
            own = vectors(alone)[alone.text[0] >= 0]
            torch.testing.assert_close(row[together.text[0] == number], own, atol=1e-5, rtol=0)


def test_scores_of_words_are_those_of_the_text_alone() -> None:
    examples = small_treebanks.examples()
    model = small_annotator.untaught().eval()
    alone = find([model], examples, ALONE, small_annotator.tokens(), rows=1)
    few = find([model], examples, ALONE[::-1], small_annotator.tokens(), rows=3)
    for task in ("upos", "arc", "label"):
        np.testing.assert_allclose(alone.sure[task], few.sure[task], atol=2e-3)


def test_what_was_learned_by_heart_is_found(taught: Taught) -> None:
    assert taught.loss < 1
    examples = small_treebanks.examples()
    followed = [text for text in ALONE if examples.treebank[text.start] == 0]
    found = find([taught.model], examples, followed, small_annotator.tokens())
    table = accuracy(examples, found)
    assert set(table) == {str(number) for number in range(len(LANGUAGES))}
    assert all(value >= 95 for row in table.values() for value in row.values())
    words = np.repeat(examples.treebank, np.diff(examples.first_word)) == 0
    atoms = np.repeat(examples.treebank, np.diff(examples.first_atom)) == 0
    for column in (TAG, LEMMA, HEAD, DEPREL):
        assert (found.words[words, column] == examples.words[words, column]).mean() > 0.95
    first = words & (examples.words[:, SPLIT] >= 0)
    assert (found.words[first, SPLIT] == examples.words[first, SPLIT]).mean() > 0.95
    assert (found.borders[atoms] == examples.atoms[atoms, 2]).mean() > 0.95
    assert np.median(found.sure["arc"][words]) > 0.8


def test_sentences_that_were_not_looked_at_do_not_count(taught: Taught) -> None:
    examples = small_treebanks.examples()
    found = find([taught.model], examples, ALONE[:2], small_annotator.tokens())
    assert accuracy(examples, found)["0"]["upos"] >= 95
    worse = examples.words.copy()
    worse[: examples.first_word[2], TAG] = 0
    changed = type(examples)(**{**vars(examples), "words": worse})
    assert accuracy(changed, found)["0"]["upos"] == 0


def test_several_models_are_averaged(taught: Taught) -> None:
    examples = small_treebanks.examples()
    other = small_annotator.untaught(32).eval()
    tokens = small_annotator.tokens()
    one, two, both = (
        find(models, examples, ALONE[:3], tokens) for models in ([taught.model], [other], [taught.model, other])
    )
    words = slice(0, int(examples.first_word[3]))
    # An untaught model gives all tags nearly the same probability.
    assert (both.words[words, TAG] == one.words[words, TAG]).all()
    mean = (one.sure["upos"][words].astype(float) + 1 / 17) / 2
    np.testing.assert_allclose(both.sure["upos"][words], mean, atol=0.05)
    assert (two.sure["upos"][words] < 0.2).all()


def test_the_followed_style_adds_nothing() -> None:
    model = small_annotator.untaught()
    assert model.styles.num_embeddings == STYLES
    loss = model.styles(torch.tensor([0, 3])).sum()
    torch.autograd.backward(loss)
    gradient = model.styles.weight.grad
    assert gradient is not None
    assert not gradient[0].any()
    assert gradient[3].all()


def test_only_ordinary_pieces_are_hidden() -> None:
    vocabulary = small_annotator.vocabulary()
    ordinary = Hiding.of(vocabulary, "cpu").ordinary
    pieces = torch.arange(len(vocabulary)).repeat(50, 1)
    torch.manual_seed(1)
    some = hidden(pieces, ordinary, vocabulary.mask, 0.5)
    changed = some != pieces
    assert (some[changed] == vocabulary.mask).all()
    assert not changed[:, ~ordinary].any()
    assert float(changed[:, ordinary].float().mean()) == pytest.approx(0.5, abs=0.05)
    assert torch.equal(hidden(pieces, ordinary, vocabulary.mask, 0.0), pieces)
