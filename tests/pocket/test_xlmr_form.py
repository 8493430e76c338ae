"""The form of transformers: the numbers of CTranslate2, and the pieces of the annotators."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pytest
from scipy.special import erf, log_softmax

pytest.importorskip("ctranslate2")
pytest.importorskip("sentencepiece")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.annotate.pocket.atoms import ATOM, atoms  # noqa: E402
from referee.pocket import forms  # noqa: E402
from referee.pocket.encoder import open_encoder  # noqa: E402
from referee.pocket.encoder_vocabulary import EncoderVocabulary  # noqa: E402
from referee.pocket.store import ENCODER, PocketModel  # noqa: E402
from tests.support import small_encoder  # noqa: E402

TEXTS = [
    "The old dog isn't red.",
    " It's   the\thouse\n\nthat I saw: 'a dog' ",
    "Häuser\N{NO-BREAK SPACE}schlafen\N{NARROW NO-BREAK SPACE}nicht!",
    "Это дом — собака…",
    "don\N{RIGHT SINGLE QUOTATION MARK}t; rock\N{MODIFIER LETTER APOSTROPHE}n\N{MODIFIER LETTER APOSTROPHE}roll",
    "2026-11-16, 3,5 % of 1000 ²³ ½ ٣",
    "\N{GRINNING FACE}\N{GRINNING FACE} ok\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}",
    "猫と犬 is 猫",
    "a\N{LOWER ONE EIGHTH BLOCK}b \N{LOWER ONE EIGHTH BLOCK} c",
    "x\x00y\x07z\N{ZERO WIDTH SPACE}w\N{SOFT HYPHEN}v\N{LINE SEPARATOR}u",
    "cafe\N{COMBINING ACUTE ACCENT} \N{COMBINING ACUTE ACCENT}",
    "!!!???...---«»„“",
    "one <mask> two <s> three <de> four",
    "",
    " ",
    "\n",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: cache)


@pytest.fixture(scope="module", params=["small", "shipped"])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PocketModel:
    if request.param == "small":
        return small_encoder.stored(tmp_path_factory.mktemp("stored"))
    return forms.shipped(ENCODER)


def tokenizer_of(encoder: PocketModel) -> Any:
    return transformers.AutoTokenizer.from_pretrained(forms.xlmr_folder(encoder, ATOM.pattern))


def pieces(vocabulary: EncoderVocabulary, text: str) -> list[int]:
    return [number for atom in vocabulary.encode(atoms(text)[0]) for number in atom]


def log_probabilities(encoder: PocketModel, states: np.ndarray) -> np.ndarray:
    """The output layer by hand."""
    weights = encoder.weights
    shaped = states @ weights["head.weight"].T + weights["head.bias"]
    shaped = shaped * (1 + erf(shaped / np.sqrt(2))) / 2
    shaped = shaped - shaped.mean(-1, keepdims=True)
    shaped = shaped / np.sqrt((shaped**2).mean(-1, keepdims=True) + 1e-5)
    shaped = shaped * weights["head_norm.weight"] + weights["head_norm.bias"]
    found: np.ndarray = log_softmax(shaped @ weights["words.weight"].T + weights["head_bias"], axis=-1)
    return found


def test_log_probabilities_are_those_of_ctranslate2(encoder: PocketModel) -> None:
    """Every token is predicted from the others, as pseudo-perplexity does."""
    model = transformers.XLMRobertaForMaskedLM.from_pretrained(forms.xlmr_folder(encoder, ATOM.pattern)).eval()
    exact = open_encoder(encoder, "float32")
    vocabulary = exact.vocabulary
    row = [vocabulary.language("en"), *pieces(vocabulary, TEXTS[0]), 2]
    copies = [[*row[:place], vocabulary.mask, *row[place + 1 :]] for place in range(1, len(row) - 1)]
    with torch.inference_mode():
        theirs = model(torch.tensor(copies)).logits.log_softmax(-1).numpy()
    for place, (copy, states) in enumerate(zip(copies, exact.forward(copies), strict=True), 1):
        ours = log_probabilities(encoder, states)
        np.testing.assert_allclose(ours[place, row[place]], theirs[place - 1, place, row[place]], atol=1e-4)
        # A token that nothing speaks for has a log-probability of -50: there, floats are farther apart.
        np.testing.assert_allclose(ours, theirs[place - 1], atol=1e-4, rtol=1e-4)
        assert copy[place] == vocabulary.mask


def test_no_weight_is_left_out(encoder: PocketModel) -> None:
    folder = forms.xlmr_folder(encoder, ATOM.pattern)
    _, report = transformers.XLMRobertaForMaskedLM.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_are_those_of_the_annotators(encoder: PocketModel, text: str) -> None:
    tokenizer = tokenizer_of(encoder)
    found = tokenizer(text, split_special_tokens=True).input_ids
    assert found == [0, *pieces(forms.encoder_vocabulary(encoder), text), 2]


def test_every_character_falls_into_the_same_pieces(encoder: PocketModel) -> None:
    """The two libraries know the same letters, digits and spaces; the newest characters only one of them may know."""
    tokenizer, vocabulary = tokenizer_of(encoder), forms.encoder_vocabulary(encoder)
    known = [chr(number) for number in range(0x3000) if unicodedata.category(chr(number)) != "Cn"]
    texts = [f"a{one}b{one}{one} {one}1" for one in known]
    found = tokenizer(texts, split_special_tokens=True, add_special_tokens=False).input_ids
    differing = [text for text, ids in zip(texts, found, strict=True) if ids != pieces(vocabulary, text)]
    assert differing == []


def test_special_tokens_in_a_text_are_read(encoder: PocketModel) -> None:
    """A mask takes the space before it; what follows gets none."""
    tokenizer = tokenizer_of(encoder)
    names = tokenizer.convert_ids_to_tokens(tokenizer("<de> The <mask>.").input_ids)
    assert "".join(names).replace("\N{LOWER ONE EIGHTH BLOCK}", " ") == "<s><de> The<mask>.</s>"
    assert tokenizer.decode(tokenizer("It's the dog.").input_ids, skip_special_tokens=True) == "It's the dog."
    assert tokenizer.model_max_length == encoder.about["size"]["positions"]


def test_offsets_are_characters_of_the_text(encoder: PocketModel) -> None:
    tokenizer = tokenizer_of(encoder)
    text = "  It's  the\N{NO-BREAK SPACE}dog."
    encoded = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    read = [text[start:end].strip() for start, end in encoded.offset_mapping]
    assert "".join(read) == "It'sthedog."
