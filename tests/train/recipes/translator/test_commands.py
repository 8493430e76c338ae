"""The documented commands one after the other, on invented films: prepare, learn, export, load with both engines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
ctranslate2 = pytest.importorskip("ctranslate2")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentencepiece")

from referee.errors import InputError, MissingError  # noqa: E402
from referee.pocket import store  # noqa: E402
from referee.pocket.ct2_form import write_ct2  # noqa: E402
from referee.pocket.forms import vocabulary  # noqa: E402
from referee.pocket.marian_form import write_marian  # noqa: E402
from referee.pocket.store import Translator  # noqa: E402
from referee.train.recipes.translator import export, heldout, loop, prepare, weights  # noqa: E402
from referee.train.recipes.translator.command import run  # noqa: E402
from referee.train.recipes.translator.loop import Schedule  # noqa: E402
from referee.train.recipes.translator.network import Size  # noqa: E402
from referee.train.recipes.translator.vocabulary import learn  # noqa: E402
from tests.support import tiny_translator as tiny  # noqa: E402

VOCABULARY = 180
STEPS = 250
SENTENCE = "The dog is old. It is red."


@dataclass(frozen=True)
class Made:
    """What the commands left behind."""

    prepared: Path
    weights: Path
    out: Path
    translator: Translator


def called(main: Callable[[], None], *arguments: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["command", *map(str, arguments)])
        main()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("pocket")
    data = tiny.write(folder / "data")
    prepared, learnt, out = folder / "prepared", folder / "weights", folder / "out"
    called(prepare.main, data, prepared, "--vocabulary", VOCABULARY)
    # So little time is too little for a network of the size that is shipped.
    size = Size(VOCABULARY, width=48, inner=96, heads=4, encoder_layers=2, decoder_layers=1, positions=64)
    schedule = Schedule(0, tokens=1_500, peak=3e-3, warm_up=30, averaging=0.95, steps=STEPS)
    loop.train(prepared, learnt, size, schedule, "cpu")
    called(export.main, learnt, prepared, out)
    checksum = (out / store.CHECKSUM).read_text().split()[0]
    return Made(prepared, learnt, out, store.read(out / store.FILE, checksum))


def test_the_loss_falls(made: Made) -> None:
    size, stages, _ = weights.read(made.weights)
    assert stages[-1]["steps"] == STEPS
    unlearnt = loop.Training(size, Schedule(1, steps=1), size.vocabulary - 1, "cpu")
    films = loop.buckets(loop.read_examples(made.prepared / "examples.npz", "train"), unlearnt.pad, 0, "cpu")
    at_first = loop.watched(unlearnt, films)
    learnt = loop.Training(size, Schedule(1, steps=1), size.vocabulary - 1, "cpu")
    learnt.begin_with(made.out / store.FILE)
    # In eight bits, too.
    assert loop.watched(learnt, films) < at_first / 5


def test_what_the_file_says_of_itself(made: Made) -> None:
    about = made.translator.about
    assert about["languages"] == list(tiny.LANGUAGES)
    assert about["size"]["vocabulary"] == VOCABULARY
    assert about["stages"][0]["schedule"]["seed"] == 1
    assert sum(about["data"]["examples"].values()) > 500
    held_out = sum(about["data"]["held out lines"].values())
    assert held_out == len(heldout.read_test(made.prepared)) > 0
    assert set(about["data"]["licences"]) == set(about["data"]["lines"])


def test_the_same_commands_give_the_same_bytes(made: Made, tmp_path: Path) -> None:
    assert export.export(made.weights, made.prepared, tmp_path) == made.translator.sha256
    assert (tmp_path / store.FILE).read_bytes() == (made.out / store.FILE).read_bytes()


def test_it_writes_the_language_that_it_is_told(made: Made, tmp_path: Path) -> None:
    pieces = vocabulary(made.translator)
    write_ct2(made.translator, pieces.names(), tmp_path)
    engine = ctranslate2.Translator(str(tmp_path), compute_type="int8", intra_threads=1)
    for language, word in (("de", "Der "), ("ru", "Этот "), ("pl", "Ten ")):
        source = [f">>{language}<<", *pieces.processor().encode(SENTENCE, out_type=str), "</s>"]
        (result,) = engine.translate_batch([source], beam_size=1, max_decoding_length=32)
        assert pieces.processor().decode_pieces(result.hypotheses[0]).startswith(word)


def test_both_engines_give_the_same_log_probabilities(made: Made, tmp_path: Path) -> None:
    pieces = vocabulary(made.translator)
    write_ct2(made.translator, pieces.names(), tmp_path / "ct2")
    write_marian(made.translator, pieces, tmp_path / "marian")
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


def test_weights_of_another_vocabulary_are_refused(made: Made, tmp_path: Path) -> None:
    settings = (made.prepared / "settings.json").read_bytes()
    (tmp_path / "settings.json").write_bytes(settings)
    pieces = learn([f"The {word} is here." for word in ("dog", "cat", "house")], 22, ("de",))
    (tmp_path / "vocabulary.spm").write_bytes(pieces.model)
    with pytest.raises(InputError, match=f"but the weights are for {VOCABULARY}"):
        export.export(made.weights, tmp_path, tmp_path / "out")
    with pytest.raises(MissingError, match=r"weights\.json: does not exist"):
        export.export(tmp_path, made.prepared, tmp_path / "out")


def test_learning_goes_on_from_a_file(made: Made, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "referee")
    for name in ("examples.npz", "settings.json"):
        (tmp_path / name).write_bytes((made.prepared / name).read_bytes())
    settings = json.loads((tmp_path / "settings.json").read_text())
    (tmp_path / "settings.json").write_text(json.dumps(settings | {"size": made.translator.about["size"]}))
    options = ("--steps", 2, "--tokens", 500, "--device", "cpu", "--start", made.out / store.FILE)
    called(loop.main, tmp_path, "--out", tmp_path / "more", *options)
    assert "2 steps in" in caplog.messages[-1]
    _, stages, _ = weights.read(tmp_path / "more")
    assert [stage["steps"] for stage in stages] == [STEPS, 2]


def test_an_error_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        called(lambda: run(prepare.main), tmp_path, tmp_path / "out")
    assert ending.value.code == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.endswith("inputs: does not exist; name the folder that holds ctxpro/ and parallel/.\n")
