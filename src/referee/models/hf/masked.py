"""`mlm:` masked language models: pseudo-log-likelihood, and single words compared in one position.

Every token is masked in a copy of its own and predicted from the rest (Salazar et al. 2020). With `within_word=mask`
the later pieces of the same word are masked too, so that a word's pieces do not give each other away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import torch

from referee.items import GAP, Task
from referee.models.hf import batches
from referee.models.hf.batches import padded
from referee.models.hf.embeddings import Vectors, embedded
from referee.models.hf.load import OPTIONS, Checkpoint, Loaded, load
from referee.models.hf.logits import feeder_of, logprobs_at
from referee.models.spec import ModelSpec
from referee.models.tokens import fingerprint, once, too_long
from referee.protocols import (
    PREDICTION_DIFFERENCE,
    Answers,
    Blank,
    ExplainRequest,
    Explanation,
    Identity,
    ScoreText,
    TokenScores,
)


@dataclass(frozen=True)
class Copy:
    """One masked copy: its tokens, the position that is predicted, and the tokens whose chance is asked."""

    tokens: tuple[int, ...]
    position: int
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Masked:
    """A masked language model that scores sentences, fills blanks and explains words in gaps.

    `within_word` shows or masks the later pieces of the word whose piece is predicted.
    """

    loaded: Loaded
    within_word: str = "show"
    explains: ClassVar[Task] = "fill"

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.loaded.name

    @property
    def together(self) -> int:
        """How many requests are computed in one batch: enough to fill batches of similar length."""
        return self.loaded.together

    def identity(self) -> Identity:
        """Weights and tokenizer by hash; how pieces of a word are treated."""
        return Identity(self.loaded.sha256, {"dtype": self.loaded.dtype, "within_word": self.within_word})

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """The pseudo-log-likelihood of every token but the special ones."""
        copies: list[Copy] = []
        owners: list[tuple[int, int]] = []
        waiting: dict[int, list[float | None]] = {}
        tokens: dict[int, str] = {}
        # Alternatives of one item are often the same text but for a word; texts asked twice are read once.
        once = list(dict.fromkeys(text.text for text in texts))
        encodings = dict(zip(once, self._encode(once), strict=True))
        for number, text in enumerate(texts):
            encoded = encodings[text.text]
            if refusal := too_long(len(encoded.ids), self.loaded.max_length):
                yield number, TokenScores(refused=refusal)
                continue
            of_text = list(self._copies(encoded, text.start))
            waiting[number] = [None] * len(of_text)
            tokens[number] = fingerprint(encoded.ids, [copy.position for copy in of_text])
            copies += of_text
            owners += [(number, index) for index in range(len(of_text))]
            if not of_text:
                yield number, TokenScores(refused="no token to score")
        for index, values in self._predicted(copies):
            number, token = owners[index]
            scores = waiting[number]
            scores[token] = values[0]
            if None not in scores:
                logprobs = tuple(score for score in scores if score is not None)
                yield number, TokenScores(logprobs, tokens=tokens[number])

    def fill_blanks(self, blanks: Sequence[Blank]) -> Answers:
        """The log-probability of each word in the gap; all must be single tokens there."""
        copies: list[Copy] = []
        owners: list[int] = []
        for number, blank in enumerate(blanks):
            copy = self._blank(blank)
            if isinstance(copy, str):
                yield number, TokenScores(refused=copy)
            else:
                copies.append(copy)
                owners.append(number)
        for index, values in self._predicted(copies):
            yield owners[index], TokenScores(tuple(values))

    def explain(
        self, requests: Sequence[ExplainRequest], *, method: str = PREDICTION_DIFFERENCE, tokens: int | None = None
    ) -> Iterator[tuple[int, Explanation]]:
        """The salience of each word of a sentence for the word in its gap."""
        from referee.models.explain import explain_gaps

        return explain_gaps(self, requests, method, tokens)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector per text."""
        return embedded(self.loaded, texts)

    @cached_property
    def _budget(self) -> int:
        # The output layer has a row for every copy: with a large vocabulary that is what fills the memory.
        return self.loaded.budget(cpu=2_500, gpu=32_000)

    @cached_property
    def _feeder(self) -> torch.nn.Module | None:
        return feeder_of(self.loaded.model)

    def _encode(self, texts: list[str]) -> list[Any]:
        return list(self.loaded.tokenizer(texts, return_special_tokens_mask=True).encodings) if texts else []

    def _copies(self, encoded: Any, start: int) -> Iterator[Copy]:
        tokens, special, offsets = encoded.ids, encoded.special_tokens_mask, encoded.offsets
        words = encoded.word_ids if self.within_word == "mask" else None
        mask = self.loaded.tokenizer.mask_token_id
        for index, token in enumerate(tokens):
            # A token that reaches beyond the start counts: it holds some of what is scored.
            if special[index] or offsets[index][1] <= start:
                continue
            end = index + 1
            while words is not None and end < len(tokens) and words[end] is not None and words[end] == words[index]:
                end += 1
            yield Copy((*tokens[:index], *[mask] * (end - index), *tokens[end:]), index, (token,))

    def _blank(self, blank: Blank) -> Copy | str:
        """The sentence with a mask in its gap, or why the words cannot be compared there."""
        tokenizer = self.loaded.tokenizer
        before, _, after = blank.text.partition(GAP)
        before = blank.given + before
        filled = [tokenizer(before + word + after).input_ids for word in blank.words]
        if not all(blank.words) or len({len(tokens) for tokens in filled}) > 1:
            return "not a single token"
        differing = {index for index in range(len(filled[0])) if len({tokens[index] for tokens in filled}) > 1}
        if not differing:
            # All words are the same to the tokenizer, and so ties; the gap is where the first of them stands.
            differing = self._positions(before, blank.words[0], after)
        if len(differing) != 1:
            return "not a single token"
        gap = differing.pop()
        # Alike but for one token: that token must be the whole word, not its stem before a shared ending.
        read = [tokenizer.decode(tokenizer(word, add_special_tokens=False).input_ids).strip() for word in blank.words]
        if any(tokenizer.decode([tokens[gap]]).strip() != word for tokens, word in zip(filled, read, strict=True)):
            return "not a single token"
        if refusal := too_long(len(filled[0]), self.loaded.max_length):
            return refusal
        masked = [*filled[0][:gap], tokenizer.mask_token_id, *filled[0][gap + 1 :]]
        return Copy(tuple(masked), gap, tuple(tokens[gap] for tokens in filled))

    def _positions(self, before: str, word: str, after: str) -> set[int]:
        """The tokens that hold any letter of a word."""
        (encoded,) = self._encode([before + word + after])
        start, end = len(before), len(before + word)
        return {index for index, (first, last) in enumerate(encoded.offsets) if first < end and start < last}

    def _predicted(self, copies: Sequence[Copy]) -> Iterator[tuple[int, list[float]]]:
        """What each copy predicts; equal copies are computed once."""
        indices = once(enumerate(copies))
        unique = list(indices)
        costs = [len(copy.tokens) for copy in unique]
        for number, values in batches.run(unique, costs, self._budget, self._predict):
            yield from ((index, values) for index in indices[unique[number]])

    @torch.inference_mode()
    def _predict(self, copies: list[Copy]) -> batches.Done[list[float]]:
        tokens, mask = padded([copy.tokens for copy in copies], self._pad, self.loaded.device)
        rows = [row for row, copy in enumerate(copies) for _ in copy.targets]
        positions = [copy.position for copy in copies for _ in copy.targets]
        targets = [target for copy in copies for target in copy.targets]
        values, _ = logprobs_at(
            self._feeder, lambda: self.loaded.model(input_ids=tokens, attention_mask=mask), rows, positions, targets
        )

        def results() -> list[list[float]]:
            logprobs = iter(values.tolist())
            return [[next(logprobs) for _ in copy.targets] for copy in copies]

        return batches.read(self.loaded.device, results)

    @property
    def _pad(self) -> int:
        return int(self.loaded.tokenizer.pad_token_id)


def open_masked(spec: ModelSpec) -> Masked:
    """`mlm:NAME[,within_word=show|mask][,dtype=...][,device=...][,tokens=N]`."""
    spec.only(*OPTIONS, "within_word")
    within_word = spec.option("within_word", ("show", "mask"), "show")
    return Masked(load(Checkpoint.of(spec, "mlm")), within_word)
