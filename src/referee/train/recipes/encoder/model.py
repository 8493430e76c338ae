"""Encoder and heads together: their loss on a batch, and what they find in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from referee.train.recipes.encoder.batches import IGNORED, STYLES_OF_LANGUAGE, Batch, filled, packed
from referee.train.recipes.encoder.examples import DEPREL, HEAD, LEMMA, SPLIT, TAG, Examples
from referee.train.recipes.encoder.heads import Heads, losses, total
from referee.train.recipes.encoder.inventory import Inventory
from referee.train.recipes.encoder.network import Encoder, Size
from referee.train.recipes.encoder.passages import LANGUAGES

STYLES = 1 + len(LANGUAGES) * STYLES_OF_LANGUAGE
_NOT_FOUND = -9
COLUMNS = {"split": SPLIT, "upos": TAG, "lemma": LEMMA, "arc": HEAD, "label": DEPREL}


class Annotator(nn.Module):
    """The encoder, its heads, and the styles of treebanks that are not followed: those are left out of the file."""

    def __init__(self, size: Size, inventory: Inventory) -> None:
        super().__init__()
        self.encoder, self.heads = Encoder(size), Heads(inventory, size.width)
        self.styles = nn.Embedding(STYLES, size.width, padding_idx=0)
        nn.init.zeros_(self.styles.weight)

    def forward(self, batch: Batch, pieces: Tensor) -> dict[str, Tensor]:
        """Scores by task; `pieces` are those of the batch, some of them hidden perhaps."""
        with torch.autocast(pieces.device.type, torch.bfloat16, enabled=pieces.is_cuda):
            states = self.encoder(pieces, batch.mask(), batch.positions, self.styles(batch.style))
            scores: dict[str, Tensor] = self.heads(states, batch)
        return scores

    def loss(self, batch: Batch, pieces: Tensor) -> Tensor:
        """The loss of all tasks."""
        return total(losses(self(batch, pieces), batch))


def hidden(pieces: Tensor, ordinary: Tensor, mask: int, share: float) -> Tensor:
    """Hide some pieces, so that heads learn from the context too."""
    chosen = (torch.rand(pieces.shape, device=pieces.device) < share) & ordinary[pieces]
    return pieces.masked_fill(chosen, mask)


@dataclass(frozen=True)
class Found:
    """Labels of all atoms and words of some examples, in the form of the examples, and their probabilities.

    `sure` has a number per word and task, and for features one per word and feature.
    """

    borders: np.ndarray
    words: np.ndarray
    feats: np.ndarray
    sure: Mapping[str, np.ndarray]


@torch.no_grad()
def find(
    models: Sequence[Annotator], examples: Examples, texts: Sequence[range], languages: Sequence[int], rows: int = 256
) -> Found:
    """Labels that several models find together. Heads are indices in the sentence, -1 for the root."""
    borders = np.zeros(len(examples.atoms), np.int8)
    words, feats = examples.words.copy(), np.zeros_like(examples.feats)
    words[:, list(COLUMNS.values())] = _NOT_FOUND
    sure = {name: np.zeros(len(words), np.float16) for name in COLUMNS}
    sure["feats"] = np.zeros(feats.shape, np.float16)
    device = next(models[0].parameters()).device
    for batch in _batches(examples, texts, languages, rows):
        here = batch.to(str(device))
        shared = _mean([model(here, here.pieces) for model in models])
        atoms, places = batch.atom_source >= 0, batch.word_source >= 0
        borders[batch.atom_source[atoms]] = shared["border"].argmax(-1).cpu()[atoms]
        source = batch.word_source[places].numpy()
        for name, column in COLUMNS.items():
            best = shared[name].max(-1)
            words[source, column] = best.indices.cpu()[places]
            sure[name][source] = best.values.cpu()[places].half()
        start = _first_places(batch)
        head = words[source, HEAD].astype(np.int64)
        words[source, HEAD] = np.where(head == 0, -1, head - 1 - start)
        for number in range(feats.shape[1]):
            best = shared[f"feature {number}"].max(-1)
            feats[source, number] = best.indices.cpu()[places]
            sure["feats"][source, number] = best.values.cpu()[places].half()
    return Found(borders, words, feats, sure)


def _first_places(batch: Batch) -> np.ndarray:
    """For each word, the place in its row of the first word of its sentence."""
    sentence = batch.sentence.numpy()
    place = np.broadcast_to(np.arange(sentence.shape[1]), sentence.shape)
    begins = np.diff(sentence, axis=1, prepend=-2) != 0
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    return np.asarray(first[batch.word_source.numpy() >= 0])


def _batches(examples: Examples, texts: Sequence[range], languages: Sequence[int], rows: int) -> Iterator[Batch]:
    tokens = np.array(languages)
    for listed in filled(examples, texts, rows):
        batch = packed(examples, listed, tokens, np.ones(sum(map(len, listed)), bool))
        # The label of an arc is asked for the head that is found, not for the one in the examples.
        batch.words[..., HEAD] = IGNORED
        yield batch


def _mean(several: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Probabilities, averaged."""
    return {name: torch.stack([scores[name].float().softmax(-1) for scores in several]).mean(0) for name in several[0]}


def accuracy(gold: Examples, found: Found) -> dict[str, dict[str, float]]:
    """Per cent of words with the correct label, by language and task, of those that labels were found for."""
    language = np.repeat(gold.language, np.diff(gold.first_word))
    correct = {
        name: found.words[:, column] == gold.words[:, column] for name, column in COLUMNS.items() if name != "split"
    }
    correct["LAS"] = correct["arc"] & correct.pop("label")
    known = gold.feats >= 0
    correct["feats"] = ((found.feats == gold.feats) | ~known).all(axis=1)
    table: dict[str, dict[str, float]] = {}
    looked_at = found.words[:, TAG] != _NOT_FOUND
    for number in np.unique(language[looked_at]):
        chosen = (language == number) & looked_at
        table[str(number)] = {name: round(100 * float(hits[chosen].mean()), 2) for name, hits in correct.items()}
    return table
