"""`causal:` language models that read from left to right.

The first word is scored too, given a start token. What texts of one origin share at the start runs once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import torch

from referee.models.hf import batches
from referee.models.hf.batches import padded
from referee.models.hf.load import OPTIONS, Checkpoint, Loaded, load
from referee.models.hf.logits import feeder_of, logprobs_at
from referee.models.spec import ModelSpec
from referee.models.tokens import common_prefix, fingerprint, once, shared_prefix, too_long
from referee.protocols import Answers, Identity, ScoreText, TokenScores

_WORTH_SHARING = 8
"""Tokens that texts must share for a pass of its own over them to pay."""


@dataclass(frozen=True)
class TextTokens:
    """A text in tokens, of which those from `first` on are scored; the token before predicts each."""

    tokens: tuple[int, ...]
    first: int


@dataclass(frozen=True)
class Causal:
    """A causal language model that scores sentences."""

    loaded: Loaded

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.loaded.name

    @property
    def together(self) -> int:
        """How many requests are computed in one batch: enough to fill batches of similar length."""
        return self.loaded.together

    def identity(self) -> Identity:
        """Weights and tokenizer by hash."""
        return Identity(self.loaded.sha256, {"dtype": self.loaded.dtype})

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Log-probabilities of every token from the start of what is scored."""
        units: dict[str, list[tuple[int, TextTokens]]] = {}
        for number, text in enumerate(texts):
            sequence = self._tokens(text)
            if refusal := too_long(len(sequence.tokens), self.loaded.max_length):
                yield number, TokenScores(refused=refusal)
            elif sequence.first >= len(sequence.tokens):
                yield number, TokenScores(refused="no token to score")
            else:
                units.setdefault(text.origin or f"#{number}", []).append((number, sequence))
        numbers = [once(numbered) for numbered in units.values()]
        work = [list(unit) for unit in numbers]
        costs = [max(len(sequence.tokens) for sequence in unit) * len(unit) for unit in work]
        for index, answers in batches.run(work, costs, self._budget, self._score):
            for sequence, logprobs in zip(work[index], answers, strict=True):
                answer = TokenScores(tuple(logprobs), tokens=fingerprint(sequence.tokens, sequence.first))
                yield from ((number, answer) for number in numbers[index][sequence])

    @cached_property
    def _budget(self) -> int:
        return self.loaded.budget(cpu=1_500, gpu=60_000)

    @cached_property
    def _feeder(self) -> torch.nn.Module | None:
        return feeder_of(self.loaded.model)

    @cached_property
    def _start(self) -> list[int]:
        """What a text begins with: the start token, or the end token where that separates texts, as in GPT-2."""
        tokenizer = self.loaded.tokenizer
        token = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        return [] if token is None else [token]

    def _tokens(self, text: ScoreText) -> TextTokens:
        tokens = self._start + self._plain(text.text)
        # Without a start token nothing predicts the first token, so it cannot be scored.
        first = max(1, len(self._start))
        if text.start:
            first = max(
                first, len(self._start) + common_prefix(self._plain(text.text[: text.start]), self._plain(text.text))
            )
        return TextTokens(tuple(tokens), first)

    def _plain(self, text: str) -> list[int]:
        return list(self.loaded.tokenizer(text, add_special_tokens=False).input_ids)

    @torch.inference_mode()
    def _score(self, units: list[list[TextTokens]]) -> list[list[list[float]]]:
        """The log-probabilities of each sequence of each unit."""
        # The last shared token predicts the first that differs, so it is read with what differs.
        shared = min(shared_prefix([sequence.tokens for sequence in unit]) for unit in units) - 1
        rows = [row for row, unit in enumerate(units) for _ in unit]
        leaders = [replace(unit[0], first=min(sequence.first for sequence in unit)) for unit in units]
        led: list[list[float]] = [[] for _ in units]
        past = None
        if shared >= _WORTH_SHARING and len(rows) > len(units):
            led, past = self._read(leaders, 0, shared, None)
            past.batch_select_indices(torch.tensor(rows, device=self.loaded.device))
        else:
            shared = 0
        rest, _ = self._read([sequence for unit in units for sequence in unit], shared, None, past)
        followed = iter(rest)
        return [
            [values[sequence.first - leader.first :] + next(followed) for sequence in unit]
            for unit, leader, values in zip(units, leaders, led, strict=True)
        ]

    def _read(
        self, sequences: list[TextTokens], start: int, end: int | None, past: Any
    ) -> tuple[list[list[float]], Any]:
        """Runs tokens `start` to `end` of each sequence: the log-probabilities of what follows, and what is kept."""
        inputs, _ = padded([sequence.tokens[start:end] for sequence in sequences], 0, self.loaded.device)
        rows, positions, targets = [], [], []
        for row, sequence in enumerate(sequences):
            # Position p predicts token p + 1.
            last = len(sequence.tokens) - 1 if end is None else min(end, len(sequence.tokens) - 1)
            for position in range(max(start, sequence.first - 1), last):
                rows.append(row)
                positions.append(position - start)
                targets.append(sequence.tokens[position + 1])
        # Padding is on the right, where a causal model does not look: no mask is needed.
        values, output = logprobs_at(
            self._feeder,
            lambda: self.loaded.model(input_ids=inputs, past_key_values=past, use_cache=end is not None),
            rows,
            positions,
            targets,
        )
        logprobs: list[list[float]] = [[] for _ in sequences]
        for row, value in zip(rows, values.tolist(), strict=True):
            logprobs[row].append(value)
        return logprobs, output.past_key_values


def open_causal(spec: ModelSpec) -> Causal:
    """`causal:NAME[,dtype=...][,device=...][,tokens=N]`."""
    spec.only(*OPTIONS)
    return Causal(load(Checkpoint.of(spec, "causal")))
