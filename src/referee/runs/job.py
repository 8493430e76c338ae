"""The whole way from sets and a model to a run, through a folder that survives interruption.

Each set is read once: its items go into the run's own file, and everything after that reads this file. One pass puts
the items to the model, keeps the verdicts, and gathers what the findings need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from shutil import copyfileobj, rmtree
from tempfile import TemporaryDirectory, mkdtemp
from weakref import finalize

import msgspec

from referee import verdicts
from referee.analysis.accuracy import DIMENSIONS, Findings
from referee.analysis.findings import Gathered, Needs, findings_of, gather
from referee.errors import RefereeError, UsageError
from referee.io.files import atomic_write
from referee.io.progress import Progress
from referee.io.text import recordable
from referee.items import Item
from referee.protocols import Metered, Model
from referee.runs import store
from referee.runs.collect import Collected, Planned, collect
from referee.runs.counts import RunCounter
from referee.runs.run import Run
from referee.runs.signature import Signature
from referee.runs.store import Counts, Inputs, RunInfo, SuiteInput
from referee.runs.versions import package_versions
from referee.scoring.cache import Cache
from referee.scoring.dispatch import is_recorded, start_pass
from referee.scoring.effects import effective, refuse_idle
from referee.scoring.options import How, ScoringOptions
from referee.scoring.passes import Pass
from referee.stats.intervals import RESAMPLES, SEED


@dataclass(frozen=True)
class Job:
    """One evaluation: the model under its name, the sets in order, and the options of scoring."""

    name: str
    model: Model
    sets: Sequence[Planned]
    options: Mapping[str, str] = field(default_factory=dict)
    scoring: ScoringOptions = field(default_factory=ScoringOptions)
    cache: Cache | None = None
    comet: Path | None = None
    dimensions: Sequence[str] = DIMENSIONS
    command: Sequence[str] = ()
    resumable: bool = True

    @property
    def modes(self) -> tuple[How, ...]:
        """The modes in which all sets are evaluated, one after the other: both, or the one of the options."""
        return ("contrastive", "generative") if self.scoring.how == "both" else (self.scoring.how,)


def carry_out(job: Job, out: Path | None = None, progress: Progress | None = None) -> Run:
    """Evaluate every item; with `out`, keep the run there and resume what was interrupted."""
    if is_recorded(job.model) and sum(1 + len(planned.perturbations) for planned in job.sets) != 1:
        raise UsageError(
            "a file of scores or translations belongs to one suite, but several are given",
            "run the command once per suite",
        )
    if out is not None:
        return _carry_out(job, out, progress)
    folder = Path(mkdtemp(prefix="referee-"))
    try:
        run = replace(_carry_out(replace(job, resumable=False), folder / "run", progress), temporary=True)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    # A run without a folder of its own keeps its files as long as it lives.
    finalize(run, rmtree, folder, ignore_errors=True)
    return run


def _carry_out(job: Job, folder: Path, progress: Progress | None) -> Run:
    with TemporaryDirectory(prefix="referee-") as scratch:
        collected = collect(job.sets, Path(scratch) / store.ITEMS)
        # Started before the folder is touched: a model that does not fit leaves nothing behind.
        passes = [
            start_pass(job.model, survey, replace(job.scoring, how=how), job.cache)
            for how in job.modes
            for survey in collected.surveys
        ]
        idle = [] if is_recorded(job.model) else _idle(job, collected)
        return _in_folder(job, collected, passes, idle, folder, progress)


def _idle(job: Job, collected: Collected) -> list[str]:
    """The settings that have no effect on these items; one that the user chose is refused."""
    names = effective(job.model, collected.surveys, [replace(job.scoring, how=how) for how in job.modes])
    refuse_idle(job.scoring, names)
    idle = set(job.scoring.settings()) - names
    return sorted(idle if "generation" in names else idle | set(job.model.identity().generation))


def _in_folder(
    job: Job,
    collected: Collected,
    passes: Sequence[Pass],
    idle: list[str],
    folder: Path,
    progress: Progress | None,
) -> Run:
    inputs = _inputs(job, collected)
    with store.claimed(folder, inputs) as earlier:
        if earlier is not None and earlier.status == "done" and store.is_whole(folder, earlier, store.VERDICTS):
            return _reused(job, collected, earlier, folder)
        info = RunInfo(
            status="running",
            # A run that resumes keeps the names it began with.
            inputs=inputs if earlier is None else earlier.inputs,
            perturbations=list(collected.changes),
            seed=SEED,
            resamples=RESAMPLES,
            signature=Signature.of(inputs, idle=idle).long,
            idle_settings=idle,
            command=[recordable(argument) for argument in job.command],
            versions=package_versions(),
            started=store.now(),
        )
        if earlier is not None and earlier.usage is not None and isinstance(job.model, Metered):
            job.model.resume(earlier.usage)
        info = _metered(info, job.model)
        store.write_info(folder, info)
        _keep_items(collected, folder)
        try:
            findings, counts = _evaluate(job, collected, info, passes, folder, progress)
        except BaseException:
            # What was paid for counts when the run resumes; the first error is the one to report.
            if isinstance(job.model, Metered):
                with suppress(OSError, RefereeError):
                    store.write_info(folder, _metered(info, job.model))
            raise
        store.write_findings(folder, findings)
        files = store.file_hashes(folder)
        info = _metered(info, job.model)
        info = msgspec.structs.replace(info, status="done", counts=counts, finished=store.now(), files=files)
        store.write_info(folder, info)
        store.remove_parts(folder)
    return Run(folder, info, findings)


def _reused(job: Job, collected: Collected, earlier: RunInfo, folder: Path) -> Run:
    """A finished run, with findings in the breakdowns of this call; what is damaged is written again."""
    store.remove_parts(folder)
    if not store.is_whole(folder, earlier, store.ITEMS):
        _keep_items(collected, folder)
    findings = _recomputed_findings(job, collected, folder)
    store.write_findings(folder, findings)
    if (files := store.file_hashes(folder)) != earlier.files:
        earlier = msgspec.structs.replace(earlier, files=files)
        store.write_info(folder, earlier)
    return Run(folder, earlier, findings, reused=True)


def _metered(info: RunInfo, model: Model) -> RunInfo:
    """The same run with what a paid service has used so far, and with what it was really sent."""
    if not isinstance(model, Metered):
        return info
    usage = model.usage()
    signature = Signature.of(info.inputs, usage.sent, info.idle_settings)
    return msgspec.structs.replace(info, usage=usage, signature=signature.long)


def _keep_items(collected: Collected, folder: Path) -> None:
    with collected.items.open("rb") as written, atomic_write(folder / store.ITEMS) as kept:
        copyfileobj(written, kept)


def _evaluate(
    job: Job, collected: Collected, info: RunInfo, passes: Sequence[Pass], folder: Path, progress: Progress | None
) -> tuple[list[Findings], Counts]:
    """Evaluate items without a verdict; every verdict goes to the verdict file and into the findings as it passes."""
    suites = info.inputs.suites
    needs = _needs(job, collected)
    sets = [gather(suite.name, suite.origin, job.dimensions, needs) for _ in job.modes for suite in suites]
    counter = RunCounter(len(job.modes) * sum(suite.items for suite in suites), progress)
    # What nobody can come back to needs no pieces to resume from.
    parts = store.parts(folder) if job.resumable else None
    with atomic_write(folder / store.VERDICTS) as file, verdicts.writing(file) as write:
        for number, (index, items) in enumerate(_chunks(job, info.inputs, folder)):
            name = store.part_name(number)
            chunk_verdicts = parts.read(name) if parts else None
            if chunk_verdicts is None:
                chunk_verdicts = passes[index].evaluate(items, counter.add)
                if parts:
                    parts.write(name, chunk_verdicts)
                    if isinstance(job.model, Metered):
                        store.write_info(folder, _metered(info, job.model))
            else:
                passes[index].skip(items)
            write(sets[index].suite, chunk_verdicts)
            for item, verdict in zip(items, chunk_verdicts, strict=True):
                sets[index].add(item, verdict)
            counter.settle(chunk_verdicts)
    return findings_of(_by_suite(sets, len(suites)), job.comet), counter.counts()


def _recomputed_findings(job: Job, collected: Collected, folder: Path) -> list[Findings]:
    """The findings of a finished run, computed again from its verdicts: the breakdowns may have changed."""
    info = store.read_info(folder)
    suites = _inputs(job, collected).suites
    needs = _needs(job, collected)
    sets = [gather(suite.name, suite.origin, job.dimensions, needs) for _ in job.modes for suite in suites]
    stored = store.read_verdicts(folder)
    for index, items in _chunks(job, info.inputs, folder):
        for item, verdict in zip(items, stored, strict=False):
            sets[index].add(item, verdict)
    return findings_of(_by_suite(sets, len(suites)), job.comet)


def _chunks(job: Job, inputs: Inputs, folder: Path) -> Iterator[tuple[int, list[Item]]]:
    """The items of each pass in chunks, with the index of the pass."""
    for mode in range(len(job.modes)):
        items = store.read_items(folder)
        for number, suite in enumerate(inputs.suites):
            for first in range(0, suite.items, inputs.chunk):
                size = min(inputs.chunk, suite.items - first)
                yield mode * len(inputs.suites) + number, list(islice(items, size))


def _by_suite(sets: Sequence[Gathered], suites: int) -> list[Gathered]:
    """Sets in the order of suites, from the order of modes in which they were evaluated."""
    return [sets[index] for number in range(suites) for index in range(number, len(sets), suites)]


def _needs(job: Job, collected: Collected) -> Needs:
    return Needs(
        attacks=any(survey.perturbed for survey in collected.surveys),
        agreement=job.scoring.how == "both",
        parallel=any(survey.origin and survey.origin.kind == "parallel" for survey in collected.surveys),
    )


def _inputs(job: Job, collected: Collected) -> Inputs:
    identity = job.model.identity()
    settings = dict(job.options) | dict(identity.settings) | dict(identity.generation)
    recorded = is_recorded(job.model)
    if not recorded:
        settings |= job.scoring.settings()
    suites = [
        SuiteInput(survey.name, survey.fingerprint.items, survey.fingerprint.sha256, survey.origin)
        for survey in collected.surveys
    ]
    chunk = store.CHUNK if recorded else store.CHUNK_OF_MODELS
    written = {key: recordable(value) for key, value in settings.items()}
    return Inputs(recordable(job.name), identity.sha256, written, suites, chunk)
