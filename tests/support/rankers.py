"""Weights of the pocket resolver for tests."""

from __future__ import annotations

import numpy as np

from referee.annotate.resolve.features import SIZES

HIDDEN, INNER = 6, 4


def random_weights(networks: int, seed: int = 1) -> dict[str, np.ndarray]:
    """Weights of small networks that have learned nothing."""
    draw = np.random.default_rng(seed)
    shapes = {
        "pronoun": (SIZES.pronoun, networks * HIDDEN),
        "mention": (SIZES.mention, networks * HIDDEN),
        "pair": (SIZES.pair, networks * HIDDEN),
        "nothing": (SIZES.pronoun, networks * HIDDEN),
        "mention_weight": (SIZES.mention, networks),
        "pair_weight": (SIZES.pair, networks),
        "bias": (networks * HIDDEN,),
        "nothing_bias": (networks * HIDDEN,),
        "second": (networks * INNER, HIDDEN),
        "second_bias": (networks * INNER,),
        "out": (networks, INNER),
        "nothing_out": (networks, HIDDEN),
        "nothing_out_bias": (networks,),
    }
    return {name: draw.normal(size=shape).astype(np.float32) / 4 for name, shape in shapes.items()}
