"""Models: anything that translates, scores or chooses, named by a spec."""

from __future__ import annotations

from referee.models.kinds import ModelKind, model_kinds
from referee.models.spec import parse
from referee.protocols import Model
from referee.registry import lookup

__all__ = ["ModelKind", "model_kinds", "open_model"]


def open_model(text: str, **options: object) -> Model:
    """Open the model that a spec names, with more options as keywords; what it needs is checked at once."""
    spec = parse(text).with_options(options)
    return lookup("model kind", spec.kind, model_kinds()).opened(spec)
