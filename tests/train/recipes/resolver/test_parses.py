from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.train.recipes.resolver import gum
from referee.train.recipes.resolver.parses import parsed
from tests.support import tiny_annotator


def test_documents_are_parsed_anew(gum_folder: Path, tmp_path: Path) -> None:
    annotator = tiny_annotator.annotator(tmp_path)
    documents = [gold.document for gold in gum.measured(gum_folder, "dev")]
    parses = parsed(tmp_path / "encoder.npz", tmp_path / "heads.npz")(documents)
    assert [parse.text for parse in parses] == [document.text for document in documents]
    assert all(parse.annotator.startswith(f"{annotator.name} {annotator.version}") for parse in parses)


def test_encoder_and_heads_belong_together(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="belong together"):
        parsed(tmp_path / "encoder.npz", None)
