"""What the heads choose from: parts of speech, features, relations, and edit scripts, counted in the treebanks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from referee.annotate.pocket.scripts import KEEP, WHOLE, LemmaScript, SplitScript, lemma_script, split_script
from referee.io.files import atomic_write, existing
from referee.train.recipes.encoder.conventions import UNKNOWN as NOT_KNOWN
from referee.train.recipes.encoder.tokens import Token

UPOS = (
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
    *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
)
FEATURES = (
    *("Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Foreign", "Gender", "Mood", "NumType", "Number"),
    *("Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice"),
)
"""The universal features that the eight languages mark."""

_VALUES, _LEMMAS, _SPLITS = 20, 3, 2
"""How often a value, a lemma script and a split script must occur to be learned."""


INVENTORY = "inventory.json"


@dataclass(frozen=True)
class Inventory:
    """Classes in the order of their numbers; the first value of a feature is its absence."""

    upos: tuple[str, ...]
    features: Mapping[str, tuple[str, ...]]
    deprels: tuple[str, ...]
    lemmas: tuple[LemmaScript, ...]
    splits: tuple[SplitScript, ...]

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        with atomic_write(path) as file:
            file.write(json.dumps(asdict(self), ensure_ascii=False).encode())

    @classmethod
    def read(cls, path: Path) -> Inventory:
        """Read what `save` wrote."""
        stored = json.loads(existing(path).read_text(encoding="utf-8"))
        return cls(
            tuple(stored["upos"]),
            {name: tuple(values) for name, values in stored["features"].items()},
            tuple(stored["deprels"]),
            tuple(LemmaScript(*script) for script in stored["lemmas"]),
            tuple(SplitScript(cut, add, tuple(further)) for cut, add, further in stored["splits"]),
        )


def count(sentences: Iterable[Iterable[Token]]) -> Inventory:
    """The inventory of treebanks."""
    values = {feature: Counter[str]() for feature in FEATURES}
    deprels, lemmas, splits = Counter[str](), Counter[LemmaScript](), Counter[SplitScript]()
    for sentence in sentences:
        for token in sentence:
            if len(token.words) > 1:
                splits[split_script(token.form, tuple(word.form for word in token.words))] += 1
            for word in token.words:
                deprels[universal(word.deprel)] += 1
                if word.lemma != NOT_KNOWN:
                    lemmas[lemma_script(word.form, word.lemma)] += 1
                for feature, value in word.features.items():
                    if feature in values and value != NOT_KNOWN:
                        values[feature][value] += 1
    return Inventory(
        UPOS,
        {name: ("", *_frequent(counts, _VALUES)) for name, counts in values.items()},
        tuple(sorted(deprels.keys() - {NOT_KNOWN})),
        (KEEP, *(script for script in _frequent(lemmas, _LEMMAS) if script != KEEP)),
        (WHOLE, *_frequent(splits, _SPLITS)),
    )


def universal(deprel: str) -> str:
    """A relation without its subtype."""
    return deprel.partition(":")[0]


def _frequent(counts: Counter[Any], least: int) -> list[Any]:
    """Members that occur often enough, by number and then by name, so that the order is always the same."""
    return [name for name, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) if number >= least]
