"""Only words that every named model knows as single tokens."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.errors import UsageError
from referee.perturbations import Dropped, Perturbation, Tally, attacked, changed
from referee.perturbations.single_token import single_tokens
from referee.protocols import Answers, Blank, Identity, TokenScores
from tests.perturbations.test_schemas import TWINS, named, replaced
from tests.support.items import item


class Reader:
    """A masked model that knows some words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def identity(self) -> Identity:
        return Identity("x")

    def fill_blanks(self, blanks: Sequence[Blank]) -> Answers:
        for number, blank in enumerate(blanks):
            is_known = all(word in self.words for word in blank.words)
            yield number, TokenScores((0.0, 0.0)) if is_known else TokenScores(refused="not a single token")


def test_only_words_that_every_model_knows() -> None:
    others = [replaced(one, id=f"u-{one.id}", group="u", source=one.source.replace("kind", "old")) for one in TWINS]
    small, large = Reader("glad", "kind"), Reader("glad", "kind", "old")
    masked = named("mask-special-word")
    for models, left, reason in (
        ({"mlm:l": large}, ["t", "t", "u", "u"], {}),
        ({"mlm:l": large, "mlm:s": small}, ["t", "t"], {"not a single token for mlm:s": 2}),
    ):
        tally = Tally("mask-special-word")
        chosen = single_tokens([masked], models)[0]
        assert [one.group for one in attacked([*TWINS, *others], chosen, tally)] == left
        assert tally.dropped == reason
    assert isinstance(single_tokens([masked], {"mlm:l": large})[0].apply(TWINS[0]), Dropped)


def test_single_tokens_of_other_perturbations_and_models() -> None:
    shout = Perturbation("shout", "x", ("en",), lambda one: changed(one, "shout", source=one.source.upper()))
    model = {"mlm:x": Reader("Ann", "Bea")}
    assert len(list(attacked(TWINS[:1], single_tokens([shout], model)[0]))) == 1
    tally = Tally("shout")
    assert not list(attacked([item()], single_tokens([shout], model)[0], tally))
    assert tally.dropped == {"has no gap for mlm:x": 1}
    with pytest.raises(UsageError, match="'hf:x' is not a masked language model"):
        single_tokens([shout], {"hf:x": object()})  # type: ignore[dict-item]
