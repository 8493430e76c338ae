"""One pass over a set: how its items are put to this model, and the verdicts in order."""

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
from referee.scoring.passes import Judge
from referee.scoring.survey import Survey


def start(model: Model, survey: Survey, options: ScoringOptions, cache: Cache | None = None) -> Judge:
    """A judge for one pass over the surveyed set; a model that does not fit the set is refused at once."""
    if isinstance(model, RecordedScores):
        survey.require_candidates()
        return from_files.contrasting(model.scores(survey.candidates), higher=model.better == "higher")
    if isinstance(model, RecordedOutputs):
        survey.require_forms()
        return from_files.matching(model.outputs(survey.fingerprint.items))
    generates = options.how == "generative" or (options.how == "auto" and _must_translate(model, survey))
    if generates:
        survey.require_forms()
    else:
        survey.require_candidates()
        for task in sorted(survey.tasks):
            from_model.way(task, model, options)
    return Judge(from_model.computed(model, survey.name, options, cache, generate=generates))


def is_recorded(model: object) -> bool:
    """Whether the answers were given elsewhere: such a model judges one set, and nothing is computed."""
    return isinstance(model, RecordedScores | RecordedOutputs)


def _must_translate(model: Model, survey: Survey) -> bool:
    """Whether there is nothing to compare, or a model that can do nothing but translate."""
    if not survey.contrastable:
        return True
    compares = isinstance(model, ScoresPairs | ScoresTexts | ScoresCandidates | FillsBlanks | Chooses)
    return isinstance(model, Translates) and not compares
