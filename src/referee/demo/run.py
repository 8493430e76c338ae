"""The demo itself: samples to files, steps to run folders, and findings to a table, a summary and a page."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from referee import __version__, sets, verdicts
from referee.analysis.accuracy import Findings
from referee.analysis.comparison.compare import compare
from referee.analysis.steps import steps as step_outcomes
from referee.demo import folder as folders
from referee.demo.folder import PAGE, Note
from referee.demo.page import page
from referee.demo.plan import MODEL, SAMPLES, STEPS, Step
from referee.demo.story import Line, lines, sentence
from referee.errors import MissingError
from referee.io.files import atomic_write
from referee.io.progress import Bars, no_bars
from referee.items import Item
from referee.perturbations import choose
from referee.protocols import Model
from referee.reports.wording.steps import step_sentences
from referee.runs.collect import Planned
from referee.runs.job import Job, carry_out
from referee.scoring.options import ScoringOptions

TRANSLATIONS, SCORES = "pocket.de", "pocket.scores"
"""What the translator wrote and scored in the step `de-both`, as files that `referee score` takes."""
TRANSLATED = "de/gender"


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the demo found; `sentence` sums it up."""

    quick: bool
    report: str
    sentence: str
    summary: list[Line]
    steps: dict[str, list[Findings]]


def demo(out: Path, share: float, bars: Bars = no_bars) -> Told:
    """Run all steps at a part of the full size; an interrupted demo resumes."""
    # A folder or a model that cannot be used is an error at once.
    folders.earlier(out, [TRANSLATIONS, SCORES])
    model = _open_model()
    with bars(f"[0/{len(STEPS)}] drawing items") as progress:
        samples: dict[str, list[Item]] = {}
        for number, (name, sample) in enumerate(SAMPLES.items(), 1):
            samples[name] = list(sample.items(share))
            progress(number, len(SAMPLES))
    note = Note(
        status="running",
        identity=_identity(model, samples),
        sets=[sample.file for sample in SAMPLES.values()],
        runs=list(STEPS),
        extra=[PAGE, TRANSLATIONS, SCORES],
    )
    folders.claim(out, note)
    for name, items in samples.items():
        sets.save(items, _set_path(out, name))
    steps, sets_of = {}, {}
    for number, step in enumerate(STEPS.values(), 1):
        with bars(f"[{number}/{len(STEPS)}] {step.title}") as progress:
            run = carry_out(_job(step, model, samples, out), _run_path(out, step), progress)
            steps[step.name], sets_of[step.name] = list(run.findings), run.sets
    with_context = [*sets_of["de-gender"], *sets_of["de-pronouns"]]
    comparisons = compare(with_context, sets_of["de-sentence"])
    losses = {comparison.suite: comparison.items for comparison in comparisons if comparison.items is not None}
    told = Told(
        quick=share < 1,
        report=str(out / PAGE),
        sentence=f"{sentence(steps)} {step_sentences(step_outcomes(with_context))}",
        summary=lines(steps, losses),
        steps=steps,
    )
    _write_outputs(out)
    size = "quick demo" if told.quick else "full demo"
    page(told.summary, out, size).save(out / PAGE)
    folders.write(out, msgspec.structs.replace(note, status="done", found=told))
    return told


def commands_to_try(out: Path) -> list[list[str]]:
    """Commands that score the demo's own outputs."""
    items = str(_set_path(out, TRANSLATED))
    return [
        ["referee", "score", items, "--translations", str(out / TRANSLATIONS)],
        ["referee", "score", items, "--scores", str(out / SCORES), "--by", "gender"],
    ]


def _open_model() -> Model:
    from referee.models import open_model

    try:
        return open_model(MODEL)
    except ModuleNotFoundError as error:
        problem = f"the demo needs the package '{error.name}', which is not installed"
        raise MissingError(problem, f"install it with `pip install {error.name}`") from None


def _identity(model: Model, samples: dict[str, list[Item]]) -> str:
    """Everything that decides what the demo's folder holds."""
    identity = model.identity()
    settings = sorted((dict(identity.settings) | dict(identity.generation)).items())
    inputs: list[Any] = [__version__, version("ctranslate2"), identity.sha256, settings]
    inputs += [repr(step) for step in STEPS.values()]
    inputs += [sets.of_items(name, items).fingerprint().sha256 for name, items in samples.items()]
    return hashlib.sha256(msgspec.json.encode(inputs)).hexdigest()


def _job(step: Step, model: Model, samples: dict[str, list[Item]], out: Path) -> Job:
    scoring = msgspec.convert({"how": step.how, "context": step.context}, ScoringOptions)
    perturbations = choose(step.attacks)
    planned = [Planned(sets.of_items(name, samples[name]), perturbations) for name in step.samples]
    return Job(MODEL, model, planned, scoring=scoring, dimensions=step.by, command=step.command(out))


def _set_path(out: Path, name: str) -> Path:
    return out / "sets" / f"{SAMPLES[name].file}.jsonl"


def _run_path(out: Path, step: Step) -> Path:
    return out / "runs" / step.name


def _write_outputs(out: Path) -> None:
    """Write the translator's own lines, to try `referee score` with."""
    both = [verdict for _, verdict in verdicts.read(_run_path(out, STEPS["de-both"]) / "verdicts.parquet")]
    written = "".join(f"{_one_line(verdict.output or '')}\n" for verdict in both if verdict.kind == "generative")
    scores = "".join(f"{score!r}\n" for verdict in both for score in verdict.scores)
    for name, text in ((TRANSLATIONS, written), (SCORES, scores)):
        with atomic_write(out / name) as file:
            file.write(text.encode())


def _one_line(text: str) -> str:
    return " ".join(text.split())
