"""A model that explains translations at once, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.items import Task
from referee.protocols import Answers, ExplainRequest, Explanation, Identity, InTranslation, ScorePair, TokenScores


@dataclass
class Explainer:
    """Scores by length; the salience of a word is its length. Answers come last first, sources in `refuses` get none.

    `asked` has the sources of each call, with the method and the tokens of a batch.
    """

    refuses: frozenset[str] = frozenset()
    asked: list[tuple[list[str], str, int | None]] = field(default_factory=list)
    explains: Task = "translate"

    def identity(self) -> Identity:
        return Identity("e" * 64)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        for number, pair in enumerate(pairs):
            yield number, TokenScores((-float(len(pair.target)),))

    def explain(
        self, requests: Sequence[ExplainRequest], *, method: str = "prediction-difference", tokens: int | None = None
    ) -> Iterator[tuple[int, Explanation]]:
        translations = [request for request in requests if isinstance(request, InTranslation)]
        self.asked.append(([request.pair.source for request in translations], method, tokens))
        for number, request in reversed(list(enumerate(translations))):
            if request.pair.source in self.refuses:
                yield number, Explanation(refused="too long: 600 tokens")
            else:
                yield number, Explanation(0.5, tuple(float(end - start) for start, end in request.words))
