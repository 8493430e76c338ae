"""The exported heads: what the annotator reads of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.annotate.pocket.heads import read_heads  # noqa: E402
from referee.errors import InputError  # noqa: E402
from referee.pocket import store  # noqa: E402
from referee.train.recipes import weights  # noqa: E402
from referee.train.recipes.encoder import export_heads  # noqa: E402
from referee.train.recipes.encoder.inventory import INVENTORY  # noqa: E402
from referee.train.recipes.encoder.passages import LANGUAGES  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402
from tests.support.small_translator import called  # noqa: E402


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """Heads, treebanks, and the list that names an encoder."""
    model = small_annotator.untaught()
    weights.save(tmp_path / "heads", {"width": 16}, [{"steps": 3}], model.heads.stored())
    small_treebanks.inventory().save(tmp_path / "heads" / INVENTORY)
    (tmp_path / "prepared").mkdir()
    small_treebanks.examples().save(tmp_path / "prepared/train.npz")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/sha256").write_text(f"{'a' * 64}  encoder.npz\n")
    return tmp_path


def test_the_annotator_reads_what_is_exported(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called(export_heads.main, trained / "heads", trained / "prepared", trained / "out")
    checksum = capsys.readouterr().out.strip()
    assert store.checksums(trained / "out") == {"encoder.npz": "a" * 64, "heads.npz": checksum}
    heads = read_heads(store.read(trained / "out/heads.npz", store.HEADS, checksum))
    inventory = small_treebanks.inventory()
    about = heads.about
    assert about.encoder == "a" * 64
    assert about.languages == LANGUAGES
    assert (about.upos, about.deprels) == (inventory.upos, inventory.deprels)
    assert dict(about.features) == inventory.features
    assert (about.lemma_scripts, about.split_scripts) == (inventory.lemmas, inventory.splits)
    expected = weights.read(trained / "heads")[2]
    whole, scale = heads.matrices["arc.weight"]
    np.testing.assert_allclose(whole * scale[:, None], expected["arc.weight"].numpy(), atol=1e-3)


def test_each_language_has_its_own_classes(trained: Path) -> None:
    export_heads.export_heads(trained / "heads", trained / "prepared", trained / "out")
    about = read_heads(store.read(trained / "out/heads.npz", store.HEADS)).about
    inventory = small_treebanks.inventory()
    tags = {code: {inventory.upos[number] for number in numbers} for code, numbers in about.tags.items()}
    assert tags["de"] == {"DET", "NOUN", "VERB", "ADP", "PUNCT"}
    assert tags["en"] == {*tags["de"], "AUX", "PART"}
    splits = {code: {inventory.splits[number].further for number in numbers} for code, numbers in about.splits.items()}
    assert splits["fr"] == {(), ("le",)}
    assert splits["ru"] == {()}
    assert set(about.marked["en"]) == {"Number", "Mood", "Tense", "VerbForm"}
    assert set(about.marked["de"]) == {"Number", "Gender", "Mood", "Tense", "VerbForm"}
    assert about.lemmas.keys() == set(LANGUAGES)
    assert set(about.lemmas["ru"]) != set(about.lemmas["de"])


def test_features_of_other_styles_are_not_marked() -> None:
    examples = small_treebanks.examples()
    other = np.repeat(examples.treebank, np.diff(examples.first_word)) == 1
    feats = examples.feats.copy()
    feats[other, 0] = 1
    changed = type(examples)(**{**vars(examples), "feats": feats})
    marked = export_heads.about(small_treebanks.inventory(), changed, "")["marked"]
    assert not any("Abbr" in names for names in marked.values())


def test_an_encoder_that_is_not_exported_yet_is_named(trained: Path) -> None:
    (trained / "out/sha256").unlink()
    with pytest.raises(InputError, match=r"sha256: does not list encoder\.npz"):
        export_heads.export_heads(trained / "heads", trained / "prepared", trained / "out")
