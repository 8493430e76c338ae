"""What a training starts from and leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.errors import MissingError  # noqa: E402
from referee.train.recipes import weights  # noqa: E402
from referee.train.recipes.encoder import teach  # noqa: E402
from referee.train.recipes.encoder.inventory import INVENTORY, Inventory  # noqa: E402
from referee.train.recipes.encoder.passages import LANGUAGES  # noqa: E402
from referee.train.recipes.encoder.vocabulary import PIECES  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402
from tests.support.small_annotator import Taught  # noqa: E402
from tests.support.small_translator import called  # noqa: E402


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    folder = tmp_path / "prepared"
    folder.mkdir()
    small_treebanks.inventory().save(folder / INVENTORY)
    (folder / PIECES).write_bytes(small_treebanks.pieces_model())
    for name in ("train", "measured"):
        small_treebanks.examples().save(folder / f"{name}.npz")
    return folder


@pytest.fixture
def pretrained(tmp_path: Path) -> Path:
    model = small_annotator.untaught()
    stage = {"steps": 5, "loss": 2}
    weights.save(tmp_path / "mlm", vars(small_annotator.size()), [stage], dict(model.encoder.named_parameters()))
    return tmp_path / "mlm"


def test_a_training_starts_from_the_masked_language_model(pretrained: Path, prepared: Path) -> None:
    begun = teach.started(pretrained, prepared, "cpu")
    expected = small_annotator.untaught().encoder.state_dict()
    for name, weight in begun.model.encoder.state_dict().items():
        torch.testing.assert_close(weight, expected[name].bfloat16().float())
    assert begun.inventory == small_treebanks.inventory()
    assert teach.tokens_of(begun.pieces) == small_annotator.tokens()
    assert begun.stages == [{"steps": 5, "loss": 2}]


def test_what_is_saved_is_loaded(pretrained: Path, prepared: Path, tmp_path: Path) -> None:
    begun = teach.started(pretrained, prepared, "cpu")
    teach.save(begun, tmp_path / "out", {"steps": 7})
    other = small_annotator.untaught(seed=5)
    teach.load(other, tmp_path / "out")
    for name, weight in other.named_parameters():
        torch.testing.assert_close(weight, begun.model.get_parameter(name), atol=1e-2, rtol=1e-2)
    assert weights.read(tmp_path / "out/encoder")[1] == [{"steps": 5, "loss": 2}, {"steps": 7}]
    assert (tmp_path / "out/encoder" / PIECES).read_bytes() == small_treebanks.pieces_model()
    assert Inventory.read(tmp_path / "out/heads" / INVENTORY) == small_treebanks.inventory()


def test_the_measured_files_are_measured(taught: Taught, prepared: Path) -> None:
    table = teach.measured([taught.model], prepared, small_annotator.vocabulary())
    assert set(table) == set(LANGUAGES)
    assert all(row["upos"] >= 95 for row in table.values())
    untaught = teach.measured([small_annotator.untaught().eval()], prepared, small_annotator.vocabulary())
    assert all(row["LAS"] < 70 for row in untaught.values())


def test_the_command_trains_and_resumes(pretrained: Path, prepared: Path, tmp_path: Path) -> None:
    arguments = (pretrained, prepared, tmp_path / "out", "--rows", 1, "--device", "cpu", "--state", tmp_path / "state")
    called(teach.main, *arguments, "--steps", 2)
    called(teach.main, *arguments, "--steps", 3)
    stages = weights.read(tmp_path / "out/heads")[1]
    assert [stage["steps"] for stage in stages] == [5, 3]
    assert stages[1]["fit"]["steps"] == 3


def test_pieces_that_are_missing_are_named(pretrained: Path, prepared: Path) -> None:
    (prepared / PIECES).unlink()
    with pytest.raises(MissingError, match=r"pieces\.model: does not exist"):
        teach.started(pretrained, prepared, "cpu")
