"""The form of CTranslate2 holds the stored numbers, and computes with them what transformers computes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from referee.pocket import store
from referee.pocket.ct2_form import sinusoids, write_ct2
from referee.pocket.store import Translator

ctranslate2 = pytest.importorskip("ctranslate2")

WORDS = [f"word{number}" for number in range(20)]
NAMES = ["</s>", "<unk>", *WORDS, ">>de<<", ">>fr<<", "<pad>"]
SIZE = {
    "vocabulary": len(NAMES),
    "width": 16,
    "inner": 24,
    "heads": 2,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "positions": 32,
    "dropout": 0.1,
}
SOURCE = [">>fr<<", "word3", "word1", "word4", "</s>"]
TARGET = ["word1", "word5", "word9"]


def weights() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(1)
    width, inner = 16, 24

    def numbers(*shape: int) -> np.ndarray:
        return chance.normal(scale=0.4, size=shape).astype(np.float32)

    found = {"shared.weight": numbers(len(NAMES) - 1, width)}
    for side, attentions in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "encoder_attn"])):
        for layer in range(2):
            prefix = f"{side}.layers.{layer}"
            for attention in attentions:
                for part in ("q", "k", "v", "out"):
                    name = f"{prefix}.{attention}.{part}_proj"
                    found[f"{name}.weight"], found[f"{name}.bias"] = numbers(width, width), numbers(width)
            found[f"{prefix}.fc1.weight"], found[f"{prefix}.fc1.bias"] = numbers(inner, width), numbers(inner)
            found[f"{prefix}.fc2.weight"], found[f"{prefix}.fc2.bias"] = numbers(width, inner), numbers(width)
            for norm in (*(f"{attention}_layer_norm" for attention in attentions), "final_layer_norm"):
                found[f"{prefix}.{norm}.weight"] = 1 + numbers(width)
                found[f"{prefix}.{norm}.bias"] = numbers(width)
    return found


@pytest.fixture
def translator(tmp_path: Path) -> Translator:
    store.write(tmp_path / store.FILE, {"size": SIZE, "languages": ["de", "fr"]}, b"", weights())
    return store.read(tmp_path / store.FILE)


def scores(folder: Path, compute_type: str) -> np.ndarray:
    engine = ctranslate2.Translator(str(folder), compute_type=compute_type, intra_threads=1)
    (result,) = engine.score_batch([SOURCE], [TARGET])
    return np.array(result.log_probs)


def test_the_stored_numbers_are_what_is_in_it(translator: Translator, tmp_path: Path) -> None:
    """Nothing is lost by storing eight bits a second time: the bytes of the rows are in the file as they were."""
    write_ct2(translator, NAMES, tmp_path / "ct2")
    content = (tmp_path / "ct2/model.bin").read_bytes()
    with np.load(tmp_path / store.FILE) as stored:
        for name in ("shared.weight", "encoder.layers.1.fc2.weight", "decoder.layers.0.encoder_attn.v_proj.weight"):
            assert stored[name].tobytes() in content
    assert not any(path.suffix == ".npz" for path in (tmp_path / "ct2").iterdir())


def test_tokens_are_named_in_their_order(translator: Translator, tmp_path: Path) -> None:
    write_ct2(translator, NAMES, tmp_path)
    assert json.loads((tmp_path / "shared_vocabulary.json").read_text()) == NAMES
    config = json.loads((tmp_path / "config.json").read_text())
    assert (config["eos_token"], config["unk_token"], config["decoder_start_token"]) == ("</s>", "<unk>", "<pad>")


def test_the_same_numbers_are_the_same_bytes(translator: Translator, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_ct2(translator, NAMES, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_eight_bits_are_close_to_floats(translator: Translator, tmp_path: Path) -> None:
    write_ct2(translator, NAMES, tmp_path)
    found = scores(tmp_path, "int8")
    assert len(found) == len(TARGET) + 1
    np.testing.assert_allclose(found, scores(tmp_path, "float32"), atol=0.3)


def test_log_probabilities_are_those_of_transformers(translator: Translator, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from referee.pocket.marian_form import write_marian

    class NoFiles:
        """The tokenizer is of no interest here."""

        def save(self, folder: Path) -> None: ...

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


def test_positions() -> None:
    table = sinusoids(3, 4)
    by_hand = [[0, 0, 1, 1], [np.sin(1), np.sin(0.01), np.cos(1), np.cos(0.01)]]
    np.testing.assert_allclose(table[:2], by_hand, atol=1e-7)
    assert table.dtype == np.float32
