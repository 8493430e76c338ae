"""A model that was taught that one word decides is seen to look at that word; one that was taught nothing is not."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee import sets
from referee.analysis.salience.importance import Importance, importances
from referee.items import Candidate, Item
from referee.runs.salience import read_salience
from tests.conftest import Command
from tests.support import tiny_models as tiny
from tests.support.items import item
from tests.support.jobs import explain

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

NOUNS = ("cat", "box", "spoon", "dog", "horse", "bird", "bear", "key", "bottle", "bag")
TRIGGERS = {"fit": "er", "too": "er", "not": "sie", "into": "sie"}
"""Words of one token each: of a word of several, those that are left would give it away."""
STEPS = 70

pytestmark = pytest.mark.usefixtures("random_state")


@pytest.fixture
def random_state() -> Iterator[None]:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


def sentence(draw: random.Random, trigger: str) -> str:
    """The trigger stands at the end or in the middle, so that its place alone makes no difference."""
    one, other = draw.sample(NOUNS, 2)
    if draw.random() < 0.5:
        return f"The {one} saw the {other} because it was {trigger}."
    return f"The {one} was {trigger} because it saw the {other}."


def translation(pronoun: str) -> str:
    return f"Man sah es, weil {pronoun} da war."


def twins(sources: list[tuple[str, str]]) -> list[Item]:
    candidates = tuple(Candidate(translation(pronoun), {"pronoun": pronoun}) for pronoun in ("er", "sie"))
    return [
        item(id=f"{number}-{gold}", group=str(number), source=source, candidates=candidates, gold=gold)
        for number, pair in enumerate(sources)
        for gold, source in enumerate(pair)
    ]


def with_triggers(draw: random.Random) -> tuple[str, str]:
    masculine, feminine = (
        draw.choice([word for word, triggered in TRIGGERS.items() if triggered == pronoun]) for pronoun in ("er", "sie")
    )
    source = sentence(draw, masculine)
    return source, source.replace(masculine, feminine)


def with_any_word(draw: random.Random) -> tuple[str, str]:
    """Sentences of any words, one of which is exchanged: it is a word like all others."""
    words = draw.sample(sorted({word for text in tiny.CORPUS["en"] for word in text.strip(".").split()}), 9)
    index = draw.randrange(8)
    return " ".join(words[:8]), " ".join([*words[:index], words[8], *words[index + 1 : 8]])


def taught(folder: Path) -> None:
    """Trains the model of a folder on pairs in which the trigger decides the pronoun."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    config = transformers.AutoConfig.from_pretrained(folder)
    config.update({"init_std": 0.1, "dropout": 0.0, "attention_dropout": 0.0, "encoder_layers": 1, "decoder_layers": 1})
    model = transformers.MarianMTModel(config)
    draw = random.Random(0)
    words = [draw.choice(list(TRIGGERS)) for _ in range(2000)]
    sources = tokenizer([sentence(draw, word) for word in words], return_tensors="pt", padding=True)
    targets = tokenizer(
        text_target=[translation(TRIGGERS[word]) for word in words], return_tensors="pt", padding=True
    ).input_ids
    labels = targets.masked_fill(targets == config.pad_token_id, -100)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(STEPS):
        chosen = torch.randint(0, len(words), (32,))
        mask = sources.attention_mask[chosen]
        loss = model(input_ids=sources.input_ids[chosen], attention_mask=mask, labels=labels[chosen]).loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    model.eval().save_pretrained(folder)


def importance_of(
    model: Path, make: Callable[[random.Random], tuple[str, str]], referee: Command, tmp_path: Path
) -> Importance:
    draw = random.Random(1)
    sets.save(twins([make(draw) for _ in range(30)]), tmp_path / "twins.jsonl")
    outcome = referee("eval", f"hf:{model}", tmp_path / "twins.jsonl", "--out", tmp_path / "run", "--no-cache")
    assert outcome.code == 0, outcome.err
    explain(tmp_path / "run")
    (importance,) = importances(read_salience(tmp_path / "run")).values()
    assert (importance.items, importance.groups, importance.triggers) == (60, 30, 60)
    return importance


def test_a_planted_trigger_is_found(referee: Command, tmp_path: Path) -> None:
    model = tiny.make("marian", tmp_path / "model")
    taught(model)
    importance = importance_of(model, with_triggers, referee, tmp_path)
    assert importance.effect == "more"
    assert importance.signed.d is not None
    assert importance.signed.d > 2
    assert importance.rank > 0.8
    assert importance.interval[0] > 0.75
    assert importance.p < 1e-6
    assert importance.signed.paired_p is not None
    assert importance.signed.paired_p < 1e-6
    assert importance.absolute.d is not None
    assert importance.absolute.d > 0.8


@pytest.mark.parametrize("seed", range(3))
def test_none_is_found_where_nothing_was_taught(referee: Command, tmp_path: Path, seed: int) -> None:
    model = tiny.make("marian", tmp_path / "model", seed=seed)
    importance = importance_of(model, with_any_word, referee, tmp_path)
    assert importance.signed.paired_p is not None
    assert importance.signed.paired_p > 0.01
    assert importance.effect in ("equal", "inconclusive")
    assert importance.interval[0] < 0.5 < importance.interval[1]
