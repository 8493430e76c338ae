"""Where tokens stand in their text, for every family of tokenizers, and that they are the tokens which are scored."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from referee.errors import MissingError
from referee.models.spec import parse
from tests.models.hf.test_tokens import _tokenizer as tokenizer_
from tests.support import tiny_models as tiny
from tests.support.answers import Folders

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.models.hf.offsets import TokenOffsets, locator  # noqa: E402
from referee.models.hf.seq2seq import Seq2Seq, open_seq2seq  # noqa: E402
from referee.models.hf.tokens import encoder  # noqa: E402

PLAIN = "The cat put the cup into the box because it was too full."
ODD = "The “cat” didn't  put the ½ cup – 猫 into\u00a0the box, café ﬁne."


def tokenizer_of(folders: Folders, family: str) -> Any:
    return loaded(folders(family))


@functools.cache
def loaded(folder: Path) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folder)


def placed(tokenizer: Any, text: str) -> TokenOffsets:
    (found,) = locator(tokenizer)([text], "source")
    assert found is not None
    return found


@pytest.mark.parametrize("family", [*tiny.ENCODER_DECODER, *tiny.MASKED])
@pytest.mark.parametrize("text", [PLAIN, ODD, "It", ""])
def test_tokens_are_those_that_are_scored(folders: Folders, family: str, text: str) -> None:
    tokenizer = tokenizer_of(folders, family)
    found = placed(tokenizer, text)
    assert found.tokens == encoder(tokenizer)([text], "source")[0]
    assert len(found.characters) == len(found.tokens)


@pytest.mark.parametrize("family", [*tiny.ENCODER_DECODER, *tiny.MASKED])
def test_a_word_has_the_tokens_that_spell_it(folders: Folders, family: str) -> None:
    tokenizer = tokenizer_of(folders, family)
    found = placed(tokenizer, PLAIN)
    for word in ("The", "cat", "because", "full"):
        start = PLAIN.index(word)
        tokens = found.of(start, start + len(word))
        assert list(tokens) == list(range(tokens[0], tokens[-1] + 1))
        assert tokenizer.decode([found.tokens[token] for token in tokens]).strip().replace(" ", "") == word


@pytest.mark.parametrize("family", [*tiny.ENCODER_DECODER, *tiny.MASKED])
def test_every_character_is_in_a_token(folders: Folders, family: str) -> None:
    found = placed(tokenizer_of(folders, family), ODD)
    assert all(found.of(place, place + 1) for place, letter in enumerate(ODD) if not letter.isspace())


@pytest.mark.parametrize("family", [*tiny.ENCODER_DECODER, *tiny.MASKED])
def test_what_is_not_in_the_text_is_nowhere(folders: Folders, family: str) -> None:
    tokenizer = tokenizer_of(folders, family)
    found = placed(tokenizer, PLAIN)
    special = {tokenizer.convert_tokens_to_ids(token) for token in tokenizer.all_special_tokens}
    codes = {"mbart50", "m2m100", "nllb", *tiny.MASKED}
    assert found.characters[-1] is None
    assert found.tokens[-1] in special
    assert (found.characters[0] is None) == (family in codes)
    assert all(place is not None for place in found.characters[1:-1])


@pytest.mark.parametrize("family", tiny.ENCODER_DECODER)
def test_a_space_alone_belongs_to_the_word_behind_it(folders: Folders, family: str) -> None:
    found = placed(tokenizer_of(folders, family), ODD)
    assert all(ODD[slice(*place)].strip() for place in found.characters if place is not None)


def test_marians_language_code_is_no_part_of_the_text(folders: Folders) -> None:
    tokenizer = tokenizer_of(folders, "marian")
    found = placed(tokenizer, f">>de<< {PLAIN}")
    start = len(">>de<< ")
    (box,) = {
        PLAIN[place[0] - start : place[1] - start].strip() for place in found.characters if place and _is_box(place)
    }
    assert box == "bo"
    assert found.characters[0] is None


def _is_box(place: tuple[int, int]) -> bool:
    start = len(">>de<< ") + PLAIN.index("box")
    return place[0] <= start < place[1]


@pytest.mark.parametrize("family", ["marian", "m2m100"])
def test_what_looks_like_a_token_cannot_be_placed(folders: Folders, family: str) -> None:
    found = locator(tokenizer_of(folders, family))(["The </s> cat.", "The cat."], "source")
    assert found[0] is None
    assert found[1] is not None


def test_targets_are_placed_with_their_own_pieces(folders: Folders) -> None:
    model = open_seq2seq(parse(f"hf:{folders('marian')}"))
    text = "Die Katze stellte den Becher in die Kiste, weil er zu voll war."
    found = model.located([(text, "en", "de")], "target")[text, "en", "de"]
    assert found is not None
    start = text.index(" er ") + 1
    (token,) = found.of(start, start + 2)
    assert model.loaded.tokenizer.convert_ids_to_tokens(found.tokens[token]) == "▁er"


def test_targets_may_have_a_vocabulary_of_their_own() -> None:
    tokenizer = tokenizer_("marian", separate=True)
    (found,) = locator(tokenizer)(["Es war er."], "target")
    assert found is not None
    (token,) = found.of(7, 9)
    assert found.tokens[token] == tokenizer.target_encoder["▁er"] != tokenizer.encoder["▁er"]


def test_languages_are_set_first(folders: Folders) -> None:
    model: Seq2Seq = open_seq2seq(parse(f"hf:{folders('nllb')}"))
    for side, code in (("source", "eng_Latn"), ("target", "deu_Latn")):
        found = model.located([("It sang.", "en", "de")], side)["It sang.", "en", "de"]  # type: ignore[arg-type]
        assert found is not None
        assert model.loaded.tokenizer.convert_ids_to_tokens(found.tokens[0]) == code


def test_other_tokenizers_are_refused() -> None:
    class Slow:
        is_fast = False

    with pytest.raises(MissingError, match="Slow does not return token offsets"):
        locator(Slow())
