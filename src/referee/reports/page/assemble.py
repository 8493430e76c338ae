"""Runs to the contents of a report page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee import __version__
from referee.analysis.comparison.compare import compare_runs
from referee.analysis.salience.record import Salience
from referee.items import Item
from referee.reports.model import ItemEntry, ItemResult, Page, Section
from referee.reports.page.methods import methods
from referee.reports.page.sections import Overview, Runs, cards, judge_of, lead, overview_part, repeat_part, suite_parts
from referee.reports.tables.comparison import comparison_tables
from referee.runs.diagnosing import Diagnosis
from referee.runs.run import Run
from referee.verdicts import Kind, Verdict


def contents(runs: Runs, title: str = "", known: Overview | None = None) -> Page:
    """The page on one run or several; several are compared with the first."""
    return Page(
        title=title or _title(runs),
        lead=lead(runs),
        runs=list(runs),
        cards=cards(runs),
        methods=methods(),
        parts=list(_parts(runs, known or Overview())),
        entries=entries(list(runs.values())),
        source=f"Made by referee {__version__}. Every verdict is in the folders of the runs.",
    )


def _title(runs: Runs) -> str:
    models = dict.fromkeys(found.run.info.inputs.model for found in runs.values())
    return f"{', '.join(models)}: right, and for the right reasons?"


def _parts(runs: Runs, known: Overview) -> Iterator[Section]:
    if len(runs) > 1 and (part := _compared(runs)) is not None:
        yield part
    if (part := overview_part(runs, known)) is not None:
        yield part
    yield from suite_parts(runs)
    for name, found in runs.items():
        yield repeat_part(name, found)


def _compared(runs: Runs) -> Section | None:
    """None where no run has an item in common with the first, or all are the same model under the same settings."""
    judges = [judge_of(each) for each in runs.values()]
    found = [
        versus
        for versus in compare_runs([each.run.judged for each in runs.values()])
        if judges[versus.base] != judges[versus.other] and any(each.items or each.same for each in versus.comparisons)
    ]
    if not found:
        return None
    named = [(name, each.run.info.inputs.model) for name, each in runs.items()]
    return Section(
        "Runs compared", "Paired item by item, each run against the first.", tables=comparison_tables(named, found)
    )


@dataclass
class _Gathered:
    """An item while results are collected."""

    item: Item
    suite: str
    results: list[ItemResult] = field(default_factory=list)
    flipped: bool = False


def entries(runs: Sequence[Diagnosis]) -> list[ItemEntry]:
    """Every item once, with what all runs said about it; one with the same id but other content is another."""
    found: dict[tuple[str, str], list[_Gathered]] = {}
    for number, diagnosed in enumerate(runs):
        salience = {(each.suite, each.item): each for each in diagnosed.salience}
        before = _originals(diagnosed.run)
        for judged in diagnosed.run.judged:
            for item, verdict in judged:
                own = _place(found.setdefault((judged.suite, item.id), []), item, judged.suite)
                own.results.append(ItemResult(number, verdict, _explained(salience, judged.suite, item, verdict)))
                own.flipped = own.flipped or _turned(item, verdict, before)
    return [
        ItemEntry(own.suite, own.item, own.results, own.flipped or _disagree(own.results))
        for same in found.values()
        for own in same
    ]


def _place(same: list[_Gathered], item: Item, suite: str) -> _Gathered:
    for own in same:
        if own.item == item:
            return own
    same.append(_Gathered(item, suite))
    return same[-1]


def _explained(
    salience: Mapping[tuple[str, str], Salience], suite: str, item: Item, verdict: Verdict
) -> Salience | None:
    """Salience is about scores: what was written has none of its own."""
    return salience.get((suite, item.id)) if verdict.kind == "contrastive" else None


def _originals(run: Run) -> dict[tuple[Kind, str], bool | None]:
    """Whether each item that is no changed one was right."""
    return {
        (judged.kind, item.id): verdict.correct
        for judged in run.judged
        for item, verdict in judged
        if "perturbation" not in item.features
    }


def _turned(item: Item, verdict: Verdict, before: Mapping[tuple[Kind, str], bool | None]) -> bool:
    """Whether a change of the item made right wrong, or wrong right."""
    if "perturbation" not in item.features or verdict.correct is None:
        return False
    was = before.get((verdict.kind, str(item.meta.get("original", item.group_id))))
    return was is not None and was != verdict.correct


def _disagree(results: Sequence[ItemResult]) -> bool:
    """Whether runs that judged in the same way differ on whether it is right."""
    answers = {
        (result.verdict.kind, result.verdict.correct) for result in results if result.verdict.correct is not None
    }
    return any((kind, not correct) in answers for kind, correct in answers)
