"""The kind of pass that fits a model and a set: contrastive or generative, from a model or from its stored answers."""

from __future__ import annotations

from referee.protocols import (
    Chooses,
    FillsBlanks,
    Model,
    RecordedOutputs,
    RecordedScores,
    ScoresCandidates,
    ScoresPairs,
    ScoresTexts,
    Translates,
)
from referee.scoring import from_files, from_model
from referee.scoring.cache import Cache
from referee.scoring.options import ScoringOptions
from referee.scoring.passes import Pass
from referee.scoring.survey import Survey


def start_pass(model: Model, survey: Survey, options: ScoringOptions, cache: Cache | None = None) -> Pass:
    """Start a pass over the surveyed set; a model that does not fit the set is refused at once."""
    if isinstance(model, RecordedScores):
        survey.require_candidates()
        return from_files.contrasting(model.scores(survey.candidates), higher=model.better == "higher")
    if isinstance(model, RecordedOutputs):
        survey.require_forms()
        return from_files.matching(model.outputs(survey.fingerprint.items))
    translates = generates(model, survey, options)
    if translates:
        survey.require_forms()
    else:
        survey.require_candidates()
        for task in sorted(survey.tasks):
            from_model.ability_for(task, model, options)
    return Pass(from_model.computed(model, survey.name, options, cache, generate=translates))


def generates(model: Model, survey: Survey, options: ScoringOptions) -> bool:
    """Whether the model translates the items of the set, rather than compares their candidates."""
    return options.how == "generative" or (options.how == "auto" and _must_translate(model, survey))


def is_recorded(model: object) -> bool:
    """Whether the answers are read from a file: such a model answers one set, and nothing is computed."""
    return isinstance(model, RecordedScores | RecordedOutputs)


def _must_translate(model: Model, survey: Survey) -> bool:
    """Whether the set has no candidates to compare, or the model can only translate."""
    if not survey.contrastable:
        return True
    compares = isinstance(model, ScoresPairs | ScoresTexts | ScoresCandidates | FillsBlanks | Chooses)
    return isinstance(model, Translates) and not compares
