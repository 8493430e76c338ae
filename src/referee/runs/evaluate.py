"""The whole way from sets and a model to findings, through a run folder that survives interruption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from referee import __version__, sets, verdicts
from referee.analysis.accuracy import DIMENSIONS, Findings, findings
from referee.analysis.findings import Reading, with_agreement, with_attacks, with_english
from referee.analysis.quality import quality
from referee.errors import UsageError
from referee.items import Item
from referee.models.files import ScoreFile, TranslationFile
from referee.protocols import Model
from referee.runs import store as runs
from referee.runs.store import Counts, Inputs, RunInfo, SuiteInput
from referee.scoring import from_files
from referee.scoring.cache import Cache
from referee.scoring.from_files import Survey
from referee.scoring.options import How, ScoringOptions
from referee.sets import ItemSet
from referee.stats.intervals import RESAMPLES, SEED
from referee.verdicts import Rule, Verdict

Progress = Callable[[int, int], None]
"""Told how many items are done, and of how many."""

RULES: tuple[Rule, ...] = ("paper", "token")


@dataclass(frozen=True)
class Request:
    """What is to be judged, by whom, and how the result is broken down; `options` are those of the model's name."""

    model_name: str
    model: Model
    sets: Sequence[ItemSet]
    options: Mapping[str, str] = field(default_factory=dict)
    scoring: ScoringOptions = field(default_factory=ScoringOptions)
    cache: Cache | None = None
    comet: Path | None = None
    dimensions: tuple[str, ...] = DIMENSIONS
    command: Sequence[str] = ()


@dataclass(frozen=True)
class Result:
    """What an evaluation gives back; `reused` where a finished run folder already held it."""

    info: RunInfo
    findings: list[Findings]
    reused: bool = False


def evaluate(request: Request, out: Path | None = None, progress: Progress | None = None) -> Result:
    """Judges every item; with `out`, keeps the verdicts there and continues what was interrupted."""
    if out is not None:
        return _evaluate(request, out, progress)
    with TemporaryDirectory(prefix="referee-") as folder:
        return _evaluate(request, Path(folder) / "run", progress)


def _evaluate(request: Request, folder: Path, progress: Progress | None) -> Result:
    from_file = isinstance(request.model, ScoreFile | TranslationFile)
    if from_file and len(request.sets) != 1:
        raise UsageError("a file judges one suite", "run once for each suite and its file")
    surveys = [from_files.survey(challenge) for challenge in request.sets]
    # Started before the folder is touched: a model that does not fit leaves nothing behind.
    passes = list(_passes(request, surveys))
    inputs = _inputs(request, surveys, runs.CHUNK if from_file else runs.CHUNK_OF_MODELS)
    with runs.claimed(folder, inputs) as earlier:
        if earlier is not None and earlier.status == "done" and (folder / "verdicts.parquet").exists():
            runs.remove_parts(folder)
            if not (folder / runs.ITEMS).exists():
                _keep_items(request, folder)
            found = _findings(request, folder, passes)
            runs.write_findings(folder, found)
            return Result(earlier, found, reused=True)
        info = RunInfo(
            status="running",
            inputs=inputs if earlier is None else earlier.inputs,
            seed=SEED,
            resamples=RESAMPLES,
            signature=_signature(inputs),
            command=list(request.command),
            versions=runs.package_versions(),
            started=runs.now(),
        )
        runs.write_info(folder, info)
        counter = _Counter(sum(each.survey.fingerprint.items for each in passes), progress)
        chunks = _judge(passes, folder, inputs.chunk, counter)
        # A run that continues keeps the names it began with.
        kept = {own.name: suite.name for own, suite in zip(inputs.suites, info.inputs.suites, strict=True)}
        names = [kept[each.survey.name] for each, count in zip(passes, chunks, strict=True) for _ in range(count)]
        runs.merge_parts(folder, names)
        _keep_items(request, folder)
        found = _findings(request, folder, passes)
        runs.write_findings(folder, found)
        info = msgspec.structs.replace(info, status="done", counts=_counts(folder), finished=runs.now())
        runs.write_info(folder, info)
        runs.remove_parts(folder)
    return Result(info, found)


@dataclass(frozen=True)
class _Pass:
    """One set, judged in one way."""

    challenge: ItemSet
    survey: Survey
    judge: from_files.Judge


