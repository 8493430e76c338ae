"""Folders of CTranslate2: what they hold, how long their inputs may be, and what is refused."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from referee.errors import InputError, MissingError, UsageError
from referee.protocols import ScorePair, ScoresPairs, ScoresTexts, ScoreText, TokenScores, TranslateDoc, Translates
from tests.support import tiny_models as tiny
from tests.support.tiny_ct2 import (
    GENERATORS,
    TRANSLATORS,
    Convert,
    configured,
    generator,
    opened,
    pair_scores,
    text_scores,
    translator,
)


def test_abilities(convert: Convert) -> None:
    model = opened(convert("marian"))
    assert isinstance(model, ScoresPairs)
    assert isinstance(model, Translates)
    assert not isinstance(model, ScoresTexts)
    model = opened(convert("gpt2"))
    assert isinstance(model, ScoresTexts)
    assert not isinstance(model, ScoresPairs | Translates)


@pytest.mark.parametrize("family", [*TRANSLATORS, *GENERATORS])
def test_what_is_too_long_is_refused(family: str, convert: Convert) -> None:
    model = opened(convert(family))
    long, short = "cat " * tiny.POSITIONS, "cat"
    if family in GENERATORS:
        answers = text_scores(model, [ScoreText(long), ScoreText(short)])
    else:
        *answers, aside = pair_scores(
            model,
            [
                ScorePair(short, long, "en", "de"),
                ScorePair(short, short, "en", "de"),
                ScorePair(long, short, "en", "de"),
            ],
        )
        assert aside.refused.startswith("too long: ")
        with pytest.raises(InputError, match="text 2 cannot be translated: too long"):
            list(model.translate([TranslateDoc((short,), "en", "de"), TranslateDoc((long,), "en", "de")]))
        assert model.refuses(TranslateDoc((long,), "en", "de")) == aside.refused
        assert model.refuses(TranslateDoc((short,), "en", "de")) == ""
    assert answers[0].logprobs == ()
    assert answers[0].refused.startswith("too long: ")
    assert answers[0].refused.endswith(f"tokens, the model takes {tiny.POSITIONS}")
    assert answers[1].refused == ""


def test_the_longest_that_fits(convert: Convert, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model's own table of positions is the limit where the tokenizer says none."""
    folder = convert("marian")
    # Hidden only now: the conversion needs it.
    monkeypatch.setitem(sys.modules, "transformers", None)
    model = translator(folder)
    assert model.tokenizer.longest is None
    words = next(
        count
        for count in range(tiny.POSITIONS)
        if len(model.tokenizer.target("Die " * count, "de")[1]) == tiny.POSITIONS - 1
    )
    fits, refused = pair_scores(
        model,
        [ScorePair("The cat", "Die " * words, "en", "de"), ScorePair("The cat", "Die " * (words + 1), "en", "de")],
    )
    assert len(fits.logprobs) == tiny.POSITIONS
    assert refused.refused == f"too long: {tiny.POSITIONS + 1} tokens, the model takes {tiny.POSITIONS}"


def test_nothing_to_score(convert: Convert) -> None:
    model = generator(convert("gpt2"))
    assert text_scores(model, [ScoreText(""), ScoreText("The cat", start=7)]) == 2 * [
        TokenScores(refused="no token to score")
    ]
    end = pair_scores(translator(convert("marian")), [ScorePair("The cat", "", "en", "de")])
    assert len(end[0].logprobs) == 1


def test_identity_is_that_of_the_files(convert: Convert, tmp_path: Path) -> None:
    first = translator(convert("marian")).identity()
    assert first == translator(convert("marian")).identity()
    assert translator(convert("marian"), ",beam=4").identity().generation["beam"] == "4"
    changed = translator(configured(convert("marian"), tmp_path / "changed", more=1)).identity()
    assert changed.sha256 != first.sha256


def test_folders_that_are_none(convert: Convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingError, match="marian: is not a CTranslate2 model"):
        opened(convert("marian").parent / "marian")
    with pytest.raises(MissingError, match="nowhere: is not a CTranslate2 model"):
        opened(tmp_path / "nowhere")
    (tmp_path / "model.bin").write_bytes(b"\x06\0\0\0\x10\0Trans")
    with pytest.raises(InputError, match=r"model\.bin: is not a CTranslate2 model, or is damaged"):
        opened(tmp_path)
    bare = tmp_path / "bare"
    bare.mkdir()
    shutil.copy(convert("marian") / "model.bin", bare)
    with pytest.raises(
        MissingError, match=r"bare: has no tokenizer. Give the folder of the original model with tokenizer="
    ):
        opened(bare)
    with pytest.raises(InputError, match=r"^ct2:.*bare,.*: cannot be loaded as a translator or generator: "):
        opened(bare, f",tokenizer={convert('marian')}")
    (bare / "config.json").write_text("[")
    with pytest.raises(InputError, match=r"config\.json: is not a valid JSON object"):
        opened(bare)
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(MissingError, match=r"needs CTranslate2. Install it with `pip install ctranslate2`"):
        opened(convert("marian"))


@pytest.mark.parametrize(
    ("family", "options", "message"),
    [
        ("marian", ",speed=1", "has no option 'speed'"),
        ("gpt2", ",beam=2", "has no option 'beam'"),
        ("marian", ",beam=0", "Use a positive whole number"),
        ("marian", ",compute_type=float3", "cannot be loaded as a translator or generator: .*float3"),
        ("marian", ",device=abacus", "cannot be loaded as a translator or generator: .*abacus"),
        ("marian", ",tokenizer=/nowhere", "/nowhere: has no tokenizer"),
    ],
)
def test_wrong_options(family: str, options: str, message: str, convert: Convert) -> None:
    with pytest.raises((UsageError, InputError, MissingError), match=message):
        opened(convert(family), options)
