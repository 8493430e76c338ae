"""Perturbed items whose candidates are single tokens for every masked model.

Words of several tokens cannot be compared in one masked position, and models can only be compared on the same items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.errors import UsageError
from referee.items import Item
from referee.perturbations.base import Dropped, Perturbation
from referee.protocols import Blank, FillsBlanks, Model


def single_tokens(chosen: Sequence[Perturbation], models: Mapping[str, Model]) -> list[Perturbation]:
    """The perturbations without the groups in which a candidate is not a single token for one of the models."""
    fillers = {name: _fills(name, model) for name, model in models.items()}
    return [_single_token(perturbation, fillers) for perturbation in chosen] if fillers else list(chosen)


def _single_token(perturbation: Perturbation, fillers: Mapping[str, FillsBlanks]) -> Perturbation:

    def apply_group(members: Sequence[Item]) -> Sequence[Item | Dropped]:
        if perturbation.apply_group is not None:
            results = perturbation.apply_group(members)
        else:
            results = [perturbation.apply(item) for item in members]
        changed = [result for result in results if isinstance(result, Item)]
        for name, model in fillers.items():
            if reason := _refusal(model, changed):
                dropped = Dropped(f"{reason} for {name}")
                return [result if isinstance(result, Dropped) else dropped for result in results]
        return results

    return replace(perturbation, apply=lambda item: apply_group([item])[0], apply_group=apply_group)


def _fills(name: str, model: Model) -> FillsBlanks:
    if not isinstance(model, FillsBlanks):
        raise UsageError(f"--single-token: '{name}' is not a masked language model", "use a model such as mlm:NAME")
    return model


def _refusal(model: FillsBlanks, items: Sequence[Item]) -> str | None:
    """The reason why the model cannot score one of the items, if there is one."""
    if any(item.task != "fill" for item in items):
        return "has no gap"
    blanks = [
        Blank(item.source, tuple(candidate.text for candidate in item.candidates), lang=item.source_lang)
        for item in items
    ]
    return next((answer.refused for _, answer in model.fill_blanks(blanks) if answer.refused), None)
