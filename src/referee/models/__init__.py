"""Models: anything that translates, scores or chooses. A spec names one; any Python callable is one."""

from __future__ import annotations

from referee.errors import UsageError
from referee.logs import logger
from referee.models.callables import Score, ScoreSource, Translate, callable_model
from referee.models.kinds import ModelKind, model_kinds
from referee.models.spec import parse
from referee.protocols import Embeds, Model
from referee.registry import lookup

__all__ = ["ModelKind", "Score", "ScoreSource", "Translate", "model_kinds", "open_embedder", "open_model"]


def open_model(
    model: str | Model | Translate | Score | ScoreSource, *, name: str | None = None, **options: object
) -> Model:
    """Open a model: a spec such as `"hf:NAME,beam=2"`, or any Python callable that translates or scores.

    Options of a spec may also be keywords: `open_model("hf:NAME", beam=2)`. A callable is described in
    `referee.models.callables`; `name` is what reports call it, by default its module and name. An object that already
    is a model is returned as it is. Requirements are checked at once.

    >>> def upper(sentences):
    ...     return [sentence.upper() for sentence in sentences]
    >>> model = open_model(upper, name="upper")
    >>> model.name
    'upper'
    >>> open_model("pocket", beam=0)
    Traceback (most recent call last):
    referee.errors.UsageError: 'beam=0' in 'pocket,beam=0' is not valid. Use a positive whole number.
    """
    if isinstance(model, str):
        if name is not None:
            raise UsageError(f"'{model}' already has a name", "use name= only with a callable")
        spec = parse(model).with_options(options)
        logger.info("opening %s", spec.text)
        return lookup("model kind", spec.kind, model_kinds()).opened(spec)
    if options:
        problem = f"the option '{next(iter(options))}' needs a model spec, not a callable or an opened model"
        raise UsageError(problem, "set it in your own function, or give the model as KIND:NAME")
    if isinstance(model, Model):
        if name is not None:
            raise UsageError("an opened model already has a name", "use name= only with a callable")
        return model
    return callable_model(model, name)


def open_embedder(spec: str) -> Embeds:
    """Open a masked language model for its vectors; another kind is refused before its weights are loaded."""
    model = open_model(spec) if parse(spec).kind == "mlm" else None
    if not isinstance(model, Embeds):
        raise UsageError(f"'{spec}' is not a masked language model", "use a model such as mlm:NAME")
    return model
