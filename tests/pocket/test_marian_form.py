"""The form of transformers computes what CTranslate2 computes with the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.pocket.ct2_form import write_ct2
from referee.pocket.marian_form import write_marian
from tests.support.small_network import NAMES, SOURCE, TARGET, scores, stored

pytest.importorskip("ctranslate2")


def test_log_probabilities_are_those_of_transformers(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")

    class NoFiles:
        """The tokenizer is of no interest here."""

        def save(self, folder: Path) -> None: ...

    translator = stored(tmp_path)
    write_ct2(translator, NAMES, tmp_path / "ct2")
    write_marian(translator, NoFiles(), tmp_path / "marian")  # type: ignore[arg-type]
    marian = transformers.MarianMTModel.from_pretrained(tmp_path / "marian").eval()
    source = torch.tensor([[NAMES.index(token) for token in SOURCE]])
    labels = torch.tensor([[*(NAMES.index(token) for token in TARGET), 0]])
    inputs = torch.nn.functional.pad(labels[:, :-1], (1, 0), value=len(NAMES) - 1)
    with torch.no_grad():
        logits = marian(input_ids=source, decoder_input_ids=inputs).logits
    theirs = logits.log_softmax(-1).gather(2, labels[:, :, None])[0, :, 0].numpy()
    np.testing.assert_allclose(scores(tmp_path / "ct2", "float32"), theirs, atol=1e-4)
