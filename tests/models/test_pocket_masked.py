"""`mlm:pocket`: the numbers of the plain model on rows that begin with the language."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

pytest.importorskip("sentencepiece")
torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import referee  # noqa: E402
from referee.annotate.pocket.atoms import atoms  # noqa: E402
from referee.errors import MissingError, UsageError  # noqa: E402
from referee.items import Candidate, Item  # noqa: E402
from referee.models import open_embedder, open_model  # noqa: E402
from referee.models.pocket_masked import PocketMasked  # noqa: E402
from referee.pocket import forms  # noqa: E402
from referee.pocket.store import ENCODER, Kind, PocketModel  # noqa: E402
from referee.protocols import Blank, InGap, InTranslation, ScorePair, ScoreText  # noqa: E402
from tests.support import small_encoder  # noqa: E402

TEXT = "The old dog isn't red."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> PocketModel:
    return small_encoder.stored(tmp_path_factory.mktemp("stored"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _shipped(encoder: PocketModel, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package has the small encoder."""

    def shipped(kind: Kind) -> PocketModel:
        assert kind == ENCODER
        return encoder

    monkeypatch.setattr(forms, "shipped", shipped)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: cache)


@pytest.fixture
def model() -> PocketMasked:
    opened = open_model("mlm:pocket,device=cpu")
    assert isinstance(opened, PocketMasked)
    return opened


def by_hand(model: PocketMasked, text: str, first: int) -> list[float]:
    """The log-probability of each piece, masked alone in a row that begins with the token `first`."""
    row = [first, *(number for atom in model.vocabulary.encode(atoms(text)[0]) for number in atom), 2]
    found = []
    for place in range(1, len(row) - 1):
        masked = [*row[:place], model.vocabulary.mask, *row[place + 1 :]]
        with torch.inference_mode():
            logits = model.loaded.model(torch.tensor([masked])).logits[0, place]
        found.append(float(logits.log_softmax(-1)[row[place]]))
    return found


def test_rows_begin_with_the_language_of_the_text(model: PocketMasked) -> None:
    texts = [ScoreText(TEXT, lang="de"), ScoreText(TEXT), ScoreText(TEXT, lang="en-GB"), ScoreText(TEXT, lang="de")]
    answers = dict(model.score_texts(texts))
    firsts = [model.vocabulary.language("de"), 0, model.vocabulary.language("en"), model.vocabulary.language("de")]
    for number, first in enumerate(firsts):
        assert list(answers[number].logprobs) == pytest.approx(by_hand(model, TEXT, first), abs=1e-4)
    assert answers[0].logprobs != pytest.approx(answers[1].logprobs, abs=1e-3)


def test_tokens_in_a_text_are_characters(model: PocketMasked) -> None:
    text = "The <mask> dog </s> <de>."
    ((_, answer),) = model.score_texts([ScoreText(text, lang="en")])
    assert list(answer.logprobs) == pytest.approx(by_hand(model, text, model.vocabulary.language("en")), abs=1e-4)


def test_blanks_are_filled_in_each_language(model: PocketMasked) -> None:
    blanks = [Blank(f"{start} dog_ red", ("'", "."), lang=lang) for start, lang in (("The", "en"), ("Der", "de"))]
    answers = dict(model.fill_blanks(blanks))
    encode = model.vocabulary.encode
    for number, (start, language) in enumerate((("The", "en"), ("Der", "de"))):
        before = [piece for atom in encode([f" {start}", " dog"]) for piece in atom]
        row = [model.vocabulary.language(language), *before, model.vocabulary.mask, *encode([" red"])[0], 2]
        with torch.inference_mode():
            logits = model.loaded.model(torch.tensor([row])).logits[0, len(before) + 1].log_softmax(-1)
        expected = [float(logits[encode([sign])[0][0]]) for sign in "'."]
        assert expected[0] != expected[1]
        assert answers[number].refused == ""
        assert list(answers[number].logprobs) == pytest.approx(expected, abs=1e-4)


def test_another_language_is_refused(model: PocketMasked) -> None:
    with pytest.raises(UsageError, match=r"does not know the language 'zh'\. Choose items in en, de, ru"):
        model.score_texts([ScoreText(TEXT, lang="en"), ScoreText("猫", lang="zh-Hant")])


def test_words_in_gaps_are_explained_in_their_language(model: PocketMasked) -> None:
    gaps = [InGap("The dog is _.", "red", ((0, 3), (4, 7)), lang=lang) for lang in ("en", "de", "en")]
    answers = dict(model.explain(gaps))
    assert sorted(answers) == [0, 1, 2]
    assert answers[0].probability == pytest.approx(answers[2].probability, rel=1e-4)
    assert list(answers[0].values) == pytest.approx(list(answers[2].values), abs=1e-4)
    assert answers[1].probability != pytest.approx(answers[0].probability, rel=1e-3)
    pair = InTranslation(ScorePair("a", "b", "en", "de"), 0, 1, ((0, 1),))
    assert dict(model.explain([pair]))[0].refused


def test_vectors_of_texts() -> None:
    vectors = open_embedder("mlm:pocket,device=cpu").embed([TEXT, "Это дом."])
    assert vectors.shape == (2, 16)


def test_identity_depends_on_weights_and_options(model: PocketMasked) -> None:
    again = open_model("mlm:pocket,device=cpu")
    assert again.identity() == model.identity()
    other = open_model("mlm:pocket,device=cpu,within_word=mask")
    assert other.identity() != model.identity()
    assert model.identity().sha256 != model.loaded.sha256


@pytest.mark.parametrize("option", ["allow_pickle=yes", "beam=2", "within_word=none", "tokens=0"])
def test_wrong_options_are_refused(option: str) -> None:
    with pytest.raises(UsageError):
        open_model(f"mlm:pocket,{option}")


def test_a_missing_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(kind: Kind) -> PocketModel:
        raise MissingError(f"the bundled {kind.file} is missing", "install referee again", kind.file)

    monkeypatch.setattr(forms, "shipped", missing)
    with pytest.raises(MissingError, match=r"the bundled encoder\.npz is missing"):
        open_model("mlm:pocket")


def test_items_are_evaluated_in_their_language(model: PocketMasked) -> None:
    items = [
        Item(
            id=f"{language}-{number}",
            task="fill",
            source=text,
            source_lang=language,
            target_lang=language,
            candidates=(Candidate("dog"), Candidate("house")),
            gold=0,
        )
        for number in range(3)
        for language, text in (("en", f"The _ sleeps {number}."), ("de", f"Der _ schläft {number}."))
    ]
    run = referee.evaluate(model, items)
    (judged,) = run.sets
    for item, verdict in zip(judged.items, judged.verdicts, strict=True):
        first = model.vocabulary.language(item.source_lang)
        expected = [
            sum(values) / len(values)
            for values in (by_hand(model, item.filled(candidate), first) for candidate in item.candidates)
        ]
        assert list(verdict.scores or ()) == pytest.approx(expected, abs=1e-4)
