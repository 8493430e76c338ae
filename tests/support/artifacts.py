"""Sets with a planted artifact, and a model whose vectors show it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from referee.items import Candidate, Item
from tests.support import tiny_models as tiny

NOUNS = (
    "cat",
    "dog",
    "mouse",
    "horse",
    "bird",
    "cow",
    "bear",
    "cup",
    "box",
    "apple",
    "cheese",
    "table",
    "water",
    "door",
)


STATES = ("full", "hungry", "small", "big", "thirsty", "weak", "heavy", "red", "old", "open")


SIGNS = (" yesterday", " morning")
"""What stands at the end of a planted item, by its answer."""


def schemas(count: int, planted: float, seed: int = 0) -> list[Item]:
    """Twins about random things with a random answer; in the share `planted` of them a word gives it away."""
    draws = random.Random(seed)
    items = []
    for number in range(count // 2):
        one, other = draws.sample(NOUNS, 2)
        sign = draws.random() < planted
        answers = (0, 1) if draws.random() < 0.5 else (1, 0)
        for twin, (state, gold) in enumerate(zip(draws.sample(STATES, 2), answers, strict=True), 1):
            end = SIGNS[gold] if sign else draws.choice(("", " since it ran", " some water"))
            items.append(
                Item(
                    id=f"{number}-{twin}",
                    task="fill",
                    source_lang="en",
                    target_lang="en",
                    source=f"The {one} put the {other} to the box because _ was {state}{end}.",
                    candidates=(Candidate(f"the {one}"), Candidate(f"the {other}")),
                    gold=gold,
                    group=str(number),
                    features={"planted": str(sign)},
                )
            )
    return items


def planted(items: Sequence[Item]) -> int:
    return sum(item.features["planted"] == "True" for item in items)


def wordy_model(folder: Path) -> Path:
    """A masked model with small random weights: unlike those of `tiny`, its vectors show which words went in."""
    folder = tiny.make("xlmr", folder)
    config = tiny.transformers.AutoConfig.from_pretrained(folder)
    config.hidden_size = config.intermediate_size = 128
    config.initializer_range = 0.02
    with tiny.torch.random.fork_rng(devices=[]):
        tiny.torch.manual_seed(0)
        tiny.transformers.XLMRobertaForMaskedLM(config).save_pretrained(folder)
    return folder
