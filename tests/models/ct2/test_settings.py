"""Work in batches: whatever their size and order, the same scores, and equal requests once."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from referee.errors import UsageError
from referee.models.ct2.settings import Ct2Options, last_scores
from referee.models.spec import parse
from referee.protocols import TokenScores
from tests.support.tiny_ct2 import (
    PAIRS,
    Convert,
    assert_close,
    pair_scores,
    translator,
)


@pytest.mark.parametrize("quantization", [None, "int8"])
@pytest.mark.parametrize("options", [",tokens=1", ",tokens=90", ",tokens=100000", ",inter_threads=2"])
def test_batches_and_order_do_not_matter(options: str, quantization: str | None, convert: Convert) -> None:
    order = random.Random(1).sample(range(len(PAIRS)), len(PAIRS))
    folder = convert("nllb", quantization)
    wanted = [answer.logprobs for answer in pair_scores(translator(folder))]
    found = pair_scores(translator(folder, options), [PAIRS[index] for index in order])
    assert_close(found, [wanted[index] for index in order], 1e-5)


class Counting:
    """A translator of CTranslate2 that counts what it is asked."""

    def __init__(self, model: Any, compute_type: str = "float32") -> None:
        self.model, self.compute_type = model, compute_type
        self.asked: list[int] = []

    def score_batch(self, sources: list[list[str]], targets: list[list[str]], **options: Any) -> Any:
        self.asked.append(len(sources))
        return self.model.score_batch(sources, targets, **options)


def test_equal_requests_are_computed_once(convert: Convert) -> None:
    model = translator(convert("marian"))
    counting = Counting(model.model)
    pairs = [replace(pair, origin=str(number)) for number in range(3) for pair in PAIRS[:4]]
    found = pair_scores(replace(model, model=counting), pairs)
    assert sum(counting.asked) == 4
    assert found[:4] == found[4:8] == found[8:]


def test_answers_come_as_batches_finish(convert: Convert) -> None:
    model = translator(convert("marian"), ",tokens=1")
    counting = Counting(model.model)
    next(iter(replace(model, model=counting).score_pairs(PAIRS)))
    assert counting.asked == [1]


@pytest.mark.parametrize(("compute_type", "padded"), [("float32", True), ("int8_float32", False), ("int8", False)])
def test_a_batch_in_eight_bits_has_one_shape(compute_type: str, padded: bool, convert: Convert) -> None:
    model = translator(convert("marian"), ",tokens=100000")
    counting = Counting(model.model, compute_type)
    pairs = [replace(PAIRS[0], target=target) for target in ("Er sang.", "Er sang. Er sang.", "Er sang nicht mehr.")]
    pairs += [replace(pair, source=f"{pair.source} {pair.source}") for pair in pairs]
    lengths = {len(answer.logprobs) for answer in pair_scores(replace(model, model=counting), pairs)}
    assert len(lengths) > 1
    assert len(counting.asked) == (1 if padded else 2 * len(lengths))


def test_options_come_from_a_spec() -> None:
    spec = parse("ct2:dir,beam=4,tokens=9,inter_threads=2,device=cpu,compute_type=int8,prefix=,target_prefix=__de__")
    options = Ct2Options.of(spec)
    assert options == Ct2Options(
        spec.text, 4, device="cpu", compute_type="int8", tokens=9, inter_threads=2, prefix="", target_prefix="__de__"
    )
    assert options.texts() == {"prefix": "", "target_prefix": "__de__"}
    assert Ct2Options.of(parse("ct2:dir")) == Ct2Options("ct2:dir")
    with pytest.raises(UsageError, match="'intra_threads=0' in 'ct2:dir,intra_threads=0' is not valid"):
        Ct2Options.of(parse("ct2:dir,intra_threads=0"))


def test_missing_scores_name_the_option_that_helps() -> None:
    assert last_scores([-1.0, -2.0, -3.0], 2) == TokenScores((-2.0, -3.0))
    with pytest.raises(UsageError, match="Set the first token of the target with target_prefix="):
        last_scores([-1.0], 2)
