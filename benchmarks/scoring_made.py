"""Checkpoints of real size with random weights, and texts of known length, made on the spot for `scoring.py`.

For speed only the sizes of the matrices and the numbers of tokens matter. Tokenizers are trained on invented words and
filled up with entries that no text uses until the vocabulary has the published size; texts are made of words that
are one token each, so their lengths are exact.
"""

# ruff: noqa: ANN401 - classes of transformers, which have no types

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
import torch
import transformers

PLACE = "▁"


@dataclass(frozen=True)
class Size:
    """How large a model is; `quick` ones only show that a script works."""

    layers: int
    width: int
    inner: int
    heads: int
    vocabulary: int


SIZES = {
    "xlmr-base": Size(12, 768, 3072, 12, 250_002),
    "xlmr-large": Size(24, 1024, 4096, 16, 250_002),
    "opus-mt": Size(6, 512, 2048, 8, 58_101),
    "gpt2": Size(12, 768, 3072, 12, 50_257),
}
QUICK = {name: Size(2, 64, 128, 4, 3_000) for name in SIZES}


def words(count: int = 400) -> list[str]:
    """Invented words, none the start of another's tokens often enough to matter."""
    draw = random.Random(7)
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(draw.randint(2, 3)))] = None
    return list(found)


def _corpus() -> list[str]:
    draw = random.Random(8)
    return [" ".join(draw.choices(words(), k=12)) for _ in range(2_000)]


def _filled(tokens: list[str], size: int) -> list[str]:
    return tokens + [f"<unused{number}>" for number in range(size - len(tokens))]


def _drawn(model: Any, folder: Path, dtype: str) -> None:
    model.to(getattr(torch, dtype)).save_pretrained(folder)


def marian(folder: Path, size: Size, device: str = "cpu", dtype: str = "float32") -> Path:
    """As the opus-mt models: one vocabulary for both sides, tied with the output layer."""
    folder.mkdir()
    trained = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(_corpus()),
        model_writer=trained,
        model_type="unigram",
        vocab_size=1_000,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    spm = sentencepiece.SentencePieceProcessor(model_proto=trained.getvalue())
    pieces = [spm.id_to_piece(number) for number in range(3, spm.get_piece_size())]
    vocabulary = [*_filled(["</s>", "<unk>", *pieces], size.vocabulary - 1), "<pad>"]
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(trained.getvalue())
    (folder / "vocab.json").write_text(json.dumps({token: number for number, token in enumerate(vocabulary)}))
    tokenizer = transformers.MarianTokenizer(
        source_spm=str(folder / "source.spm"),
        target_spm=str(folder / "target.spm"),
        vocab=str(folder / "vocab.json"),
        source_lang="en",
        target_lang="de",
        model_max_length=512,
    )
    tokenizer.save_pretrained(folder)
    config = transformers.MarianConfig(
        vocab_size=size.vocabulary,
        d_model=size.width,
        encoder_layers=size.layers,
        decoder_layers=size.layers,
        encoder_attention_heads=size.heads,
        decoder_attention_heads=size.heads,
        encoder_ffn_dim=size.inner,
        decoder_ffn_dim=size.inner,
        max_position_embeddings=512,
        activation_function="swish",
        scale_embedding=True,
        pad_token_id=size.vocabulary - 1,
        decoder_start_token_id=size.vocabulary - 1,
        bos_token_id=0,
        eos_token_id=0,
    )
    with torch.device(device):
        _drawn(transformers.MarianMTModel(config), folder, dtype)
    return folder