def _passes(request: Request, surveys: Sequence[Survey]) -> Iterator[_Pass]:
    """One for each set; where it is judged in both ways, first by scores, then by translations."""
    ways: tuple[How, ...] = ("contrastive", "generative") if request.scoring.how == "both" else (request.scoring.how,)
    for challenge, found in zip(request.sets, surveys, strict=True):
        for how in ways:
            options = replace(request.scoring, how=how)
            yield _Pass(challenge, found, from_files.start(request.model, found, options, request.cache))


class _Counter:
    """Adds up what is done and passes it on."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._done, self._total, self._progress = 0.0, total, progress

    def add(self, count: float) -> None:
        """So much more is under way; fractions of items add up to a little less or more."""
        self._set(min(self._total, self._done + count))

    def settle(self, done: int) -> None:
        """So many items are done and kept."""
        self._set(done)

    def _set(self, done: float) -> None:
        self._done = done
        if self._progress is not None:
            self._progress(int(done + 1e-6), self._total)


def _judge(passes: Sequence[_Pass], folder: Path, size: int, counter: _Counter) -> list[int]:
    """Judges what is not yet judged; tells how many chunks each pass has."""
    counts = []
    number = done = 0
    for each in passes:
        items = iter(each.challenge)
        first = number
        while chunk := list(islice(items, size)):
            if runs.read_part(folder, number) is None:
                runs.write_part(folder, number, each.judge.judge(chunk, counter.add))
            else:
                each.judge.skip(chunk)
            number += 1
            done += len(chunk)
            counter.settle(done)
        counts.append(number - first)
    return counts


def _findings(request: Request, folder: Path, passes: Sequence[_Pass]) -> list[Findings]:
    found: list[list[Findings]] = []
    before = 0
    readings = []
    for each in passes:
        reading = Reading(each.challenge.name, partial(_judged, each.challenge, folder, before))
        of_suite = findings(each.challenge.name, reading.judged(), RULES, request.dimensions)
        if of_suite and of_suite[0].kind == "generative":
            scores = quality(reading.judged(), comet=request.comet)
            of_suite = [msgspec.structs.replace(each, quality=scores) for each in of_suite]
        found.append([msgspec.structs.replace(of_rule, origin=each.challenge.origin) for of_rule in of_suite])
        readings.append(reading)
        before += each.survey.fingerprint.items
    if any(each.survey.perturbed for each in passes):
        found = with_attacks(found, readings)
    if request.scoring.how == "both":
        found = with_agreement(found, readings)
    return [each for of_suite in with_english(found, readings) for each in of_suite]


def _judged(challenge: ItemSet, folder: Path, before: int) -> Iterator[tuple[Item, Verdict]]:
    """Items with their verdicts; so many verdicts come before in the file."""
    return zip(challenge, islice(_verdicts(verdicts.read(folder / "verdicts.parquet")), before, None), strict=False)


def _verdicts(stored: Iterator[tuple[str, Verdict]]) -> Iterator[Verdict]:
    return (verdict for _, verdict in stored)


def _keep_items(request: Request, folder: Path) -> None:
    sets.save((item for challenge in request.sets for item in challenge), folder / runs.ITEMS)


def _counts(folder: Path) -> Counts:
    tied, dropped, items = 0, Counter[str](), 0
    for verdict in _verdicts(verdicts.read(folder / "verdicts.parquet")):
        items += 1
        tied += verdict.tied
        if verdict.dropped is not None:
            dropped[verdict.dropped] += 1
    return Counts(items=items, judged=items - dropped.total(), tied=tied, truncated=0, dropped=dict(dropped))


def _inputs(request: Request, surveys: Sequence[Survey], chunk: int) -> Inputs:
    identity = request.model.identity()
    settings = dict(request.options) | dict(identity.settings)
    if not isinstance(request.model, ScoreFile | TranslationFile):
        settings |= request.scoring.settings()
    suites = [
        SuiteInput(challenge.name, survey.fingerprint.items, survey.fingerprint.sha256, challenge.origin)
        for challenge, survey in zip(request.sets, surveys, strict=True)
    ]
    return Inputs(request.model_name, identity.sha256, settings, suites, chunk)


def _signature(inputs: Inputs) -> str:
    """One line from which a result can be repeated."""
    suites = "+".join(f"{suite.name}#{suite.sha256[:8]}({suite.items})" for suite in inputs.suites)
    settings = "".join(f"|{key}:{value}" for key, value in sorted(inputs.settings.items()))
    model = f"{inputs.model.partition(':')[0]}#{inputs.model_sha256[:8]}"
    return f"{suites}|model:{model}{settings}|resamples:{RESAMPLES}|seed:{SEED}|version:{__version__}"
