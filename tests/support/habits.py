"""A model whose every answer is known, items that ask it for one, and sets of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee import sets
from referee.items import Item
from referee.perturbations import changed
from referee.protocols import Answers, Identity, ScorePair, TokenScores, TranslateDoc
from referee.sets import ItemSet
from tests.support.items import item

PRONOUNS = ("Er", "Sie", "Es")


@dataclass
class Habit:
    """Scores the pronoun that a source asks for highest, and translates it by another: "score 0, say 1"."""

    calls: list[str] = field(default_factory=list)

    def identity(self) -> Identity:
        return Identity("0" * 64)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        for number, pair in enumerate(pairs):
            self.calls.append("score")
            best = PRONOUNS[int(pair.source.split()[1].strip(","))]
            yield number, TokenScores((-1.0 if pair.target.startswith(best) else -2.0,))

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        for number, source in enumerate(sources):
            self.calls.append("translate")
            yield number, f"{PRONOUNS[int(source.sentences[-1].split()[-1])]} war müde."


def asking(number: int, scored: int, translated: int, gold: int = 0, **changes: object) -> Item:
    return item(id=f"i{number}", source=f"score {scored}, say {translated}", gold=gold, **changes)


def base() -> ItemSet:
    """Right by scores: i0, i1, i3; translated: i0, i2, i3."""
    return sets.of_items("s", [asking(0, 0, 0), asking(1, 0, 1), asking(2, 1, 0), asking(3, 0, 0)])


def attacked(name: str, *scored: int) -> ItemSet:
    return sets.of_items(
        f"s+{name}",
        [changed(asking(number, best, 0), name) for number, best in enumerate(scored)],
    )
