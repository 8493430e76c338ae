"""The masked language model."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.pocket.encoder_vocabulary import BEGIN, END  # noqa: E402
from referee.train.recipes.encoder import passages, state  # noqa: E402
from referee.train.recipes.encoder.passages import LANGUAGES, Passage  # noqa: E402
from referee.train.recipes.encoder.pretrain import (  # noqa: E402
    Hiding,
    Pretraining,
    Schedule,
    Streams,
    loss_of,
    pretrain,
    streams,
    watched,
)
from tests.support import small_annotator, small_treebanks  # noqa: E402

SCHEDULE = Schedule(0, pieces=512, length=32, longest=64, peak=1e-2, warm_up=5, steps=60)


@pytest.fixture(scope="module")
def numbered() -> dict[str, Streams]:
    pieces = small_annotator.vocabulary()
    return {part: streams(members, pieces, 1) for part, members in small_treebanks.passages().items()}


def spelled(row: list[int]) -> str:
    names = small_annotator.vocabulary().names()
    return "".join(names[number] for number in row).replace("\N{LOWER ONE EIGHTH BLOCK}", " ")


def test_a_stream_per_language_and_per_pair() -> None:
    pieces = small_annotator.vocabulary()
    one = Passage("de", "The cat cannot fall at the tree.", "Der Hund steht zum Haus.")
    found = streams([one, Passage("fr", "", "Le chien dort du jardin.")], pieces, 1)
    assert found.names == ("en", "de", "fr", "en-de")
    assert found.count.tolist() == [1, 1, 1, 1]
    assert found.opening.tolist() == [*(pieces.language(name) for name in ("en", "de", "fr")), BEGIN]
    edges = [*found.starts.tolist(), len(found.pieces)]
    english, german, _, both = (spelled(found.pieces[a:b].tolist()) for a, b in pairwise(edges))
    assert english == " The cat cannot fall at the tree.</s>"
    assert both in (f"<en>{english}<de>{german}", f"<de>{german}<en>{english}")


def test_rows_have_their_language_in_front_and_the_end_behind(numbered: dict[str, Streams]) -> None:
    learned = numbered["train"]
    shares = torch.zeros(len(learned.names))
    shares[learned.names.index("de")] = 1
    torch.manual_seed(1)
    named = learned.rows(shares, 50, 20, 0.0)
    assert named.shape == (50, 20)
    assert set(named[:, 0].tolist()) == {small_annotator.vocabulary().language("de")}
    assert set(named[:, -1].tolist()) == {END}
    assert all(spelled(row[1:3]).startswith(" D") for row in named.tolist())
    assert set(learned.rows(shares, 50, 20, 1.0)[:, 0].tolist()) == {BEGIN}


def test_shares_of_languages_and_pairs(numbered: dict[str, Streams]) -> None:
    learned = numbered["train"]
    shares = learned.shares(Schedule(1, translated=0.25))
    pairs = torch.tensor(["-" in name for name in learned.names])
    assert float(shares.sum()) == pytest.approx(1)
    assert float(shares[pairs].sum()) == pytest.approx(0.25)
    flat = learned.shares(Schedule(1, translated=0, flatness=0))
    torch.testing.assert_close(flat[~pairs], torch.full((8,), 1 / 8))


def test_places_are_hidden(numbered: dict[str, Streams]) -> None:
    pieces = small_annotator.vocabulary()
    hiding = Hiding.of(pieces, "cpu")
    learned = numbered["train"]
    torch.manual_seed(2)
    rows = learned.rows(learned.shares(SCHEDULE), 400, 30, 0.2)
    hidden, places = hiding.hide(rows, 0.2, 0.0)
    assert places.shape == (400, 6)
    chosen = torch.zeros_like(rows, dtype=torch.bool).scatter(1, places, value=True)
    assert torch.equal(hidden[~chosen], rows[~chosen])
    old, new = rows[chosen], hidden[chosen]
    ordinary = hiding.ordinary[old]
    assert float(ordinary.float().mean()) > 0.99
    assert float((new == pieces.mask).float().mean()) == pytest.approx(0.8, abs=0.05)
    replaced = (new != pieces.mask) & (new != old)
    assert float(replaced.float().mean()) == pytest.approx(0.1, abs=0.04)
    assert hiding.ordinary[new[replaced]].all()


def test_special_tokens_are_not_ordinary() -> None:
    pieces = small_annotator.vocabulary()
    names = pieces.names()
    ordinary = Hiding.of(pieces, "cpu").ordinary
    special = {"<s>", "<pad>", "</s>", "<unk>", "<mask>", *(f"<{language}>" for language in LANGUAGES)}
    assert {name for name, known in zip(names, ordinary.tolist(), strict=True) if not known} == special


def test_whole_words_are_hidden_together() -> None:
    pieces = small_annotator.vocabulary()
    hiding = Hiding.of(pieces, "cpu")
    texts = [small_treebanks.sentence("de", number).text for number in range(30)]
    learned = streams([Passage("de", "", text) for text in texts], pieces, 1)
    rows = learned.rows(torch.ones(1), 100, 40, 0.0)
    _, places = hiding.hide(rows, 0.3, 1.0)
    chosen = torch.zeros_like(rows, dtype=torch.bool).scatter(1, places, value=True)
    word = hiding.begins[rows].cumsum(1)
    cut = 0
    for row in range(100):
        for number in set(word[row].tolist()):
            part = chosen[row][word[row] == number]
            cut += int(part.any() and not part.all())
    # The number of places is the same in all rows, so one word of a row may be hidden in part.
    assert cut <= 100


def test_it_learns_and_resumes(numbered: dict[str, Streams], tmp_path: Path) -> None:
    hiding = Hiding.of(small_annotator.vocabulary(), "cpu")
    training = Pretraining(small_annotator.size(32), SCHEDULE, "cpu")
    before = watched(training.model, numbered["watch"], hiding, SCHEDULE)
    kept = tmp_path / state.STATE
    half = Pretraining(small_annotator.size(32), Schedule(**{**vars(SCHEDULE), "steps": 30}), "cpu")
    pretrain(half, numbered["train"], hiding, kept)
    assert half.steps == 30
    training.resume(kept)
    assert (training.steps, training.done) == (30, 0.5)
    torch.testing.assert_close(training.model.state_dict(), half.model.state_dict())
    pretrain(training, numbered["train"], hiding, kept)
    assert (training.steps, training.done) == (60, 1.0)
    after = watched(training.model, numbered["watch"], hiding, SCHEDULE)
    assert set(after) == set(numbered["watch"].names)
    assert all(after[name] < before[name] - 0.3 for name in after)
    assert watched(training.model, numbered["watch"], hiding, SCHEDULE) == after


def test_special_tokens_do_not_count(numbered: dict[str, Streams]) -> None:
    model = small_annotator.untaught().encoder.eval()
    hiding = Hiding.of(small_annotator.vocabulary(), "cpu")
    learned = numbered["train"]
    rows = learned.rows(learned.shares(SCHEDULE), 4, 12, 0.0)
    ordinary, special = torch.tensor([[3]] * 4), torch.tensor([[3, 0]] * 4)
    assert hiding.ordinary[rows.gather(1, ordinary)].all()
    with torch.no_grad():
        alone, both = (loss_of(model, rows, places, rows, hiding.ordinary) for places in (ordinary, special))
    torch.testing.assert_close(alone, both)


def test_the_names_of_the_parts() -> None:
    assert set(small_treebanks.passages()) == {passages.TRAIN, passages.WATCH}
