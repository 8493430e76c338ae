"""Explanations of predictions: which method of salience explains what kind of model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.errors import UsageError
from referee.protocols import INSEQ, PREDICTION_DIFFERENCE, ExplainRequest, Explanation

if TYPE_CHECKING:
    from referee.models.hf.masked import Masked
    from referee.models.hf.seq2seq import Seq2Seq


def explain_translations(
    model: Seq2Seq, requests: Sequence[ExplainRequest], method: str, tokens: int | None
) -> Iterator[tuple[int, Explanation]]:
    """Explains words of translations by prediction difference, or by a method of inseq."""
    check_method(method)
    if method.startswith(INSEQ):
        from referee.models.explain.inseq import attribution

        return attribution(model, requests, method.removeprefix(INSEQ))
    from referee.models.explain.prediction_difference import in_translations

    return in_translations(model, requests, tokens)


def explain_gaps(
    model: Masked, requests: Sequence[ExplainRequest], method: str, tokens: int | None
) -> Iterator[tuple[int, Explanation]]:
    """Explains words in gaps by prediction difference."""
    check_method(method)
    if method.startswith(INSEQ):
        problem = f"'{method}' explains translations, but this model fills gaps"
        raise UsageError(problem, f"use --method {PREDICTION_DIFFERENCE}")
    from referee.models.explain.prediction_difference import in_gaps

    return in_gaps(model, requests, tokens)


def check_method(method: str) -> None:
    """Refuses what is not the name of a method; the methods of inseq are looked up when they are used."""
    name = method.removeprefix(INSEQ)
    if method != PREDICTION_DIFFERENCE and (name == method or not name.isidentifier()):
        remedy = f"choose {PREDICTION_DIFFERENCE}, or {INSEQ}NAME with an inseq method"
        raise UsageError(f"'{method}' is not a method of salience", remedy)
