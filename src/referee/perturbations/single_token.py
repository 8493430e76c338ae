"""Only what masked models can be asked: a word that is one token for each of them.

Words of several tokens cannot be compared in one masked position, and models can only be compared on the same items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.errors import UsageError
from referee.items import Item
from referee.perturbations.base import Dropped, Perturbation
from referee.protocols import Blank, FillsBlanks, Model


def single_tokens(perturbation: Perturbation, models: Mapping[str, Model]) -> Perturbation:
    """The perturbation less the groups in which a candidate is no single token for one of the models."""
    judges = {name: _fills(name, model) for name, model in models.items()}

    def apply_group(members: Sequence[Item]) -> Sequence[Item | Dropped]:
        if perturbation.apply_group is not None:
            made = perturbation.apply_group(members)
        else:
            made = [perturbation.apply(item) for item in members]
        changed = [each for each in made if isinstance(each, Item)]
        for name, model in judges.items():
            if reason := _refusal(model, changed):
                return [each if isinstance(each, Dropped) else Dropped(f"{reason} for {name}") for each in made]
        return made

    return replace(perturbation, apply=lambda item: apply_group([item])[0], apply_group=apply_group)


def _fills(name: str, model: Model) -> FillsBlanks:
    if not isinstance(model, FillsBlanks):
        raise UsageError(f"{name} does not compare words in one position", "name masked models (mlm:)")
    return model


def _refusal(model: FillsBlanks, items: Sequence[Item]) -> str | None:
    """Why the model cannot be asked one of them."""
    if any(item.task != "fill" for item in items):
        return "has no gap"
    blanks = [Blank(item.source, tuple(candidate.text for candidate in item.candidates)) for item in items]
    return next((answer.refused for _, answer in model.fill_blanks(blanks) if answer.refused), None)
