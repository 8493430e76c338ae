"""`evaluate` and `score`: names, files, lists and functions become a job, and the job a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from os import PathLike
from pathlib import Path
from typing import Any

from referee.analysis.accuracy import DIMENSIONS
from referee.analysis.quality import comet_weights
from referee.data.folder import data_folder
from referee.errors import UsageError
from referee.io.progress import Progress
from referee.models import open_model
from referee.models.files import ScoreFile, ScoreList, TranslationFile, TranslationList
from referee.models.spec import parse
from referee.perturbations import Perturbation, choose
from referee.protocols import Model, Named, pacing
from referee.runs.collect import Planned
from referee.runs.job import Job, carry_out
from referee.runs.run import Run
from referee.scoring.cache import open_cache
from referee.scoring.dispatch import is_recorded
from referee.scoring.options import How, Norm, Part, ScoringOptions, TooLong, scoring_options
from referee.sets import Items, ItemSet, as_set
from referee.suites import load

AnyPath = str | PathLike[str]


def evaluate(
    model: str | Model | Callable[..., Any],
    *sets: AnyPath | Items,
    perturb: Sequence[str] = (),
    paper: bool = False,
    context: int = 0,
    how: How = "auto",
    norm: Norm = "ppl",
    part: Part = "whole",
    separator: str = " ",
    too_long: TooLong = "refuse",
    limit: int | None = None,
    by: Sequence[str] = DIMENSIONS,
    thesaurus: str | None = None,
    wordnets: str | None = None,
    comet: AnyPath | None = None,
    data: AnyPath | None = None,
    cache: AnyPath | None = None,
    workers: int = 0,
    out: AnyPath | None = None,
    name: str | None = None,
    command: Sequence[str] = (),
    progress: Progress | None = None,
) -> Run:
    """Evaluate a model on challenge sets.

    `model` is a spec such as `"pocket"` or `"hf:Helsinki-NLP/opus-mt-en-de"`, or any callable that translates a list
    of strings or scores a list of candidates. A set is a suite by name, a file of items, or items themselves.

    Args:
        model: A spec (see `referee list models`), an opened model, or a callable.
        sets: Suites by name, files of items, or items.
        perturb: Perturbations, or families of them, under which every set is evaluated too.
        paper: Apply the published form of every perturbation, errors included.
        context: Include the N preceding sentences, source and target.
        how: Compare candidates (`contrastive`), translate (`generative`), `both`, or what fits (`auto`).
        norm: Score a candidate by its log-probability per token (`ppl`), in total (`sum`) or per character (`char`).
        part: Score the `whole` sentence, only the tokens after the filler (`partial`), or one masked position (`mask`).
        separator: The text that joins sentences.
        too_long: Items longer than the model's maximum length: stop with an error (`refuse`), or `drop` and count them.
        limit: Evaluate the first N items of each set only.
        by: Breakdowns: label, distance, candidates, or any feature of the correct answer.
        thesaurus: The thesaurus that the perturbation `synonym` takes its nouns from.
        wordnets: Two WN-LMF files, "source,target", for synonyms by sense instead.
        comet: A COMET checkpoint on this machine, for the quality of translations: `"DIR,allow_pickle=yes"`.
        data: The folder of public sets; else `$REFEREE_DATA`, else the user's cache.
        cache: A file that stores scores for later runs; None stores nothing.
        workers: Open the model in N workers of a Ray cluster.
        out: A folder for the run; the same call resumes an interrupted run.
        name: The name of a model that is a callable.
        command: The command to repeat the run, for its record.
        progress: Called with the number of items done and in all.

    >>> import referee
    >>> item = referee.Item(
    ...     id="cup", task="translate", source_lang="en", target_lang="de", source="It broke.",
    ...     source_context=("I dropped the cup.",), target_context=("Ich ließ die Tasse fallen.",),
    ...     candidates=(referee.Candidate("Er zerbrach."), referee.Candidate("Sie zerbrach.")), gold=1,
    ... )
    >>> run = referee.evaluate(lambda source, candidates: [float("Sie" in text) for text in candidates], [item])
    >>> run.findings[0].overall.accuracy
    1.0

    """
    options = {"how": how, "norm": norm, "part": part, "context": context, "separator": separator}
    scoring = scoring_options(**options, too_long=too_long)
    opened = _opened(model, name, workers)
    if is_recorded(opened) and scoring != ScoringOptions():
        raise UsageError(
            "--how, --norm, --part, --context, --separator and --too-long have no effect on files", "remove them"
        )
    if not sets:
        raise UsageError("no set to evaluate on", "give the name of a suite, a file of items, or a list of items")
    kept = None if cache is None or is_recorded(opened) else open_cache(Path(cache))
    with closing(kept) if kept else nullcontext():
        job = Job(
            name=_name_of(model, opened, name),
            model=opened,
            sets=_planned(sets, choose(perturb, paper=paper, thesaurus=thesaurus, wordnets=wordnets), data, limit),
            options=_deciding(model, opened),
            scoring=scoring,
            cache=kept,
            comet=_comet(comet),
            dimensions=tuple(by),
            command=command,
        )
        return carry_out(job, None if out is None else Path(out), progress)


def score(
    items: AnyPath | Items,
    *,
    translations: AnyPath | Sequence[str] | None = None,
    scores: AnyPath | Sequence[float] | None = None,
    lower_is_better: bool = False,
    by: Sequence[str] = DIMENSIONS,
    comet: AnyPath | None = None,
    data: AnyPath | None = None,
    out: AnyPath | None = None,
    name: str | None = None,
    command: Sequence[str] = (),
    progress: Progress | None = None,
) -> Run:
    """Score the outputs of any system on a set: translations, one per item, or scores, one per candidate.

    Both are a list, or a file with one per line. With `lower_is_better` the candidate with the lowest score is chosen.

    >>> import referee
    >>> items = list(referee.templates("de", "gender"))[:2]
    >>> run = referee.score(items, translations=[item.candidates[item.gold].text for item in items])
    >>> run.findings[0].overall.accuracy
    1.0
    """
    if (translations is None) == (scores is None):
        raise UsageError("expected either translations or scores", "give one file, with --translations or --scores")
    if translations is not None and lower_is_better:
        raise UsageError("--lower-is-better has no effect on translations", "remove it, or use --scores")
    model = _recorded(translations, scores, lower_is_better=lower_is_better)
    job = Job(
        name=name or model.name,
        model=model,
        sets=_planned([items], (), data, None),
        comet=_comet(comet),
        dimensions=tuple(by),
        command=command,
    )
    return carry_out(job, None if out is None else Path(out), progress)


def _comet(checkpoint: AnyPath | None) -> Path | None:
    """The checkpoint of COMET, refused before anything is evaluated rather than after."""
    if checkpoint is not None:
        comet_weights(Path(checkpoint))
    return None if checkpoint is None else Path(checkpoint)


def _recorded(
    translations: AnyPath | Sequence[str] | None, scores: AnyPath | Sequence[float] | None, *, lower_is_better: bool
) -> ScoreFile | ScoreList | TranslationFile | TranslationList:
    if isinstance(translations, str | PathLike):
        return TranslationFile.at(Path(translations))
    if translations is not None:
        return TranslationList(tuple(translations))
    better: Any = "lower" if lower_is_better else "higher"
    if isinstance(scores, str | PathLike):
        return ScoreFile.at(Path(scores), better)
    return ScoreList(tuple(scores or ()), better)


def _opened(model: str | Model | Callable[..., Any], name: str | None, workers: int) -> Model:
    if not workers:
        return open_model(model, name=name)
    if not isinstance(model, str):
        raise UsageError(
            "workers= needs a model spec, not a callable or an opened model", "give its spec, or remove workers="
        )
    from referee.models.on_ray import distributed

    return distributed(model, workers)


def _deciding(model: object, opened: Model) -> dict[str, str]:
    """The options of a spec on which answers depend: a run resumes at another rate, and with a larger budget."""
    options = parse(model).options if isinstance(model, str) else {}
    return {key: value for key, value in options.items() if key not in pacing(opened)}


def _name_of(model: object, opened: Model, name: str | None) -> str:
    if name is not None:
        return name
    if isinstance(model, str):
        return model
    return opened.name if isinstance(opened, Named) else type(opened).__name__


def _planned(
    sets: Sequence[AnyPath | Items],
    perturbations: Sequence[Perturbation],
    data: AnyPath | None,
    limit: int | None,
) -> list[Planned]:
    folder = data_folder(None if data is None else Path(data))
    opened = [_open(items, folder, number) for number, items in enumerate(sets, 1)]
    return [Planned(items.head(limit), perturbations) for items in opened]


def _open(items: AnyPath | Items, data: Path, number: int) -> ItemSet:
    if isinstance(items, str | PathLike):
        return load(items, data=data)
    return as_set(items, "items" if number == 1 else f"items-{number}")
