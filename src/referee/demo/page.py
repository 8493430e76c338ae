"""The demo's page: what the story says, then what every report has."""

from __future__ import annotations

from pathlib import Path

from referee import __version__
from referee.demo.folder import NOTE
from referee.demo.plan import STEPS
from referee.demo.story import Line, summary
from referee.reports.model import Section
from referee.reports.page.assemble import entries
from referee.reports.page.html import Page
from referee.reports.page.methods import methods
from referee.reports.page.sections import by_suite, scorecards, suite_charts, suite_details, suite_tables
from referee.runs.diagnosis import Diagnosis, diagnose
from referee.runs.run import read_run

READING = (
    "right %: how often the right translation got the best score; a tie is wrong.",
    "95 % interval: where the figure would likely lie with other items of the same kind; the wider of two methods.",
    "to compare: what guessing gives, or what whoever takes one of the two nouns without looking gets, or the same "
    "items before the change.",
    "The scorecard and the tables of the steps count as chance that any of the pronouns is taken. Where two nouns "
    "compete, taking either of them (50 %) is what a habit reaches, so that is what the summary holds against it.",
)


def page(sentence: str, told: list[Line], out: Path, size: str) -> Page:
    """All steps of a finished demo; `size` says how large it was."""
    runs = {name: diagnose(read_run(out / "runs" / name)) for name in STEPS}
    return Page(
        title="Does the pocket translator know what 'it' refers to?",
        lead=sentence,
        runs=list(runs),
        scorecards=scorecards(runs),
        methods=methods(),
        summary=[summary(told)],
        notes=READING,
        sections=[_section(name, runs[name], out) for name in STEPS],
        entries=entries(list(runs.values())),
        footer=f"referee {__version__}, {size}; every item with its verdict is in {out}, what was found in {NOTE}.",
    )


def _section(name: str, diagnosis: Diagnosis, out: Path) -> Section:
    step = STEPS[name]
    results = [{name: result} for result in by_suite(diagnosis).values()]
    return Section(
        title=step.title,
        about=step.about,
        command=step.shell(out),
        signature=diagnosis.run.info.signature,
        tables=[table for result in results for table in suite_tables(result)],
        charts=[chart for result in results for chart in suite_charts(result)],
        details=[table for result in results for table in suite_details(result)],
    )
