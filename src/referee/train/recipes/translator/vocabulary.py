"""Pieces learnt from the corpus."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable

from referee.errors import InputError
from referee.pocket.vocabulary import Vocabulary

SAMPLE = 500_000
"""Texts that the pieces are learnt from, at most."""


def learn(texts: Iterable[str], size: int, languages: tuple[str, ...], seed: int = 1) -> Vocabulary:
    """Pieces learnt from texts; `size` counts all tokens, special ones too."""
    import sentencepiece

    chosen = list(texts)
    random.Random(seed).shuffle(chosen)  # noqa: S311 no secret
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(chosen[:SAMPLE]),
            model_writer=model,
            # <pad> takes the place of its <s>, which is not used; the languages come on top.
            vocab_size=size - len(languages),
            model_type="unigram",
            character_coverage=0.9998,
            normalization_rule_name="nmt_nfkc",
            max_sentence_length=2_000,
            num_threads=4,
            minloglevel=2,
        )
    except RuntimeError as error:
        reason = str(error).rpartition("] ")[2].rstrip(".")
        raise InputError(
            f"a vocabulary of {size} cannot be learnt from these texts ({reason})",
            "use more text, or a smaller vocabulary",
        ) from None
    return Vocabulary(model.getvalue(), languages)


__all__ = ["Vocabulary", "learn"]
