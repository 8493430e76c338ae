"""`referee diagnose`: whether a run is correct for the right reasons."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Json
from referee.errors import UsageError, either

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.analysis.corpus.frequencies import Priors
    from referee.runs.diagnosis import Diagnosis


def diagnose(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A folder made by `referee eval --out`.")],
    salience: Annotated[
        bool,
        typer.Option("--salience", help="Compute the salience of each source word and store it in the run folder."),
    ] = False,
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="M", help="Method of salience: prediction-difference, or inseq:NAME."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="Compute salience for the first N items of each suite."),
    ] = None,
    maps: Annotated[
        int, typer.Option("--maps", metavar="N", min=0, help="Show the salience of the words of N items.")
    ] = 3,
    coding: Annotated[
        list[str] | None,
        typer.Option(
            "--coding",
            metavar="FEATURE=V,V",
            help="Value order of the published bias measure, such as gender=f,m,n. Repeatable.",
        ),
    ] = None,
    priors: Annotated[
        Path | None,
        typer.Option(
            "--priors", metavar="FILE", help="Pronoun counts from `estimate priors`, shown next to the choices."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Diagnose a run: bias, artifacts, robustness, salience."""
    from referee.analysis.corpus.frequencies import read_priors
    from referee.cli.output import print_json, progress_bar
    from referee.reports.records import (
        importance_records,
        scorecard_records,
        shortcut_records,
        step_records,
        suite_record,
    )
    from referee.runs.diagnosis import diagnose as run_diagnosis
    from referee.runs.run import read_run

    order = _coding(coding or [])
    counts = None if priors is None else read_priors(priors)
    if not salience and (limit is not None or method is not None):
        raise UsageError("--method and --limit need --salience", "add --salience, or remove them")
    with progress_bar("computing salience") if salience else nullcontext() as progress:
        diagnosis = run_diagnosis(
            read_run(run), salience=salience, method=method, limit=limit, coding=order, progress=progress
        )
    if salience:
        _tell_salience(diagnosis, method)
    _remark_on_coding(order, diagnosis)
    if json:
        print_json(
            {
                "run": diagnosis.run.info,
                "scorecard": scorecard_records(diagnosis.scorecard),
                "steps": step_records(diagnosis.steps),
                "shortcuts": shortcut_records(diagnosis.shortcuts),
                "suites": [suite_record(suite) for suite in diagnosis.suites],
                "importance": importance_records(diagnosis.importance),
                "coverage": diagnosis.coverage,
                "priors": counts,
            }
        )
    else:
        _show(diagnosis, maps, counts)


def _tell_salience(diagnosis: Diagnosis, method: str | None) -> None:
    from referee.cli.output import say
    from referee.reports.tables.built import reasons
    from referee.runs.salience import read_about

    if (about := read_about(diagnosis.run.folder, method)) is not None:
        skipped = f" Skipped: {reasons(about.left_out.items())}." if about.left_out else ""
        say(f"Salience of {about.explained} items stored in {diagnosis.run.folder}.{skipped}")


def _show(diagnosis: Diagnosis, maps: int, priors: Priors | None) -> None:
    import sys

    from referee.cli.output import result, show_tables
    from referee.reports.tables.corpus import coverage_table
    from referee.reports.tables.diagnosis import diagnosis_tables
    from referee.reports.tables.salience import importance_table, show_maps
    from referee.reports.tables.scorecard import scorecard_tables
    from referee.reports.tables.square_one import shortcut_counts
    from referee.reports.tables.steps import step_tables
    from referee.reports.wording import headline

    show_tables(scorecard_tables(diagnosis.scorecard))
    show_tables(step_tables(diagnosis.steps))
    show_tables(diagnosis_tables(diagnosis.suites))
    show_tables([shortcut_counts(shortcuts) for shortcuts in diagnosis.shortcuts])
    if diagnosis.shortcuts:
        result("The conditions of every item are in `referee report --tables DIR` and `diagnose --json`.")
    if diagnosis.importance:
        show_tables([importance_table(list(diagnosis.importance.values()))])
    show_tables([coverage_table(suite, coverage) for suite, coverage in diagnosis.coverage.items()])
    if priors is not None:
        _show_priors(diagnosis, priors)
    show_maps(diagnosis.run.sets, diagnosis.salience, maps, sys.stdout)
    if words := headline(diagnosis.scorecard, diagnosis.steps):
        result(words)


def _show_priors(diagnosis: Diagnosis, priors: Priors) -> None:
    """Choices next to the counts, for the suites in the language that was counted."""
    from referee.cli.output import say, show_tables
    from referee.reports.tables.corpus import choices_and_counts

    spoken = {judged.suite: {item.target_lang for item in judged.items} for judged in diagnosis.run.sets}
    biases = {suite.suite: suite.biases for suite in reversed(diagnosis.suites) if suite.biases}
    shown = {suite: of_suite for suite, of_suite in biases.items() if spoken[suite] == {priors.target_lang}}
    if not shown:
        say(f"--priors: no suite has candidates of different gender in '{priors.target_lang}'.")
    show_tables([choices_and_counts(suite, of_suite, priors) for suite, of_suite in reversed(shown.items())])


def _remark_on_coding(order: Mapping[str, Sequence[str]], diagnosis: Diagnosis) -> None:
    """Remark on a value that no candidate has, which is most likely misspelt."""
    from referee.cli.output import say

    biases = [bias for suite in diagnosis.suites for bias in suite.biases]
    for feature, values in order.items():
        offered = {entry.value for bias in biases if bias.feature == feature for entry in bias.values}
        if unknown := [value for value in values if value not in offered]:
            say(f"--coding: no evaluated candidate has {feature} {either(unknown)}.")


def _coding(given: Sequence[str]) -> dict[str, list[str]]:
    orders = {}
    for text in given:
        feature, equals, values = text.partition("=")
        if not equals or not values or "" in values.split(","):
            raise UsageError(f"--coding: {text!r} is not FEATURE=VALUE,VALUE", "write it as gender=f,m,n")
        orders[feature.strip()] = [value.strip() for value in values.split(",")]
    return orders
