"""Which options have an effect on a run: others are refused if a user chose them, and its signature leaves them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.errors import UsageError
from referee.protocols import FillsBlanks, KeepsSentences, Model, ScoresTexts
from referee.scoring.dispatch import generates
from referee.scoring.from_model import ability_for
from referee.scoring.options import ScoringOptions
from referee.scoring.survey import Survey

_ALWAYS = frozenset({"how", "too_long"})
_OF_TOKENS = frozenset({"pairs", "texts"})
"""Abilities that answer with log-probabilities of tokens, which `norm` turns into a score."""
_WHY = {
    "norm": "since nothing is scored by the log-probabilities of its tokens",
    "part": "since no item with a gap is scored",
    "context": "since no item has preceding sentences",
    "separator": "since no sentences are joined",
}


def effective(model: Model, surveys: Sequence[Survey], modes: Sequence[ScoringOptions]) -> frozenset[str]:
    """The names of all options that can change an answer of the model on these sets, in any of the modes.

    With translations, `generation` is among them: what only translations depend on.
    """
    names = {name for options in modes for survey in surveys for name in _effective(model, survey, options)}
    return _ALWAYS | names


def refuse_idle(options: ScoringOptions, names: frozenset[str]) -> None:
    """Refuse an option that a user chose, but that has no effect."""
    defaults = ScoringOptions().settings()
    for name, value in options.settings().items():
        if value != defaults[name] and name not in names:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} has no effect, {_WHY[name]}", f"remove {option}")


def _effective(model: Model, survey: Survey, options: ScoringOptions) -> Iterator[str]:
    translates = generates(model, survey, options)
    abilities = set() if translates else {ability_for(task, model, options) for task in survey.tasks}
    if survey.contextual:
        yield "context"
        apart = abilities == {"candidates"} and isinstance(model, KeepsSentences) and model.one_by_one
        if options.context and not apart:
            yield "separator"
    if translates:
        yield "generation"
    if abilities & _OF_TOKENS:
        yield "norm"
    if not translates and "fill" in survey.tasks and isinstance(model, ScoresTexts | FillsBlanks):
        yield "part"
