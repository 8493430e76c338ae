"""A small annotator made on the spot: real pieces, a real encoder and heads with random weights."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from referee.annotate.pocket.annotator import PocketAnnotator, no_lexicon
from referee.annotate.pocket.heads import Heads, read_heads, write_heads
from referee.annotate.pocket.scripts import KEEP, WHOLE, LemmaScript, SplitScript
from referee.pocket import store
from referee.pocket.encoder import PocketEncoder, open_encoder
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from tests.support import small_encoder

LANGUAGES = ("en", "de", "es", "fr", "it", "pl", "pt", "ru")

SENTENCES = (
    "The cup fell off the table, but it did not break.",
    "Where is the bread? I can't find it anywhere!",
    "Der Tisch ist neu, aber er wackelt zum Glück nicht.",
    "La tasse du voisin est tombée hier soir à 10h30.",
    "Il gatto della signora dorme sul tavolo; non si muove.",
    "El gato de la vecina duerme, dámelo mañana.",
    "Kubek spadł ze stołu i się nie rozbił.",
    "O copo caiu da mesa, mas ele não se partiu.",
    "Чашка упала со стола, но она не разбилась.",
)


@cache
def pieces_model() -> bytes:
    """A sentencepiece model of 150 pieces over a few sentences, made as the shipped one is."""
    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([sentence for sentence in SENTENCES for _ in range(5)]),
        model_writer=model,
        vocab_size=150,
        model_type="unigram",
        character_coverage=1.0,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        add_dummy_prefix=False,
        split_digits=True,
        num_threads=1,
        minloglevel=2,
    )
    return model.getvalue()


def about(encoder: str = "0" * 64) -> dict[str, Any]:
    """What the rows of `arrays` mean."""
    return {
        "languages": list(LANGUAGES),
        "upos": ["ADP", "DET", "NOUN", "PRON", "PUNCT", "VERB"],
        "features": {
            "Number": ["", "Plur", "Sing"],
            "Case": ["", "Acc", "Nom"],
            "Gender": ["", "Fem", "Masc", "Neut"],
        },
        "deprels": ["root", "nsubj", "obj", "det", "punct"],
        "lemma_scripts": [list(KEEP), list(LemmaScript(True, 0, "", 0, "")), list(LemmaScript(False, 0, "", 1, "en"))],
        "split_scripts": [list(WHOLE), list(SplitScript(1, "e", ("le",))), list(SplitScript(1, "", ("dem", "so")))],
        "encoder": encoder,
    }


def arrays(width: int, seed: int = 1, size: float = 0.3) -> dict[str, np.ndarray]:
    """Random heads on vectors of `width`; small hidden layers."""
    numbers = np.random.default_rng(seed)
    known = about()
    features = sum(map(len, known["features"].values()))
    both = 2 * width
    shapes: dict[str, tuple[int, ...]] = {
        "border": (3, both),
        "split.down": (8, both),
        "split.out": (len(known["split_scripts"]), 8),
        "tag.hidden": (16, both),
        "upos": (len(known["upos"]), 16),
        "feats": (features, 16),
        "lemma.down": (12, both),
        "lemma.out": (len(known["lemma_scripts"]), 12),
        "arc.dependent": (20, both),
        "arc.head": (20, both),
        "label.dependent": (6, both),
        "label.head": (6, both),
    }
    shapes |= {f"{name}.bias": shape[:1] for name, shape in list(shapes.items())}
    shapes |= {"arc.weight": (20, 20), "arc.bias": (20,), "label.weight": (len(known["deprels"]) * 7, 7)}
    shapes |= {"parts": (4, both), "root": (both,)}
    drawn = {name: (numbers.standard_normal(shape) * size).astype(np.float32) for name, shape in shapes.items()}
    drawn["border.bias"] = np.array([-1.5, 1.5, -0.5], np.float32)
    drawn["split.out.bias"] = np.array([0.5, 0, 0], np.float32)
    return drawn


def encoder(folder: Path) -> PocketEncoder:
    """An opened encoder with rows as long as the shipped one's."""
    model = pieces_model()
    size = {**small_encoder.SIZE, "vocabulary": len(EncoderVocabulary(model, LANGUAGES)), "positions": 128}
    weights = small_encoder.weights(int(size["vocabulary"]))
    chance = np.random.default_rng(2)
    # Without constants that are the same for all pieces, the heads have something to tell apart.
    weights = {name: array * (0 if name.endswith(".bias") else 1) for name, array in weights.items()}
    weights["words.weight"] *= 4
    weights["positions.weight"] = chance.normal(scale=0.4, size=(130, 16)).astype(np.float32)
    path = folder / "encoder.npz"
    store.write(path, store.ENCODER, {"size": size, "languages": LANGUAGES}, model, weights)
    return open_encoder(store.read(path, store.ENCODER))


def heads(folder: Path, sha256: str = "0" * 64, **changes: Any) -> Heads:
    """Heads, written and read again; `changes` are fields of about or arrays (`border_bias` for `border.bias`)."""
    record, weights = about(sha256), arrays(16)
    for name, value in changes.items():
        if name in weights or name.replace("_", ".") in weights:
            weights[name.replace("_", ".")] = np.asarray(value, np.float32)
        else:
            record[name] = value
    write_heads(folder / "heads.npz", record, weights)
    return read_heads(store.read(folder / "heads.npz", store.HEADS))


def annotator(folder: Path, **changes: Any) -> PocketAnnotator:
    """An annotator without a lexicon."""
    opened = encoder(folder)
    return PocketAnnotator(opened, heads(folder, opened.sha256, **changes), no_lexicon)
