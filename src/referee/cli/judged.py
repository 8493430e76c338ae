"""What `eval` and `score` share: reading the options, judging, showing the result."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.options import By, Data, Match
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.runs.evaluate import Result
    from referee.verdicts import Rule


def judge(
    model_name: str,
    set_names: list[str],
    *,
    data: Data,
    match: Match,
    by: By,
    limit: int | None,
    out: Path | None,
    json: bool,
) -> None:
    """Judges the sets with the model and prints what was found."""
    from referee.analysis.accuracy import DIMENSIONS
    from referee.cli.output import progress_bar, say
    from referee.data.folder import data_folder
    from referee.models import open_model
    from referee.runs.evaluate import Request, evaluate
    from referee.suites import open_set

    folder = data_folder(data)
    request = Request(
        model_name=model_name,
        model=open_model(model_name),
        sets=[open_set(name, folder).head(limit) for name in set_names],
        rule=_rule(match),
        dimensions=tuple(by) if by else DIMENSIONS,
        command=["referee", *sys.argv[1:]],
    )
    with progress_bar("judging") as progress:
        result = evaluate(request, out, progress)
    if result.reused:
        say(f"{out} already holds this run, finished {result.info.finished}")
    _show(result, match, out, json=json)


def _show(result: Result, match: Match, out: Path | None, *, json: bool) -> None:
    from referee.cli.output import print_json, say, show_tables
    from referee.cli.output import result as line
    from referee.report.findings import summary, tables

    found = [findings for findings in result.findings if match is None or findings.rule in (None, match)]
    if json:
        print_json({"run": result.info, "findings": found})
        return
    show_tables(tables(found))
    line(summary(result.info))
    line(f"signature: {result.info.signature}")
    say(f"verdicts are in {out}" if out else "add --out FOLDER to keep the verdict of every item")


def _rule(match: Match) -> Rule:
    from referee.runs.evaluate import RULES

    for rule in RULES:
        if match in (None, rule):
            return rule
    raise UsageError(f"there is no matching rule '{match}'", f"choose {' or '.join(RULES)}")
