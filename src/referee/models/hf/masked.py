"""`mlm:` masked language models: pseudo-log-likelihood, and single words compared in one position.

Every token is masked in a copy of its own and predicted from the rest (Salazar et al. 2020). With `within_word=mask`
the later pieces of the same word are masked too, so that a word's pieces do not give each other away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from referee.items import GAP
from referee.models.hf import batches
from referee.models.hf.load import Loaded, budget, load, together
from referee.models.hf.logits import feeder_of, logprobs_at
from referee.models.hf.padding import padded
from referee.models.spec import ModelSpec
from referee.models.tokens import too_long
from referee.protocols import Answers, Blank, Identity, ScoreText, TokenScores


@dataclass(frozen=True)
class Copy:
    """One masked copy: its tokens, the position that is predicted, and the tokens whose chance is asked."""

    tokens: tuple[int, ...]
    position: int
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Masked:
    """A masked language model that scores sentences and fills blanks."""

    loaded: Loaded
    spec: ModelSpec

    @property
    def together(self) -> int:
        """How many requests are computed in one go: enough to fill batches of similar length."""
        return together(self.loaded)

    def identity(self) -> Identity:
        """Weights and tokenizer by hash; how pieces of a word are treated."""
        return Identity(self.loaded.sha256, {"dtype": self.loaded.dtype, "within_word": self._within_word})

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """The pseudo-log-likelihood of every token but the special ones."""
        copies: list[Copy] = []
        owners: list[tuple[int, int]] = []
        waiting: dict[int, list[float | None]] = {}
        # Alternatives of one item are often the same text but for a word; texts asked twice are read once.
        once = list(dict.fromkeys(text.text for text in texts))
        encodings = dict(zip(once, self._encode(once), strict=True))
        for number, text in enumerate(texts):
            encoded = encodings[text.text]
            if refusal := too_long(len(encoded.ids), self.loaded.max_length):
                yield number, TokenScores(refused=refusal)
                continue
            made = list(self._copies(encoded, text.start))
            waiting[number] = [None] * len(made)
            copies += made
            owners += [(number, place) for place in range(len(made))]
            if not made:
                yield number, TokenScores(refused="no token to score")
        for index, values in batches.run(copies, [len(copy.tokens) for copy in copies], self._budget, self._predict):
            number, place = owners[index]
            scores = waiting[number]
            scores[place] = values[0]
            if None not in scores:
                yield number, TokenScores(tuple(score for score in scores if score is not None))

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
        for index, values in batches.run(copies, [len(copy.tokens) for copy in copies], self._budget, self._predict):
            yield owners[index], TokenScores(tuple(values))

    @property
    def _within_word(self) -> str:
        return self.spec.option("within_word", ("show", "mask"), "show")

    @cached_property
    def _budget(self) -> int:
        # The output layer has a row for every copy: with a large vocabulary that is what fills the memory.
        return budget(self.loaded, self.spec, cpu=2_500, gpu=32_000)

    @cached_property
    def _feeder(self) -> torch.nn.Module | None:
        return feeder_of(self.loaded.model)

    def _encode(self, texts: list[str]) -> list[Any]:
        return list(self.loaded.tokenizer(texts, return_special_tokens_mask=True).encodings) if texts else []

    def _copies(self, encoded: Any, start: int) -> Iterator[Copy]:
        tokens, special, offsets = encoded.ids, encoded.special_tokens_mask, encoded.offsets
        words = encoded.word_ids if self._within_word == "mask" else None
        mask = self.loaded.tokenizer.mask_token_id
        for place, token in enumerate(tokens):
            # A token that reaches beyond the start counts: it holds some of what is scored.
            if special[place] or offsets[place][1] <= start:
                continue
            end = place + 1
            while words is not None and end < len(tokens) and words[end] is not None and words[end] == words[place]:
                end += 1
            yield Copy((*tokens[:place], *[mask] * (end - place), *tokens[end:]), place, (token,))

    def _blank(self, blank: Blank) -> Copy | str:
        """The sentence with a mask in its gap, or why the words cannot be compared there."""
        tokenizer = self.loaded.tokenizer
        before, _, after = blank.text.partition(GAP)
        filled = [tokenizer(before + word + after).input_ids for word in blank.words]
        if not all(blank.words) or len({len(tokens) for tokens in filled}) > 1:
            return "not a single token"
        differing = {place for place in range(len(filled[0])) if len({tokens[place] for tokens in filled}) > 1}
        if len(differing) != 1:
            return "not a single token"
        place = differing.pop()
        # Alike but for one token: that token must be the whole word, not its stem before a shared ending.
        read = [tokenizer.decode(tokenizer(word, add_special_tokens=False).input_ids).strip() for word in blank.words]
        if any(tokenizer.decode([tokens[place]]).strip() != word for tokens, word in zip(filled, read, strict=True)):
            return "not a single token"
        if refusal := too_long(len(filled[0]), self.loaded.max_length):
            return refusal
        masked = [*filled[0][:place], tokenizer.mask_token_id, *filled[0][place + 1 :]]
        return Copy(tuple(masked), place, tuple(tokens[place] for tokens in filled))

    @torch.inference_mode()
    def _predict(self, copies: list[Copy]) -> batches.Done[list[float]]:
        tokens, mask = padded([copy.tokens for copy in copies], self._pad, self.loaded.device)
        rows = [row for row, copy in enumerate(copies) for _ in copy.targets]
        positions = [copy.position for copy in copies for _ in copy.targets]
        targets = [target for copy in copies for target in copy.targets]
        values, _ = logprobs_at(
            self._feeder, lambda: self.loaded.model(input_ids=tokens, attention_mask=mask), rows, positions, targets
        )

        def found() -> list[list[float]]:
            each = iter(values.tolist())
            return [[next(each) for _ in copy.targets] for copy in copies]

        return batches.read(self.loaded.device, found)

    @property
    def _pad(self) -> int:
        return int(self.loaded.tokenizer.pad_token_id)


def open_masked(spec: ModelSpec) -> Masked:
    """`mlm:NAME[,within_word=show|mask][,dtype=...][,device=...][,tokens=N]`."""
    spec.only("device", "dtype", "tokens", "within_word")
    spec.option("within_word", ("show", "mask"), "show")
    spec.number("tokens", 1)
    return Masked(load(spec, "AutoModelForMaskedLM", fast_tokenizer=True), spec)
