"""Lines of invented films that are held out, and a translator that knows what it was told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.protocols import Answers, Identity, ScorePair, TokenScores, TranslateDoc
from referee.train.recipes.translator.corpus import Line

KNOWN = "We have all seen this one sentence before."


ENGLISH = ("The lamp stands here.", "It is new.")


GERMAN = ("Die Lampe steht hier.", "Sie ist neu.")


class Echo:
    """Translates what it was told; with context it gets the expected form right."""

    def __init__(self, known: dict[str, str]) -> None:
        self.known = known

    def identity(self) -> Identity:
        return Identity("0" * 64)

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        for number, source in enumerate(sources):
            default = "Das tut er." if len(source.sentences) > 1 else "Nichts."
            yield number, self.known.get(" ".join(source.sentences), default)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        for number, pair in enumerate(pairs):
            yield number, TokenScores((-float(len(pair.target)),))


def line(
    number: int, english: tuple[str, ...], other: tuple[str, ...], corpus: str = "c", language: str = "de"
) -> Line:
    return Line(corpus, number, language, english, other, f"film {number}")
