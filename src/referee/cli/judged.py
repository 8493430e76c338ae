"""What `eval` and `score` share: reading the options, judging, showing the result."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from referee.cli.options import By, Comet, Data, Match
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from referee.protocols import Model
    from referee.runs.evaluate import Result
    from referee.scoring.cache import Cache
    from referee.scoring.options import ScoringOptions
    from referee.sets import ItemSet


def judge(
    model: tuple[str, Model, Mapping[str, str]],
    set_names: list[str],
    *,
    data: Data,
    match: Match,
    by: By,
    limit: int | None,
    out: Path | None,
    json: bool,
    scoring: ScoringOptions | None = None,
    cache: Cache | None = None,
    comet: Comet = None,
    perturb: tuple[list[str], str | None] = ([], None),
) -> None:
    """Judges the sets with the model (its name, itself, its options) and prints what was found.

    Beside each set are judged those that the perturbations make of it; they come with the thesaurus they may need.
    """
    from referee.analysis.accuracy import DIMENSIONS
    from referee.cli.output import progress_bar, say
    from referee.data.folder import data_folder
    from referee.models.files import ScoreFile
    from referee.runs.evaluate import RULES, Request, evaluate
    from referee.scoring.options import ScoringOptions
    from referee.suites import open_set

    if match is not None and match not in RULES:
        raise UsageError(f"there is no matching rule '{match}'", f"choose {' or '.join(RULES)}")
    if match is not None and isinstance(model[1], ScoreFile):
        raise UsageError("--match is about translations", "leave it out with scores")
    folder = data_folder(data)
    request = Request(
        model_name=model[0],
        model=model[1],
        sets=_with_attacks([open_set(name, folder).head(limit) for name in set_names], *perturb),
        options=model[2],
        scoring=scoring or ScoringOptions(),
        cache=cache,
        comet=comet,
        dimensions=tuple(by) if by else DIMENSIONS,
        command=["referee", *sys.argv[1:]],
    )
    with progress_bar("judging") as progress:
        result = evaluate(request, out, progress)
    if result.reused:
        say(f"{out} already holds this run, finished {result.info.finished}")
    _show(result, match, by, out, json=json)


def _with_attacks(sets: list[ItemSet], names: list[str], thesaurus: str | None) -> list[ItemSet]:
    """Each set, followed by what every perturbation leaves of it; one that leaves nothing is left out with a remark."""
    from referee.cli.output import say
    from referee.cli.perturb import nothing_changed, reasons
    from referee.perturbations import choose
    from referee.perturbations import perturb as change

    found: list[ItemSet] = []
    chosen = choose(names, thesaurus=thesaurus)
    for challenge in sets:
        found.append(challenge)
        counted = []
        for perturbation in chosen:
            attacked, tallies = change(challenge, [perturbation])
            left = sum(1 for _ in attacked)
            (tally,) = tallies()
            why = f"; left out: {reasons(tally)}" if tally.dropped else ""
            say(f"{attacked.name}: {left:,} of {tally.items:,} items changed{why}")
            counted.append(tally)
            if left:
                found.append(attacked)
        if counted and not any(tally.changed for tally in counted):
            raise nothing_changed(challenge.name, counted)
    return found


def _show(result: Result, match: Match, by: By, out: Path | None, *, json: bool) -> None:
    from referee.cli.output import print_json, say, say_unknown, show_tables
    from referee.cli.output import result as line
    from referee.reports.tables.accuracy import summary, tables

    # What was decided by alternatives has no rule to choose by.
    found = [findings for findings in result.findings if match is None or findings.rule in (None, match)]
    say_unknown(by, {dimension for findings in found for dimension in findings.by})
    if json:
        print_json({"run": result.info, "findings": found})
        return
    show_tables(tables(found))
    line(summary(result.info))
    line(f"signature: {result.info.signature}")
    say(f"verdicts are in {out}" if out else "`referee eval MODEL SUITE --out FOLDER` keeps the verdict of every item")
