"""Who can judge. Every kind is found by name; plug-ins add kinds through the entry points `referee.models`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.models.files import FileModel, open_scores, open_translations
from referee.models.spec import ModelSpec, parse
from referee.registry import lookup, named, plugins


@dataclass(frozen=True)
class ModelKind:
    """A kind of model: how it is written, what it does, how it is opened."""

    name: str
    usage: str
    about: str
    open: Callable[[ModelSpec], FileModel]


KINDS = (
    ModelKind(
        "scores",
        "scores:FILE[,better=higher|lower]",
        "numbers of a system that ran elsewhere, one line a candidate: contrastive verdicts",
        open_scores,
    ),
    ModelKind(
        "translations",
        "translations:FILE",
        "outputs of a system that ran elsewhere, one line an item: generative verdicts",
        open_translations,
    ),
)


def kinds() -> dict[str, ModelKind]:
    """All kinds by name."""
    return named((*KINDS, *plugins("referee.models", ModelKind)))


def open_model(text: str) -> FileModel:
    """The model that `text` names; what it needs is checked at once, what is heavy is loaded later."""
    spec = parse(text)
    return lookup("model kind", spec.kind, kinds()).open(spec)
