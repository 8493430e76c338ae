"""The network: transformers' XLM-RoBERTa, and texts that share a row."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from referee.train.recipes.encoder.network import Encoder, Size  # noqa: E402

SIZE = Size(40, width=16, inner=24, heads=2, layers=2, positions=30, dropout=0.0)


def made() -> Encoder:
    torch.manual_seed(3)
    encoder = Encoder(SIZE).eval()
    for weight in encoder.parameters():
        torch.nn.init.normal_(weight, std=0.4)
    return encoder


def test_it_is_transformers_network() -> None:
    transformers = pytest.importorskip("transformers")
    encoder = made()
    config = transformers.XLMRobertaConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=32,
        type_vocab_size=1,
        pad_token_id=1,
        layer_norm_eps=1e-5,
    )
    theirs = transformers.XLMRobertaForMaskedLM(config).eval()
    own = encoder.state_dict()
    names = {
        "roberta.embeddings.word_embeddings.weight": "words.weight",
        "roberta.embeddings.position_embeddings.weight": "positions.weight",
        "lm_head.bias": "head_bias",
        "lm_head.decoder.weight": "words.weight",
        "lm_head.decoder.bias": "head_bias",
    }
    inside = {
        "attention.self.query": "query",
        "attention.self.key": "key",
        "attention.self.value": "value",
        "attention.output.dense": "attention_out",
        "attention.output.LayerNorm": "attention_norm",
        "intermediate.dense": "intermediate",
        "output.dense": "output",
        "output.LayerNorm": "output_norm",
    }
    parts = {
        "roberta.embeddings.LayerNorm": "embeddings_norm",
        "lm_head.dense": "head",
        "lm_head.layer_norm": "head_norm",
    }
    for layer in range(2):
        parts |= {f"roberta.encoder.layer.{layer}.{name}": f"layers.{layer}.{mine}" for name, mine in inside.items()}
    names |= {f"{name}.{kind}": f"{mine}.{kind}" for name, mine in parts.items() for kind in ("weight", "bias")}
    state = {name: own[names[name]] if name in names else weight for name, weight in theirs.state_dict().items()}
    state["roberta.embeddings.token_type_embeddings.weight"].zero_()
    theirs.load_state_dict(state)
    pieces = torch.randint(4, 40, (3, 11))
    with torch.no_grad():
        expected = theirs(pieces).logits
        torch.testing.assert_close(encoder.logits(encoder(pieces)), expected, atol=1e-4, rtol=1e-4)


def test_a_mask_and_positions_keep_texts_apart() -> None:
    encoder = made()
    one, two = torch.randint(4, 40, (1, 5)), torch.randint(4, 40, (1, 7))
    row = torch.cat([one, two], dim=1)
    text = torch.tensor([[0] * 5 + [1] * 7])
    positions = torch.tensor([[*range(5), *range(7)]])
    with torch.no_grad():
        together = encoder(row, text[:, :, None] == text[:, None, :], positions)
        torch.testing.assert_close(together[:, :5], encoder(one), atol=1e-5, rtol=0)
        torch.testing.assert_close(together[:, 5:], encoder(two), atol=1e-5, rtol=0)
        assert not torch.allclose(encoder(row)[:, 5:], encoder(two), atol=1e-2)


def test_what_is_added_changes_the_vectors() -> None:
    encoder = made()
    pieces = torch.randint(4, 40, (1, 5))
    added = torch.zeros(1, 5, 16)
    with torch.no_grad():
        torch.testing.assert_close(encoder(pieces, added=added), encoder(pieces))
        added[0, 0] = torch.arange(16.0)
        assert not torch.allclose(encoder(pieces, added=added), encoder(pieces), atol=1e-2)
