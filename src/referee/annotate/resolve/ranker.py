"""The ranker: how probable each candidate is to be the antecedent of a pronoun, by a few small networks in numpy.

Features choose rows of tables. The rows of the pronoun, of the mention and of the pair are added up to the hidden
layer; a second layer and a sum of single weights give the score. "No antecedent" has a score of its own, and all
scores of a pronoun make one distribution. The networks differ by their seed only, and their distributions are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.annotate.resolve.features import Pairs
from referee.pocket.store import PocketModel

Floats = NDArray[np.float32]
_DECIMALS = 5
BLOCK = 512
"""Pronouns that are ranked at a time: a document may be a whole corpus."""


@dataclass(frozen=True, slots=True)
class Ranker:
    """Weights of several networks next to each other: the columns of a table are those of all networks."""

    networks: int
    pronoun: Floats
    mention: Floats
    pair: Floats
    nothing: Floats
    mention_weight: Floats
    pair_weight: Floats
    bias: Floats
    nothing_bias: Floats
    second: Floats
    """Networks, outputs, inputs."""
    second_bias: Floats
    out: Floats
    nothing_out: Floats
    nothing_out_bias: Floats

    def probabilities(self, pairs: Pairs) -> Floats:
        """One row per pronoun: no antecedent, then its candidates in order; unused columns are 0."""
        blocks = [self._block(pairs, start) for start in range(0, len(pairs.pronouns), BLOCK)]
        return np.concatenate(blocks) if blocks else np.zeros((0, 1 + pairs.candidates.shape[1]), np.float32)

    def _block(self, pairs: Pairs, start: int) -> Floats:
        candidates = pairs.candidates[start : start + BLOCK]
        row, column = np.nonzero(candidates >= 0)
        features = pairs.of_pair[start : start + BLOCK][row, column]
        of_pronoun = pairs.of_pronoun[start : start + BLOCK]
        used, which = np.unique(candidates[row, column], return_inverse=True)
        hidden = _summed(self.pair, features)
        hidden += (_summed(self.pronoun, of_pronoun) + self.bias)[row]
        hidden += _summed(self.mention, pairs.of_mention[used])[which]
        np.maximum(hidden, 0, out=hidden)
        scores = _summed(self.pair_weight, features) + _summed(self.mention_weight, pairs.of_mention[used])[which]
        scores += self._second(hidden)
        total = np.full((*candidates.shape, self.networks), -np.inf, np.float32)
        total[row, column] = scores
        nothing = np.maximum(_summed(self.nothing, of_pronoun) + self.nothing_bias, 0)
        nothing = np.einsum("pnh,nh->pn", self._split(nothing), self.nothing_out) + self.nothing_out_bias
        mean: Floats = _softmax(np.concatenate([nothing[:, None, :], total], axis=1)).mean(axis=2)
        return mean

    def _split(self, hidden: Floats) -> Floats:
        return hidden.reshape(len(hidden), self.networks, hidden.shape[1] // self.networks)

    def _second(self, hidden: Floats) -> Floats:
        """Scores of the second layer, in double precision and rounded: they must not depend on the other rows."""
        split = self._split(hidden).astype(np.float64)
        scores = np.empty((len(hidden), self.networks))
        for network in range(self.networks):
            inner = np.maximum(split[:, network] @ self.second[network].T + self.second_bias[network], 0)
            scores[:, network] = inner @ self.out[network]
        return np.round(scores, _DECIMALS).astype(np.float32)


def ranker_of(model: PocketModel) -> Ranker:
    """The ranker that is stored in a file."""
    weights = {name: np.ascontiguousarray(array, np.float32) for name, array in model.weights.items()}
    networks = len(weights["out"])
    width = weights["pair"].shape[1] // networks
    return Ranker(
        networks=networks,
        second=weights.pop("second").reshape(networks, -1, width),
        second_bias=weights.pop("second_bias").reshape(networks, -1),
        **weights,
    )


def _summed(table: Floats, features: NDArray[np.int32]) -> Floats:
    """The sum of the rows that the features choose."""
    total = table[features[..., 0]]
    for number in range(1, features.shape[-1]):
        total += table[features[..., number]]
    return total


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares
