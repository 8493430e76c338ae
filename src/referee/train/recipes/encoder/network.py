"""The network: XLM-RoBERTa's, in plain PyTorch, so that a training step is a handful of large operations.

Learned positions, layer norm after each part, one embedding for input and output. Parameters bear the names of
transformers' `XLMRobertaForMaskedLM`, so a checkpoint is a matter of copying.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

OFFSET = 2
"""The number of the first position: XLM-RoBERTa counts from one more than its padding's number."""
EPSILON = 1e-5


@dataclass(frozen=True)
class Size:
    """Dimensions of a network."""

    vocabulary: int
    width: int = 256
    inner: int = 768
    heads: int = 4
    layers: int = 8
    positions: int = 512
    dropout: float = 0.05


class Layer(nn.Module):
    """Attention to all other pieces, then two dense layers."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads, self.dropout = size.heads, nn.Dropout(size.dropout)
        self.query, self.key, self.value, self.attention_out = (nn.Linear(size.width, size.width) for _ in range(4))
        self.attention_norm = nn.LayerNorm(size.width, EPSILON)
        self.intermediate, self.output = nn.Linear(size.width, size.inner), nn.Linear(size.inner, size.width)
        self.output_norm = nn.LayerNorm(size.width, EPSILON)

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """`mask` is true for what may be looked at; none is given where nothing is padded."""

        def split(values: Tensor) -> Tensor:
            return values.view(*values.shape[:2], self.heads, -1).transpose(1, 2)

        heads = functional.scaled_dot_product_attention(
            split(self.query(states)), split(self.key(states)), split(self.value(states)), mask
        )
        states = self.attention_norm(states + self.dropout(self.attention_out(heads.transpose(1, 2).flatten(2))))
        inner = functional.gelu(self.intermediate(states))
        normed: Tensor = self.output_norm(states + self.dropout(self.output(inner)))
        return normed


class Encoder(nn.Module):
    """Pieces to vectors, and vectors to pieces."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        self.words = nn.Embedding(size.vocabulary, size.width)
        self.positions = nn.Embedding(size.positions + OFFSET, size.width)
        self.embeddings_norm = nn.LayerNorm(size.width, EPSILON)
        self.dropout = nn.Dropout(size.dropout)
        self.layers = nn.ModuleList(Layer(size) for _ in range(size.layers))
        self.head = nn.Linear(size.width, size.width)
        self.head_norm = nn.LayerNorm(size.width, EPSILON)
        self.head_bias = nn.Parameter(torch.zeros(size.vocabulary))
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    def forward(
        self, pieces: Tensor, mask: Tensor | None = None, positions: Tensor | None = None, added: Tensor | None = None
    ) -> Tensor:
        """The vectors of the last layer.

        `mask` (rows, pieces, pieces) is true where a piece may look; `positions` number the pieces of a text, from 0;
        `added` is added to the embeddings.
        """
        numbers = torch.arange(pieces.shape[1], device=pieces.device) if positions is None else positions
        embedded = self.words(pieces) + self.positions(numbers + OFFSET)
        states: Tensor = self.dropout(self.embeddings_norm(embedded if added is None else embedded + added))
        attended = None if mask is None else mask[:, None]
        for layer in self.layers:
            states = layer(states, attended)
        return states

    def logits(self, states: Tensor) -> Tensor:
        """What pieces could stand there."""
        shaped = self.head_norm(functional.gelu(self.head(states)))
        return functional.linear(shaped, self.words.weight, self.head_bias)