def xlmr(folder: Path, size: Size, device: str = "cpu", dtype: str = "float32") -> Path:
    """As XLM-R: a unigram vocabulary, the output layer tied with the embeddings."""
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    letters = sorted({letter for word in words() for letter in word})
    plain = [PLACE, *(PLACE + word for word in words()), *letters]
    vocabulary = [*_filled([*specials, *plain], size.vocabulary - 1), "<mask>"]
    scores = {PLACE + word: -6.0 for word in words()} | dict.fromkeys([PLACE, *letters], -12.0)
    model = tokenizers.models.Unigram([(token, scores.get(token, -20.0)) for token in vocabulary], unk_id=3)
    made = tokenizers.Tokenizer(model)
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    made.decoder = tokenizers.decoders.Metaspace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"bos": "<s>", "cls": "<s>", "pad": "<pad>", "eos": "</s>", "sep": "</s>", "unk": "<unk>", "mask": "<mask>"}
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, model_max_length=512, **{f"{name}_token": token for name, token in names.items()}
    ).save_pretrained(folder)
    config = transformers.XLMRobertaConfig(
        vocab_size=size.vocabulary,
        hidden_size=size.width,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        intermediate_size=size.inner,
        max_position_embeddings=514,
        type_vocab_size=1,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
    )
    with torch.device(device):
        _drawn(transformers.XLMRobertaForMaskedLM(config), folder, dtype)
    return folder


def gpt2(folder: Path, size: Size, device: str = "cpu", dtype: str = "float32") -> Path:
    """As GPT-2: byte pairs, the output layer tied with the embeddings."""
    trained = tokenizers.ByteLevelBPETokenizer()
    both = [*_corpus(), *(word + "\n" for word in words() for _ in range(20))]
    trained.train_from_iterator(both, vocab_size=2_900, min_frequency=1, show_progress=False)
    state = json.loads(trained.to_str())
    known = sorted(state["model"]["vocab"], key=state["model"]["vocab"].__getitem__)
    filled = [*_filled(known, size.vocabulary - 1), "<|endoftext|>"]
    state["model"]["vocab"] = {token: number for number, token in enumerate(filled)}
    made = tokenizers.Tokenizer.from_str(json.dumps(state))
    end = "<|endoftext|>"
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token=end, eos_token=end, unk_token=end, model_max_length=1024
    ).save_pretrained(folder)
    config = transformers.GPT2Config(
        vocab_size=size.vocabulary,
        n_positions=1024,
        n_embd=size.width,
        n_layer=size.layers,
        n_head=size.heads,
        n_inner=size.inner,
        bos_token_id=size.vocabulary - 1,
        eos_token_id=size.vocabulary - 1,
    )
    with torch.device(device):
        _drawn(transformers.GPT2LMHeadModel(config), folder, dtype)
    return folder


class Texts:
    """Sentences of so many tokens each, from words that the tokenizer takes for one token wherever they stand."""

    def __init__(self, tokenizer: Any, seed: int = 0) -> None:
        self._draw = random.Random(seed)
        self._words = [word for word in words() if _single(tokenizer, word)]
        if len(self._words) < 50:
            raise SystemExit(f"only {len(self._words)} words are single tokens: the tokenizer was not trained as meant")

    def sentence(self, tokens: int) -> str:
        return " ".join(self._draw.choices(self._words, k=tokens))

    def alternatives(self, tokens: int, count: int) -> tuple[str, int, list[str]]:
        """A sentence, the place of one of its words, and so many different words for that place."""
        place = self._draw.randrange(tokens)
        return self.sentence(tokens), place, self._draw.sample(self._words, count)

    def candidates(self, tokens: int, count: int) -> list[str]:
        """Sentences that differ in one word, at any place."""
        sentence, place, chosen = self.alternatives(tokens, count)
        made = sentence.split()
        return [" ".join([*made[:place], word, *made[place + 1 :]]) for word in chosen]

    def length(self, low: int, high: int) -> int:
        return self._draw.randint(low, high)


def _single(tokenizer: Any, word: str) -> bool:
    """Alone, and after another word."""
    count: Callable[[str], int] = lambda text: len(tokenizer(text, add_special_tokens=False).input_ids)  # noqa: E731
    return count(word) == 1 and count(f"{word} {word} {word}") == 3
