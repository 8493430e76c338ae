"""Precision and recall of the resolver on GUM's dev and test documents, from one command.

`python -m referee.train.recipes.resolver.measure GUM`: GUM is the folder UD_English-GUM. The resolver and the
annotator are the package's own unless `--resolver`, `--encoder` and `--heads` name other files.

An answer is correct if the mention that it names is one of the pronoun's entity, and precedes the pronoun. Precision is
over the answers, recall over the pronouns whose entity has an earlier noun or name. Mentions are compared by
the characters of their head words, so gold and predicted parses are measured alike. The resolver is measured twice:
where it names the most probable mention, which may be a pronoun, as the baseline's may; and as it is used, where it
names a noun or a name.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.annotate.document import Antecedent, Document
from referee.annotate.resolve.pocket import PocketResolver, open_pocket, resolver_of
from referee.pocket import store
from referee.stats.intervals import percentiles, resampled
from referee.train.recipes.command import run
from referee.train.recipes.resolver import gum
from referee.train.recipes.resolver.baseline import nearest_subjects
from referee.train.recipes.resolver.gum import GoldDocument
from referee.train.recipes.resolver.labels import Index, nominal_before
from referee.train.recipes.resolver.parses import add_options, parsed
from referee.train.recipes.resolver.pronouns import ANTECEDENTS

Resolve = Callable[[Document], Sequence[Antecedent]]
RECALL = 0.45
"""The recall at which precision is compared."""


class Answer(NamedTuple):
    """An answer of the resolver, whether it is correct, and whether one with a noun exists."""

    confidence: float
    correct: bool
    expected: bool


class Counts(NamedTuple):
    """The answers of a document for some pronouns, and how many of these have a noun before them."""

    answers: tuple[Answer, ...]
    expected: int


class Figures(NamedTuple):
    """Precision and recall with 95% intervals over documents."""

    precision: float
    precision_interval: tuple[float, float]
    recall: float
    recall_interval: tuple[float, float]
    answered: int
    expected: int


def counted(
    gold: GoldDocument, document: Document, antecedents: Sequence[Antecedent], forms: Collection[str]
) -> Counts:
    """Compare the antecedents that were found in a parse with the annotated ones."""
    index = Index(gold)
    by_head = {mention.heads: mention for mention in gold.mentions}
    pronouns = {
        word.start: by_head.get(((word.start, word.end),))
        for sentence in gold.document.sentences
        for word in sentence.words
        if word.upos == "PRON" and word.form.lower() in forms
    }
    expected = {
        start for start, pronoun in pronouns.items() if pronoun is not None and nominal_before(gold.mentions, pronoun)
    }
    answers = []
    for antecedent in antecedents:
        if antecedent.pronoun.start not in pronouns:
            continue
        pronoun = pronouns[antecedent.pronoun.start]
        mention = index.find(document, antecedent.antecedent)
        correct = (
            pronoun is not None
            and mention is not None
            and mention.entity == pronoun.entity
            and antecedent.antecedent.start < pronoun.start
        )
        answers.append(Answer(antecedent.confidence, correct, antecedent.pronoun.start in expected))
    return Counts(tuple(answers), len(expected))


def figures(counts: Sequence[Counts], threshold: float) -> Figures:
    """Precision and recall of the answers from a confidence on."""
    rows = np.array([_row(each, threshold) for each in counts], np.float64)
    correct, answered, recalled, expected = rows.sum(axis=0)
    draws = resampled(rows)
    return Figures(
        correct / max(answered, 1),
        percentiles(draws[:, 0] / np.maximum(draws[:, 1], 1)),
        recalled / max(expected, 1),
        percentiles(draws[:, 2] / np.maximum(draws[:, 3], 1)),
        int(answered),
        int(expected),
    )


def _row(counts: Counts, threshold: float) -> tuple[int, int, int, int]:
    """Correct answers, answers, correct answers that count for recall, pronouns that count for recall."""
    answers = [answer for answer in counts.answers if answer.confidence >= threshold]
    correct = [answer for answer in answers if answer.correct]
    return len(correct), len(answers), sum(answer.expected for answer in correct), counts.expected


def precision_at(counts: Sequence[Counts], recall: float) -> float | None:
    """Precision at the highest confidence that reaches this recall; None if none does."""
    answers = sorted((answer for each in counts for answer in each.answers), key=lambda answer: -answer.confidence)
    expected = sum(each.expected for each in counts)
    correct = np.cumsum([answer.correct for answer in answers])
    enough = np.flatnonzero(np.cumsum([answer.correct and answer.expected for answer in answers]) >= recall * expected)
    return float(correct[enough[0]] / (enough[0] + 1)) if len(enough) else None


def measured(
    documents: Sequence[GoldDocument], parses: Sequence[Document], resolve: Resolve, threshold: float
) -> dict[str, Any]:
    """The figures of each group of pronouns."""
    antecedents = [resolve(parse) for parse in parses]
    results = {}
    for name, forms in ANTECEDENTS.items():
        counts = [counted(*each, forms) for each in zip(documents, parses, antecedents, strict=True)]
        results[name] = {
            **figures(counts, threshold)._asdict(),
            f"precision at recall {RECALL}": precision_at(counts, RECALL),
        }
    return results


def table(
    folder: Path, resolver: PocketResolver, annotate: Callable[[Sequence[Document]], list[Document]]
) -> dict[str, Any]:
    """The figures of the resolver and of the baseline, by parse and part."""
    results: dict[str, Any] = {"threshold": resolver.threshold, "resolver": resolver.version}
    parts = {part: gum.measured(folder, part) for part in ("dev", "test")}
    predicted = {part: annotate([gold.document for gold in documents]) for part, documents in parts.items()}
    for kind in ("gold", "predicted"):
        for part in ("dev", "test", "dev+test"):
            documents = [gold for name, members in parts.items() if name in part for gold in members]
            parses = [
                parse
                for name, members in parts.items()
                if name in part
                for parse in (predicted[name] if kind == "predicted" else [gold.document for gold in members])
            ]
            results[f"{kind} parses, {part}"] = {
                "nearest agreeing subject": measured(documents, parses, nearest_subjects, 0.0),
                "pocket, any mention": measured(
                    documents, parses, lambda document: resolver.ranked(document, nouns=False), resolver.threshold
                ),
                "pocket, nouns": measured(documents, parses, resolver.ranked, resolver.threshold),
            }
    return results


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m referee.train.recipes.resolver.measure", description=__doc__)
    parser.add_argument("gum", type=Path, help="the folder UD_English-GUM")
    parser.add_argument("--resolver", type=Path, help="resolver.npz; the package's own by default")
    add_options(parser)
    arguments = parser.parse_args()
    resolver = resolver_of(store.read(arguments.resolver, store.RESOLVER)) if arguments.resolver else open_pocket()
    results = table(arguments.gum, resolver, parsed(arguments.encoder, arguments.heads))
    sys.stdout.write(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    run(main)
