"""AFLite: a planted artifact goes, a clean set stays, and what was killed ends the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.build import aflite as filtering
from referee.build.aflite import Filtered, aflite, check, filter_aflite, settings_for, vectors
from referee.build.linear import Matrix
from referee.errors import InputError, UsageError
from referee.items import Candidate, Item
from referee.models import open_model
from referee.protocols import Identity
from referee.sets import load
from tests.support.artifacts import SIGNS, planted, schemas, wordy_model
from tests.support.items import item


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wordy_model(tmp_path_factory.mktemp("aflite") / "xlmr")


def embedded(items: Sequence[Item], model: Path, work: Path) -> Matrix:
    from referee.models.hf.masked import open_masked
    from referee.models.spec import parse

    masked = open_masked(parse(f"mlm:{model}"))
    return vectors(items, masked.embed, work)


def test_a_planted_artifact_goes_and_the_rest_stays(model: Path, tmp_path: Path) -> None:
    items = schemas(800, planted=0.3)
    features = embedded(items, model, tmp_path)
    found = aflite(features, items, settings_for(len(items)), tmp_path)
    kept = [items[place] for place in found.kept]
    assert planted(items) > 200
    assert planted(kept) < 0.15 * planted(items)
    clean, left = len(items) - planted(items), len(kept) - planted(kept)
    assert left > 0.93 * clean
    # What a linear model could do before, it no longer can.
    assert found.rounds[0].accuracy > 0.62
    assert found.accuracy < 0.52


def test_a_clean_set_stays_nearly_whole(model: Path, tmp_path: Path) -> None:
    items = schemas(800, planted=0)
    found = aflite(embedded(items, model, tmp_path), items, settings_for(len(items)), tmp_path)
    assert len(found.kept) > 0.95 * len(items)


FEW = 200


def synthetic(seed: int = 0) -> tuple[Matrix, list[Item]]:
    """Vectors of which the first column is the answer in the first half of the items."""
    draws = np.random.default_rng(seed)
    labels = draws.integers(0, 2, FEW)
    features = draws.normal(size=(FEW, 12)).astype(np.float32)
    features[: FEW // 2, 0] = 4 * labels[: FEW // 2] - 2
    items = [
        item(id=str(number), gold=int(label), candidates=(Candidate("x"), Candidate("y")))
        for number, label in enumerate(labels)
    ]
    return features, items


def filtered(work: Path, **changes: Any) -> Filtered:
    work.mkdir(exist_ok=True)
    features, items = synthetic()
    return aflite(features, items, settings_for(FEW, **({"classifiers": 16, "train": 40, "cut": 10} | changes)), work)


def test_the_seed_decides(tmp_path: Path) -> None:
    one, again, other = (filtered(tmp_path / str(n), seed=seed) for n, seed in enumerate((1, 1, 2)))
    assert one == again
    assert one.kept != other.kept
    assert sum(place < FEW // 2 for place in one.kept) < sum(place >= FEW // 2 for place in one.kept)


def test_what_was_killed_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = filtered(tmp_path / "whole")
    assert len(whole.rounds) > 3

    def dying(*arguments: Any) -> Any:
        if arguments[5] == 2 and not lived:
            raise KeyboardInterrupt
        asked.append(arguments[5])
        return scores(*arguments)

    scores, lived, asked = filtering._scores, list[int](), list[int]()
    monkeypatch.setattr(filtering, "_scores", dying)
    with pytest.raises(KeyboardInterrupt):
        filtered(tmp_path / "killed")
    lived.append(1)
    assert filtered(tmp_path / "killed") == whole
    # Finished rounds were not done again.
    assert asked.count(0) == asked.count(1) == asked.count(2) == 1


def test_other_settings_do_not_take_over_old_rounds(tmp_path: Path) -> None:
    strict = filtered(tmp_path, tau=0.9)
    assert filtered(tmp_path, tau=0.6) == filtered(tmp_path / "new", tau=0.6) != strict


def test_vectors_are_kept_and_damaged_ones_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "CHUNK", 8)
    items = schemas(20, planted=0)
    calls: list[int] = []

    def embed(texts: Sequence[str]) -> Matrix:
        calls.append(len(texts))
        return np.asarray([[len(text), text.count("a")] for text in texts], np.float32)

    first = vectors(items, embed, tmp_path)
    assert first.shape == (20, 4)
    assert calls == [16, 16, 8]
    (tmp_path / "vectors-00001").write_bytes(b"torn")
    assert np.array_equal(vectors(items, embed, tmp_path), first)
    assert calls == [16, 16, 8, 16]


def test_it_never_goes_below_what_is_to_be_kept(tmp_path: Path) -> None:
    assert len(filtered(tmp_path, keep=185).kept) == 185


def test_twins_are_learned_from_together() -> None:
    groups = np.repeat(np.arange(50), 2)
    for seed in range(20):
        seen = filtering._part(groups, 21, np.random.default_rng(seed))
        assert seen.sum() == 22
        assert (seen[::2] == seen[1::2]).all()


def test_items_must_be_alike_and_have_an_answer() -> None:
    with pytest.raises(InputError, match="'a' has no gold"):
        check([item(gold=None)])
    with pytest.raises(InputError, match="the items have 2 and 3 candidates"):
        check([item(), item(id="b", candidates=(Candidate("x"), Candidate("y")))])


def test_settings_must_make_sense() -> None:
    with pytest.raises(UsageError, match="leave none to predict"):
        settings_for(50, train=50)
    with pytest.raises(UsageError, match="--tau: 75 is not a share"):
        settings_for(50, tau=75)


class Planted:
    """A model whose vectors tell the answer of some items, and nothing of others."""

    def __init__(self) -> None:
        self.calls = 0

    def identity(self) -> Identity:
        return Identity("planted")

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.calls += 1
        return np.asarray([[SIGNS[0] in text, SIGNS[1] in text, len(text)] for text in texts], np.float32)


def test_one_call_filters_items_in_memory() -> None:
    items = schemas(200, planted=0.3)
    result = filter_aflite(items, Planted(), classifiers=16)
    assert planted(list(result)) < 0.2 * planted(items)
    assert [item for item in items if item in result.kept] == list(result)
    assert result.items == 200 == len(result.kept) + sum(len(done.removed) for done in result.rounds)
    assert (result.groups, result.fingerprint) == (100, None)
    left = Counter(item.group for item in result)
    assert (result.groups_left, result.groups_torn) == (len(left), sum(count < 2 for count in left.values()))
    with pytest.raises(UsageError, match="does not embed texts"):
        filter_aflite(items, open_model(lambda texts: texts))


def test_a_work_folder_is_kept_if_it_was_asked_for(tmp_path: Path) -> None:
    items, model = schemas(60, planted=0.3), Planted()
    out, work = tmp_path / "left.jsonl", tmp_path / "work"
    first = filter_aflite(items, model, classifiers=4, out=out)
    assert [path.name for path in tmp_path.iterdir()] == ["left.jsonl"]
    assert list(load(out)) == list(first)
    assert first.fingerprint == load(out).fingerprint()
    for _ in range(2):
        assert filter_aflite(items, model, classifiers=4, work=work).kept == first.kept
    assert model.calls == 2
