"""A run as a table for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from referee.analysis.accuracy import Findings

_HEADS = ("suite", "items", "accuracy %", "95% CI", "chance %", "group score %")


def run_html(model: str, findings: Sequence[Findings], signature: str) -> str:
    """A small table: one line per suite and mode. Names may come from strangers, so all text is escaped."""
    head = "".join(f"<th>{escape(name)}</th>" for name in _HEADS)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(entry))}</tr>" for entry in findings)
    caption = f"<caption style='text-align:left'>{escape(model)}</caption>"
    note = f"<small style='overflow-wrap:anywhere'>{escape(signature)}</small>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"


def _cells(entry: Findings) -> Iterator[str]:
    mode = " (generation)" if entry.kind == "generative" else ""
    yield f"{entry.suite}{mode}{f', {entry.rule}' if entry.rule else ''}"
    row = entry.overall
    if row is None:
        yield from (str(entry.without_gold), "", "", "", "")
        return
    low, high = row.interval
    yield from (str(row.items), f"{100 * row.accuracy:.1f}", f"{100 * low:.1f}–{100 * high:.1f}")
    yield "" if entry.chance is None else f"{100 * entry.chance.level:.1f}"
    yield "" if entry.group is None else f"{100 * entry.group.score:.1f}"
