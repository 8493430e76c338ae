"""The network: Marian's, in plain PyTorch, so that a training step is a handful of large operations.

Sinusoidal positions, layer norm after each part, one embedding for source, target and output. Parameters bear the names
of transformers' `MarianMTModel`, so a checkpoint is a matter of copying.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Size:
    """Dimensions of a network."""

    vocabulary: int
    width: int = 384
    inner: int = 1536
    heads: int = 6
    encoder_layers: int = 6
    decoder_layers: int = 3
    positions: int = 512
    dropout: float = 0.1


def sinusoids(positions: int, width: int) -> Tensor:
    """Sines in the first half of the columns, cosines in the second, as Marian has them."""
    position = torch.arange(positions, dtype=torch.float64)[:, None]
    column = torch.arange(width, dtype=torch.float64)[None, :]
    angle = position / torch.pow(10_000, 2 * torch.div(column, 2, rounding_mode="floor") / width)
    return torch.cat([angle[:, 0::2].sin(), angle[:, 1::2].cos()], dim=1).float()


class Attention(nn.Module):
    """Attention over a few heads."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads, self.dropout = size.heads, size.dropout
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(size.width, size.width) for _ in range(4))

    def forward(self, states: Tensor, others: Tensor, mask: Tensor | None, *, causal: bool = False) -> Tensor:
        """Each of `states` looks at `others`, at those before it only if `causal`."""

        def split(values: Tensor) -> Tensor:
            return values.view(*values.shape[:2], self.heads, -1).transpose(1, 2)

        heads = functional.scaled_dot_product_attention(
            split(self.q_proj(states)), split(self.k_proj(others)), split(self.v_proj(others)), mask, is_causal=causal
        )
        attended: Tensor = self.out_proj(heads.transpose(1, 2).flatten(2))
        return attended


class Layer(nn.Module):
    """One layer of the encoder, or with attention to the source, of the decoder."""

    def __init__(self, size: Size, *, decoder: bool) -> None:
        super().__init__()
        self.dropout = size.dropout
        self.self_attn = Attention(size)
        self.self_attn_layer_norm = nn.LayerNorm(size.width)
        if decoder:
            self.encoder_attn = Attention(size)
            self.encoder_attn_layer_norm = nn.LayerNorm(size.width)
        self.fc1, self.fc2 = nn.Linear(size.width, size.inner), nn.Linear(size.inner, size.width)
        self.final_layer_norm = nn.LayerNorm(size.width)
        self.decoder = decoder

    def forward(self, states: Tensor, mask: Tensor | None, source: Tensor | None, source_mask: Tensor | None) -> Tensor:
        """States after this layer."""
        states = self._added(
            states, self.self_attn(states, states, mask, causal=self.decoder), self.self_attn_layer_norm
        )
        if self.decoder:
            update = self.encoder_attn(states, source, source_mask)
            states = self._added(states, update, self.encoder_attn_layer_norm)
        update = self.fc2(functional.dropout(functional.relu(self.fc1(states)), self.dropout, self.training))
        return self._added(states, update, self.final_layer_norm)

    def _added(self, states: Tensor, update: Tensor, norm: nn.Module) -> Tensor:
        normed: Tensor = norm(states + functional.dropout(update, self.dropout, self.training))
        return normed


class Stack(nn.Module):
    """Layers one upon the other."""

    def __init__(self, size: Size, layers: int, *, decoder: bool) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(size, decoder=decoder) for _ in range(layers))

    def forward(
        self,
        states: Tensor,
        mask: Tensor | None = None,
        source: Tensor | None = None,
        source_mask: Tensor | None = None,
    ) -> Tensor:
        """States after all layers."""
        for layer in self.layers:
            states = layer(states, mask, source, source_mask)
        return states


class Translator(nn.Module):
    """Encoder and decoder over one embedding."""

    positions: Tensor

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        # Padding, the last token, has no weights: what starts a target is all zeros, in every engine.
        self.shared = nn.Embedding(size.vocabulary - 1, size.width)
        nn.init.normal_(self.shared.weight, std=size.width**-0.5)
        self.encoder = Stack(size, size.encoder_layers, decoder=False)
        self.decoder = Stack(size, size.decoder_layers, decoder=True)
        self.register_buffer("positions", sinusoids(size.positions, size.width), persistent=False)
        for name, weight in self.named_parameters():
            if weight.dim() == 2 and not name.startswith("shared"):
                nn.init.xavier_uniform_(weight)

    def forward(self, sources: Tensor, inputs: Tensor, pad: int) -> Tensor:
        """Logits of what follows each of the inputs."""
        weight = functional.pad(self.shared.weight, (0, 0, 0, 1))
        seen = (sources != pad)[:, None, None, :]
        source = self.encoder(self._embedded(sources, weight), seen)
        states = self.decoder(self._embedded(inputs, weight), None, source, seen)
        return functional.linear(states, weight)

    def _embedded(self, tokens: Tensor, weight: Tensor) -> Tensor:
        states = functional.embedding(tokens, weight) * math.sqrt(self.size.width) + self.positions[: tokens.shape[1]]
        return functional.dropout(states, self.size.dropout, self.training)
