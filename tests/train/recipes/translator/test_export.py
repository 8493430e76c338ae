"""The exported file: what it says of itself, and that both engines read it."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
ctranslate2 = pytest.importorskip("ctranslate2")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentencepiece")

from referee.errors import InputError, MissingError  # noqa: E402
from referee.pocket.ct2_form import write_ct2  # noqa: E402
from referee.pocket.forms import vocabulary  # noqa: E402
from referee.pocket.marian_form import write_marian  # noqa: E402
from referee.pocket.store import TRANSLATOR  # noqa: E402
from referee.train.recipes.translator import export, heldout  # noqa: E402
from referee.train.recipes.translator.vocabulary import learn  # noqa: E402
from tests.support import tiny_translator as tiny  # noqa: E402
from tests.support.small_translator import VOCABULARY, Trained  # noqa: E402

SENTENCE = "The dog is old. It is red."


def test_what_the_file_says_of_itself(trained: Trained) -> None:
    about = trained.translator.about
    assert about["languages"] == list(tiny.LANGUAGES)
    assert about["size"]["vocabulary"] == VOCABULARY
    assert about["stages"][0]["schedule"]["seed"] == 1
    assert sum(about["data"]["examples"].values()) > 500
    held_out = sum(about["data"]["held out lines"].values())
    assert held_out == len(heldout.read_test(trained.prepared)) > 0
    assert set(about["data"]["licences"]) == set(about["data"]["lines"])


def test_the_same_commands_give_the_same_bytes(trained: Trained, tmp_path: Path) -> None:
    assert export.export(trained.weights, trained.prepared, tmp_path) == trained.translator.sha256
    assert (tmp_path / TRANSLATOR.file).read_bytes() == (trained.out / TRANSLATOR.file).read_bytes()


def test_it_writes_the_language_that_it_is_told(trained: Trained, tmp_path: Path) -> None:
    pieces = vocabulary(trained.translator)
    write_ct2(trained.translator, pieces.names(), tmp_path)
    engine = ctranslate2.Translator(str(tmp_path), compute_type="int8", intra_threads=1)
    for language, word in (("de", "Der "), ("ru", "Этот "), ("pl", "Ten ")):
        source = [f">>{language}<<", *pieces.processor().encode(SENTENCE, out_type=str), "</s>"]
        (result,) = engine.translate_batch([source], beam_size=1, max_decoding_length=32)
        assert pieces.processor().decode_pieces(result.hypotheses[0]).startswith(word)


def test_both_engines_give_the_same_log_probabilities(trained: Trained, tmp_path: Path) -> None:
    pieces = vocabulary(trained.translator)
    write_ct2(trained.translator, pieces.names(), tmp_path / "ct2")
    write_marian(trained.translator, pieces, tmp_path / "marian")
    engine = ctranslate2.Translator(str(tmp_path / "ct2"), compute_type="float32", intra_threads=1)
    marian = transformers.MarianMTModel.from_pretrained(tmp_path / "marian").eval()
    tokenizer = transformers.MarianTokenizer.from_pretrained(tmp_path / "marian")
    names = pieces.names()
    targets = {"de": "Der Hund ist alt. Es ist rot.", "ru": "Этот дом есть новый.", "pl": "On jest mały."}
    for language, target in targets.items():
        tokens = pieces.processor().encode(target, out_type=str)
        source = tokenizer(f">>{language}<< {SENTENCE}", return_tensors="pt")
        assert [names[number] for number in source.input_ids[0]] == [
            f">>{language}<<",
            *pieces.processor().encode(SENTENCE, out_type=str),
            "</s>",
        ]
        (scored,) = engine.score_batch([[names[number] for number in source.input_ids[0]]], [tokens])
        labels = torch.tensor([[*(names.index(token) for token in tokens), 0]])
        inputs = torch.nn.functional.pad(labels[:, :-1], (1, 0), value=len(names) - 1)
        with torch.no_grad():
            logits = marian(**source, decoder_input_ids=inputs).logits
        theirs = logits.log_softmax(-1).gather(2, labels[:, :, None])[0, :, 0]
        torch.testing.assert_close(torch.tensor(scored.log_probs), theirs, rtol=0, atol=1e-3)


def test_weights_of_another_vocabulary_are_refused(trained: Trained, tmp_path: Path) -> None:
    settings = (trained.prepared / "settings.json").read_bytes()
    (tmp_path / "settings.json").write_bytes(settings)
    pieces = learn([f"The {word} is here." for word in ("dog", "cat", "house")], 22, ("de",))
    (tmp_path / "vocabulary.spm").write_bytes(pieces.model)
    with pytest.raises(InputError, match=f"expected {VOCABULARY} tokens, as the weights have"):
        export.export(trained.weights, tmp_path, tmp_path / "out")
    with pytest.raises(MissingError, match=r"weights\.json: does not exist"):
        export.export(tmp_path, trained.prepared, tmp_path / "out")
