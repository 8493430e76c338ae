"""The heads of the annotator in PyTorch: what `annotate/pocket` computes with numpy, with losses."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.annotate.pocket.heads import PARTS
from referee.train.recipes.encoder.batches import IGNORED, Batch
from referee.train.recipes.encoder.examples import DEPREL, FIRST, HEAD, LAST, LEMMA, PART, SPLIT, TAG
from referee.train.recipes.encoder.inventory import Inventory

SPLITTING, TAGGING, LEMMATISING, ARC, LABEL = 64, 256, 96, 160, 64
"""Widths of the hidden layers."""
_NOTHING = -1e4
"""Instead of minus infinity, which halves of floats do not have."""


class Heads(nn.Module):
    """Vectors of pieces to borders, words, tags and trees. The names of the parts are those of the stored file."""

    def __init__(self, inventory: Inventory, width: int, dropout: float = 0.25) -> None:
        super().__init__()
        both = 2 * width
        self.values = [len(values) for values in inventory.features.values()]
        self.dropout = nn.Dropout(dropout)
        self.border = nn.Linear(both, 3)
        self.split_down, self.split_out = nn.Linear(both, SPLITTING), nn.Linear(SPLITTING, len(inventory.splits))
        self.parts, self.root = nn.Parameter(torch.zeros(PARTS, both)), nn.Parameter(torch.zeros(both))
        self.tag_hidden = nn.Linear(both, TAGGING)
        self.upos, self.feats = nn.Linear(TAGGING, len(inventory.upos)), nn.Linear(TAGGING, sum(self.values))
        self.lemma_down = nn.Linear(both, LEMMATISING)
        self.lemma_out = nn.Linear(LEMMATISING, len(inventory.lemmas))
        self.arc_dependent, self.arc_head = nn.Linear(both, ARC), nn.Linear(both, ARC)
        self.arc_weight, self.arc_bias = nn.Parameter(torch.zeros(ARC, ARC)), nn.Parameter(torch.zeros(ARC))
        self.label_dependent, self.label_head = nn.Linear(both, LABEL), nn.Linear(both, LABEL)
        self.label_weight = nn.Parameter(torch.zeros(len(inventory.deprels), LABEL + 1, LABEL + 1))
        for matrix in (self.parts, self.root, self.arc_weight, self.label_weight):
            nn.init.normal_(matrix, std=0.02)

    def forward(self, states: Tensor, batch: Batch) -> dict[str, Tensor]:
        """Scores of every class, by task; arcs of (rows, words, root and words)."""
        atoms = self._pair(states, batch.atoms[..., 0], batch.atoms[..., 1])
        tokens = self._pair(states, batch.words[..., FIRST], batch.words[..., LAST])
        words = tokens + self.parts[batch.words[..., PART].clamp_min(0)]
        hidden = self.dropout(functional.gelu(self.tag_hidden(words)))
        scores = {
            "border": self.border(atoms),
            "split": self.split_out(functional.gelu(self.split_down(tokens))),
            "upos": self.upos(hidden),
            "lemma": self.lemma_out(functional.gelu(self.lemma_down(words))),
            "arc": self._arcs(words, batch.sentence),
        }
        scores |= {
            f"feature {number}": part for number, part in enumerate(self.feats(hidden).split(self.values, dim=-1))
        }
        scores["label"] = self._labels(words, self._heads(scores["arc"], batch.words[..., HEAD]))
        return scores

    def _pair(self, states: Tensor, first: Tensor, last: Tensor) -> Tensor:
        ends = [
            states.gather(1, piece.clamp_min(0)[..., None].expand(-1, -1, states.shape[2])) for piece in (first, last)
        ]
        pair: Tensor = self.dropout(torch.cat(ends, dim=-1))
        return pair

    def _with_root(self, words: Tensor) -> Tensor:
        return torch.cat([self.root.to(words.dtype).expand(len(words), 1, -1), words], dim=1)

    def _arcs(self, words: Tensor, sentence: Tensor) -> Tensor:
        dependents = self.dropout(functional.gelu(self.arc_dependent(words)))
        heads = self.dropout(functional.gelu(self.arc_head(self._with_root(words))))
        scores: Tensor = (dependents @ self.arc_weight.to(words.dtype) + self.arc_bias) @ heads.transpose(1, 2)
        same = sentence[:, :, None] == sentence[:, None, :]
        same &= ~torch.eye(same.shape[1], dtype=torch.bool, device=same.device)
        allowed = functional.pad(same, (1, 0), value=True)
        return scores.float().masked_fill(~allowed, _NOTHING)

    @staticmethod
    def _heads(arcs: Tensor, gold: Tensor) -> Tensor:
        """The heads whose labels are asked for: the known ones, otherwise the most probable."""
        return torch.where(gold >= 0, gold, arcs.argmax(-1))

    def _labels(self, words: Tensor, heads: Tensor) -> Tensor:
        dependents = self.dropout(functional.gelu(self.label_dependent(words)))
        governors = self.dropout(functional.gelu(self.label_head(self._with_root(words))))
        chosen = governors.gather(1, heads[..., None].expand(-1, -1, governors.shape[2]))
        one = dependents.new_ones(*dependents.shape[:2], 1)
        dependents, chosen = torch.cat([dependents, one], -1), torch.cat([chosen, one], -1)
        mixed = torch.einsum("bwi,rij->bwrj", dependents, self.label_weight.to(words.dtype))
        return torch.einsum("bwrj,bwj->bwr", mixed, chosen)

    def stored(self) -> dict[str, Tensor]:
        """The matrices under the names that the annotator reads."""
        arrays = {_stored_name(name): weight for name, weight in self.named_parameters()}
        return arrays | {"label.weight": arrays["label.weight"].flatten(0, 1)}

    @torch.no_grad()
    def load(self, stored: Mapping[str, Tensor]) -> None:
        """Take over what `stored` gave."""
        for name, weight in self.named_parameters():
            weight.copy_(stored[_stored_name(name)].view(weight.shape))


def _stored_name(name: str) -> str:
    """A linear layer's matrix bears the name of the layer; matrices of their own are called weights."""
    return name.removesuffix(".weight").replace("_", ".")


