"""Choices without premise or question, after XCOPA's NoP and NoQ: baselines that show what can be guessed.

Nothing replaces what is hidden. Members of a group are changed together or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.items import Item
from referee.perturbations.base import Dropped, Perturbation, changed_twin, together

NO_PREMISE, NO_QUESTION = "no-premise", "no-question"


def hidden_perturbations() -> Iterator[Perturbation]:
    """The baselines `no-premise` and `no-question`."""
    yield Perturbation(
        name=NO_PREMISE,
        about="baseline: hide the premise, keep question and candidates",
        languages=("any",),
        apply=no_premise,
        example="What was the cause? It rained. / It was noon.",
        apply_group=together(no_premise),
        kind="baseline",
        hides="the premise",
    )
    yield Perturbation(
        name=NO_QUESTION,
        about="baseline: hide the question, keep premise and candidates",
        languages=("any",),
        apply=no_question,
        example="The street is wet. It rained. / It was noon.",
        apply_group=together(no_question),
        kind="baseline",
        hides="the question",
    )


def no_premise(item: Item) -> Item | Dropped:
    """The item without its source and context."""
    if item.task != "choose":
        return Dropped("is not a 'choose' item")
    if not item.source:
        return Dropped("has no premise")
    spans = tuple(span for span in item.spans if span.field == "candidate")
    return changed_twin(item, NO_PREMISE, kind="baseline", source="", source_context=(), target_context=(), spans=spans)


def no_question(item: Item) -> Item | Dropped:
    """The item without its question."""
    if item.task != "choose":
        return Dropped("is not a 'choose' item")
    if not item.question:
        return Dropped("has no question")
    return changed_twin(item, NO_QUESTION, kind="baseline", question=None)
