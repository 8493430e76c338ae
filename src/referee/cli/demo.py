"""`referee demo`: the whole point in one command."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Json

if TYPE_CHECKING:
    from referee.analysis.accuracy import Findings
    from referee.report.tables import Table
    from referee.runs.evaluate import Request


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the demo keeps its files.")] = Path(
        "referee-demo"
    ),
    json: Json = False,
) -> None:
    """Judge three made-up systems on a small set that is made on the spot; no download."""
    from referee import sets
    from referee.cli.output import print_json, progress_bar, result, show_tables
    from referee.demo.sample import sample
    from referee.demo.systems import SYSTEMS, score_lines, translation_lines
    from referee.files import atomic_write
    from referee.runs.evaluate import evaluate

    for earlier in out.glob("*/run.json"):
        # What an earlier demo left; another version of referee may have made it.
        shutil.rmtree(earlier.parent)
    items = list(sample())
    path = out / "items.jsonl"
    sets.save(items, path)
    found: dict[str, tuple[Findings, Findings]] = {}
    with progress_bar("judging", unit="systems") as progress:
        for done, (name, preference) in enumerate(SYSTEMS.items(), 1):
            for file, text in (
                (f"{name}.scores", score_lines(items, preference)),
                (f"{name}.de", translation_lines(items, preference)),
            ):
                with atomic_write(out / file) as stream:
                    stream.write(text.encode())
            contrastive = evaluate(
                _request(f"scores:{out / name}.scores,better=lower", path), out / f"{name}.contrastive"
            )
            generative = evaluate(_request(f"translations:{out / name}.de", path), out / f"{name}.generative")
            found[name] = (contrastive.findings[0], generative.findings[1])
            progress(done, len(SYSTEMS))
    if json:
        print_json({"items": str(path), "systems": found})
        return
    show_tables([_table(found)])
    result(_lesson(found))
    result("")
    result(f"Everything is in {out}: the set, the systems' files, and a run folder for each. Try it yourself:")
    result(f"  {shlex.join(['referee', 'score', str(path), '--translations', str(out / 'first-noun.de')])}")


def _request(model: str, path: Path) -> Request:
    from referee import sets
    from referee.models import open_model
    from referee.runs.evaluate import Request

    dimensions = ("label", "gender", "position")
    command = ("referee", "eval", model, str(path))
    return Request(model, open_model(model), [sets.load(path)], dimensions=dimensions, command=command)


def _table(found: dict[str, tuple[Findings, Findings]]) -> Table:
    from referee.report.findings import interval, percent
    from referee.report.tables import Table

    rows = []
    for name, (contrastive, generative) in found.items():
        overall, group, output = contrastive.overall, contrastive.group, generative.overall
        if overall is None or group is None or output is None:
            continue
        by_position = {row.key: percent(row.accuracy) for row in contrastive.by["position"]}
        rows.append(
            (
                name,
                percent(overall.accuracy),
                interval(overall.bootstrap),
                percent(group.score),
                by_position["first"],
                by_position["second"],
                percent(output.accuracy),
            )
        )
    columns = ("system", "right %", "95 % interval", "both twins %", "first noun %", "second noun %", "translated %")
    items = next(iter(found.values()))[0].overall
    count = items.items if items else 0
    title = f"What does 'it' refer to? {count} sentences in twins, English to German, 3 pronouns to choose from"
    return Table(title, columns, rows, note="chance is 33.3 % for one sentence and 11.1 % for both twins")


def _lesson(found: dict[str, tuple[Findings, Findings]]) -> str:
    from referee.report.findings import percent

    first = found["first-noun"][0]
    accuracy = percent(first.overall.accuracy if first.overall else 0)
    twins = percent(first.group.score if first.group else 0)
    return (
        f"What was found: 'first-noun' gets {accuracy} % of the sentences right, but {twins} % of the twins.\n"
        "Whoever looks at single sentences takes its habit for understanding; twins tell the two apart."
    )
