"""A small FSMT checkpoint, as facebook/wmt19-en-ru is built: one list of merges, a vocabulary for each side, no codes.

The vocabularies differ in size and order, so that a token of the wrong side gives itself away.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.support import tiny_models as tiny

_SPECIALS = ["<s>", "<pad>", "</s>", "<unk>"]


def make(folder: Path, *, seed: int = 0, source: str = "en", target: str = "de") -> Path:
    """Writes a checkpoint into `folder`, which it makes, and returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    merges, sides = _trained(source, target)
    with tempfile.TemporaryDirectory() as name:
        files = Path(name)
        (files / "merges.txt").write_text("".join(f"{merge}\n" for merge in merges), encoding="utf-8")
        for side, pieces in zip(("src", "tgt"), sides, strict=True):
            numbered = {piece: number for number, piece in enumerate([*_SPECIALS, *pieces])}
            (files / f"vocab-{side}.json").write_text(json.dumps(numbered, ensure_ascii=False), encoding="utf-8")
        tokenizer = tiny.transformers.FSMTTokenizer(
            langs=[source, target],
            src_vocab_file=str(files / "vocab-src.json"),
            tgt_vocab_file=str(files / "vocab-tgt.json"),
            merges_file=str(files / "merges.txt"),
            model_max_length=tiny.POSITIONS,
        )
        tokenizer.save_pretrained(folder)
        for path in files.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
    config = tiny.transformers.FSMTConfig(
        langs=[source, target],
        src_vocab_size=len(_SPECIALS) + len(sides[0]),
        tgt_vocab_size=len(_SPECIALS) + len(sides[1]),
        tie_word_embeddings=False,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        encoder_layerdrop=0.0,
        decoder_layerdrop=0.0,
        num_beams=1,
        **tiny._ENCODER_DECODER,
    )
    with tiny.torch.random.fork_rng(devices=[]):
        model = _drawn(tiny.transformers.FSMTForConditionalGeneration(config), seed)
    model.save_pretrained(folder)
    return folder


def _trained(source: str, target: str) -> tuple[list[str], tuple[list[str], list[str]]]:
    """Merges over both languages, and the pieces of each of them."""
    bpe = tiny.tokenizers.Tokenizer(tiny.tokenizers.models.BPE(end_of_word_suffix="</w>"))
    bpe.pre_tokenizer = tiny.tokenizers.pre_tokenizers.WhitespaceSplit()
    trainer = tiny.tokenizers.trainers.BpeTrainer(
        vocab_size=tiny.PIECES, end_of_word_suffix="</w>", show_progress=False, min_frequency=1
    )
    texts = {language: [_spaced(text) for text in tiny.CORPUS[language]] for language in (source, target)}
    bpe.train_from_iterator([*texts[source], *texts[target]], trainer)
    content = json.loads(bpe.to_str())["model"]
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in content["merges"]]
    letters = [{piece for piece in content["vocab"] if len(piece.removesuffix("</w>")) == 1}]
    pieces = [
        sorted({*letters[0], *(piece for text in texts[side] for piece in bpe.encode(text).tokens)}) for side in texts
    ]
    return merges, (pieces[0], pieces[1][::-1])


def _spaced(text: str) -> str:
    return text.replace(".", " .").replace(",", " ,").replace("?", " ?")


def _drawn(model: Any, seed: int) -> Any:
    """Every weight drawn wide from the seed; positions follow from a formula and stay."""
    generator = tiny.torch.Generator().manual_seed(seed)
    with tiny.torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" in name:
                continue
            parameter.normal_(0.0, 0.2 if parameter.dim() == 1 else 0.35, generator=generator)
            if parameter.dim() == 1 and name.endswith("weight"):
                parameter.add_(1.0)
        for module in model.modules():
            if (
                isinstance(module, tiny.torch.nn.Embedding)
                and module.padding_idx is not None
                and module.weight.requires_grad
            ):
                module.weight[module.padding_idx] = 0.0
    return model.eval()
