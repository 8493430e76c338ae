"""Generators of CTranslate2, which read from left to right: every token after a start token is scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.models.ct2.settings import Settings, in_eight_bits, last_scores
from referee.models.ct2.tokenizers import Tokenizer, Tokens
from referee.models.tokens import common_prefix, fingerprint, too_long
from referee.protocols import Answers, Identity, ScoreText, TokenScores


@dataclass(frozen=True)
class Ct2Generator:
    """A decoder-only model that scores sentences."""

    model: Any
    tokenizer: Tokenizer
    settings: Settings

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.settings.options.text

    @property
    def together(self) -> int:
        """How many requests are computed in one batch: enough to fill batches of similar length."""
        return self.settings.together

    def identity(self) -> Identity:
        """Files by hash, and the type it computes in."""
        return Identity(self.settings.sha256, {"compute_type": self.model.compute_type})

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Log-probabilities of every token from the start of what is scored."""
        start = self.tokenizer.start
        jobs: list[tuple[int, tuple[Tokens, int]]] = []
        for number, text in enumerate(texts):
            pieces = self.tokenizer.plain(text.text)
            given = common_prefix(self.tokenizer.plain(text.text[: text.start]), pieces) if text.start else 0
            tokens = start + pieces
            # Without a start token nothing predicts the first token, so it cannot be scored.
            scored = len(tokens) - max(1, len(start) + given)
            if refusal := too_long(len(tokens), self.settings.limit) or ("no token to score" if scored < 1 else ""):
                yield number, TokenScores(refused=refusal)
            else:
                jobs.append((number, (tokens, scored)))
        exact = in_eight_bits(self.model.compute_type)
        shape = (lambda job: len(job[0])) if exact else (lambda _: None)
        yield from self.settings.run(jobs, self._score, cost=lambda job: len(job[0]), shape=shape)

    def _score(self, jobs: list[tuple[Tokens, int]]) -> list[TokenScores]:
        results = self.model.score_batch(
            [list(tokens) for tokens, _ in jobs], max_batch_size=self.settings.share(jobs), max_input_length=0
        )
        return [
            last_scores(result.log_probs, scored, fingerprint(tokens, scored))
            for (tokens, scored), result in zip(jobs, results, strict=True)
        ]
