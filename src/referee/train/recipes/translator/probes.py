"""Probes of the translator's use of context: forms that only context gives (CTXPRO), and pronouns in templates."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterator, Sequence, Set
from pathlib import Path
from typing import Any

import msgspec

from referee.analysis.accuracy import findings
from referee.build.templates import open_templates
from referee.items import Item
from referee.logs import logger
from referee.protocols import Model
from referee.scoring.dispatch import start_pass
from referee.scoring.options import ScoringOptions
from referee.scoring.survey import survey
from referee.sets import of_items
from referee.stats.groups import index_groups
from referee.stats.proportions import difference_interval
from referee.suites import suites
from referee.train.recipes.translator import corpus
from referee.train.recipes.translator.corpus import LANGUAGES, Line
from referee.verdicts import Rule, Verdict

CONTEXT = 4
"""Sentences that precede the one that is translated, as in training."""
ITEMS = 400
"""Items of a template that are scored at most."""
_TELLING = 45
"""A sentence so long that is in the training too shows that its film is, as in `films`."""

_SETS = (
    ("auxiliary", "de", ("paper",)),
    ("auxiliary", "es", ("paper",)),
    ("auxiliary", "ru", ("dev", "devtest")),
    ("formality", "de", ("paper",)),
    ("formality", "es", ("paper",)),
    ("formality", "ru", ("paper",)),
    ("gender", "es", ("dev", "devtest")),
    ("inflection", "ru", ("dev", "devtest")),
)
"""The sets that say which form is expected, and where they are from."""


def context_gains(model: Model, data: Path, test: Sequence[Line], seen_sentences: Set[str]) -> list[dict[str, Any]]:
    """Accuracy on rows of held-out films, the sentence alone and with its context, by both rules of matching."""
    held_out = {(line.corpus, line.number) for line in test}
    gains = []
    for phenomenon, language, splits in _SETS:
        rows = [item for split in splits for item in _rows(data, phenomenon, language, split, held_out)]
        items = [item for item in rows if not any(sentence in seen_sentences for sentence in _long(item))]
        name = f"{phenomenon} en-{language}"
        logger.info("  %s, %s items", name, len(items))
        alone, context = (
            _evaluated(model, name, items, ScoringOptions(how="generative", context=size)) for size in (0, CONTEXT)
        )
        groups = [item.group_id for item in items]
        gains.append(
            {
                "set": name,
                "from": list(splits),
                "items": len(items),
                "films": len(set(groups)),
                "left out, seen": len(rows) - len(items),
                "paper": _gain("paper", alone, context, groups),
                "token": _gain("token", alone, context, groups),
            }
        )
    return gains


def _rows(
    data: Path, phenomenon: str, language: str, split: str, held_out: Collection[tuple[str, int]]
) -> Iterator[Item]:
    pair = f"en-{language}"
    if split == "paper":
        name = f"ctxpro/paper/{phenomenon}/{pair}"
        stem = f"{'' if phenomenon == 'auxiliary' else 'mini.'}{phenomenon}.opensubtitles.{pair}.test"
    else:
        name, stem = f"ctxpro/release/{phenomenon}/{pair}/{split}", f"{phenomenon}.opensubtitles.{pair}.{split}"
    for number, item in enumerate(suites()[name].open(data)):
        if (f"reference {stem}", number) in held_out:
            yield msgspec.structs.replace(item, group=corpus.film(item.meta["document id"]))


def _long(item: Item) -> list[str]:
    sentences = (*item.source_context[-CONTEXT:], item.source)
    return [sentence for sentence in sentences if len(sentence) >= _TELLING]


def _gain(rule: Rule, alone: list[Verdict], context: list[Verdict], groups: list[str]) -> dict[str, Any]:
    """Both accuracies, and their difference with the interval that films, drawn again, give."""
    without, having = ([verdict.found[rule] for verdict in verdicts] for verdicts in (alone, context))
    differences = [float(one) - float(other) for one, other in zip(having, without, strict=True)]
    return {
        "alone": sum(without) / len(without),
        "with context": sum(having) / len(having),
        "difference": sum(differences) / len(differences),
        "interval": difference_interval(differences, index_groups(groups)),
    }


def templates(model: Model, data: Path) -> dict[str, dict[str, Any]]:
    """Accuracy on every template of every language; genders chosen in prior probes; the published German."""
    figures: dict[str, dict[str, Any]] = {}
    for language in LANGUAGES:
        logger.info("  %s", language)
        builder = open_templates(language)
        figures[language] = {
            name: _template(model, language, list(builder.items([name]))) for name in builder.templates
        }
    published = open_templates("de", paper=True, data=data)
    figures["de, published"] = {"gender": _template(model, "de, published", list(published.items(["gender"])))}
    return figures


def _template(model: Model, language: str, items: list[Item]) -> dict[str, Any]:
    name = f"{language} {items[0].label}"
    chance = random.Random(f"{corpus.SEED} {name}")  # noqa: S311 no secret
    chosen = sorted(chance.sample(range(len(items)), min(ITEMS, len(items))))
    sample = [items[index] for index in chosen]
    verdicts = _evaluated(model, name, sample, ScoringOptions(how="contrastive", context=1))
    (result,) = findings(name, zip(sample, verdicts, strict=True), dimensions=())
    figures: dict[str, Any] = {"items": len(sample), "chance": 1 / len(sample[0].candidates)}
    if result.overall is not None:
        by_sum = [_best_sum(verdict) == item.gold for item, verdict in zip(sample, verdicts, strict=True)]
        figures |= {
            "accuracy": result.overall.accuracy,
            "interval": result.overall.interval,
            "accuracy by sum": sum(by_sum) / len(sample),
        }
    shares: dict[str, int] = {}
    for item, verdict in zip(sample, verdicts, strict=True):
        gender = "tied" if verdict.choice is None else item.candidates[verdict.choice].features["gender"]
        shares[gender] = shares.get(gender, 0) + 1
    figures["chosen genders"] = {gender: count / len(sample) for gender, count in sorted(shares.items())}
    for preference in result.preferences:
        if preference.feature != "gender":
            figures[f"chosen {preference.feature}"] = {value: share.share for value, share in preference.shares.items()}
    return figures


def _best_sum(verdict: Verdict) -> int:
    """The choice by sums of log-probabilities in place of their means, for which words of many pieces are better."""
    sums = [math.fsum(tokens) for tokens in verdict.token_scores]
    return sums.index(max(sums))


def _evaluated(model: Model, name: str, items: Sequence[Item], options: ScoringOptions) -> list[Verdict]:
    return start_pass(model, survey(of_items(name, items)), options).evaluate(items, lambda _: None)
