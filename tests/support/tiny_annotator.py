"""A small annotator made on the spot: real pieces, and heads with random weights that know a few words of about."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import numpy as np

from referee.annotate.pocket.scripts import KEEP, WHOLE, LemmaScript, SplitScript

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


def arrays(width: int, seed: int = 1, size: float = 0.2) -> dict[str, np.ndarray]:
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
    return {name: (numbers.standard_normal(shape) * size).astype(np.float32) for name, shape in shapes.items()}
