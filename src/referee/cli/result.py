"""What `eval` and `score` print about a run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, get_args

from referee.cli.options import By, Match
from referee.errors import UsageError, either

if TYPE_CHECKING:
    from pathlib import Path

    from referee.runs.run import Run
    from referee.runs.store import ChangeCount


def check_match(match: Match) -> None:
    """Refuse a matching rule that does not exist."""
    from referee.verdicts import Rule

    rules = get_args(Rule)
    if match is not None and match not in rules:
        raise UsageError(f"--match: '{match}' is not a matching rule", f"choose {either(rules)}")


def command_line() -> list[str]:
    """The command that is running."""
    return ["referee", *sys.argv[1:]]


def show_run(run: Run, match: Match, by: By, out: Path | None, *, json: bool) -> None:
    """Print the findings, or one JSON object; everything else goes to stderr."""
    from referee.cli.output import print_json, result, say, say_unknown, show_tables
    from referee.reports.tables.accuracy import summary, tables, truncated

    if run.reused:
        say(f"{out} already contains this run, finished {run.info.finished}.")
    for change in run.info.perturbations:
        say(_changed(change))
    # Items that were matched by their candidates have no rule to choose by.
    findings = [entry for entry in run.findings if match is None or entry.rule in (None, match)]
    say_unknown(by, {dimension for entry in findings for dimension in entry.by})
    if json:
        print_json({"run": run.info, "findings": findings})
        return
    show_tables(tables(findings))
    result(summary(run.info))
    if cut := truncated(run.info):
        result(cut)
    result(f"signature: {run.signature}")
    say(
        f"Verdicts written to {out}."
        if out
        else "To keep the verdict on every item, use `referee eval MODEL SUITE --out FOLDER`."
    )


def _changed(change: ChangeCount) -> str:
    from referee.reports.tables.built import reasons

    skipped = f" Skipped: {reasons(change.dropped.items())}." if change.dropped else ""
    return f"{change.suite}+{change.change}: {change.changed:,} of {change.items:,} items perturbed.{skipped}"