WEIGHTS: Mapping[str, float] = {"border": 1.0, "split": 0.5, "upos": 1.0, "lemma": 1.0, "arc": 1.5, "label": 1.0}
"""How much each task counts; features count together, see `total`."""


def losses(scores: Mapping[str, Tensor], batch: Batch) -> dict[str, Tensor]:
    """Mean cross-entropy of each task where its label is known."""
    targets = labels(batch)
    return {name: _loss(score.flatten(0, 1).float(), targets[name].flatten()) for name, score in scores.items()}


def _loss(scores: Tensor, targets: Tensor) -> Tensor:
    """Mean cross-entropy; 0 where no label is known, which would otherwise be a division by zero."""
    summed = functional.cross_entropy(scores, targets, ignore_index=IGNORED, reduction="sum")
    return summed / (targets != IGNORED).sum().clamp_min(1)


def labels(batch: Batch) -> dict[str, Tensor]:
    """The labels of each task, `IGNORED` where they are not known."""
    columns = {"split": SPLIT, "upos": TAG, "lemma": LEMMA, "arc": HEAD, "label": DEPREL}
    named = {"border": batch.atoms[..., 2]} | {name: batch.words[..., column] for name, column in columns.items()}
    named |= {f"feature {number}": batch.feats[..., number] for number in range(batch.feats.shape[2])}
    return {name: values.masked_fill(values < 0, IGNORED) for name, values in named.items()}


def total(parts: Mapping[str, Tensor]) -> Tensor:
    """The loss that is learned by."""
    features = [loss for name, loss in parts.items() if name.startswith("feature")]
    summed = [WEIGHTS[name] * loss for name, loss in parts.items() if name in WEIGHTS]
    summed.append(torch.stack(features).sum() * (3 / math.sqrt(len(features))))
    return torch.stack(summed).sum()
