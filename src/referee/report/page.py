"""Findings as one HTML page: no network, no script, light and dark, for a screen, a phone and paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from referee.items import Item
from referee.report.tables import Table
from referee.verdicts import Verdict


@dataclass(frozen=True)
class Example:
    """An item as it was judged."""

    title: str
    item: Item
    verdict: Verdict


@dataclass(frozen=True)
class Section:
    """A part of the page: what was asked, the command that asks it, what was found, and some items."""

    title: str
    about: str
    command: str
    tables: Sequence[Table]
    examples: Sequence[Example] = ()


@dataclass(frozen=True)
class Page:
    """The whole: the sentence, the table that sums up, how to read it, the parts, and where all this comes from."""

    title: str
    lead: str
    summary: Table
    reading: Sequence[str]
    sections: Sequence[Section]
    source: str


def html(page: Page) -> str:
    """The page as text; whatever comes from items, models or names is escaped."""
    style = files("referee.report").joinpath("page.css").read_text("utf-8")
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(page.title)}</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{escape(page.title)}</h1>",
        f'<p class="lead">{escape(page.lead)}</p>',
        _table(page.summary, "stack"),
        "<ul>" + "".join(f"<li>{escape(each)}</li>" for each in page.reading) + "</ul>",
        *(_section(section) for section in page.sections),
        f"<footer><p>{escape(page.source)}</p></footer>",
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _section(section: Section) -> str:
    return "\n".join(
        [
            "<section>",
            f"<h2>{escape(section.title)}</h2>",
            f"<p>{escape(section.about)}</p>",
            *(_table(table) for table in section.tables),
            *(_example(example) for example in section.examples),
            f'<p class="command"><code>{escape(section.command)}</code></p>',
            "</section>",
        ]
    )


def _table(table: Table, kind: str = "plain") -> str:
    """Columns of words to the left, figures to the right; `stack` makes a card of every row where there is no room."""
    sides = ["words" if place in table.left else "figure" for place in range(len(table.columns))]
    heads = "".join(
        f'<th scope="col" class="{side}">{escape(name)}</th>' for name, side in zip(table.columns, sides, strict=True)
    )
    rows = "\n".join(f"<tr>{_cells(row, table.columns, sides)}</tr>" for row in table.rows)
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="wide {kind}"><table><caption>{escape(table.title)}</caption>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>{note}"
    )


def _cells(row: Sequence[str], columns: Sequence[str], sides: Sequence[str]) -> str:
    cells = []
    for place, (cell, name, side) in enumerate(zip(row, columns, sides, strict=True)):
        if place == 0:
            # Two spaces before a name make it a part of the one above.
            inner = ' class="words part"' if cell.startswith("  ") else f' class="{side}"'
            cells.append(f'<th scope="row"{inner}>{escape(cell.strip())}</th>')
        else:
            cells.append(f'<td class="{side}" data-name="{escape(name)}">{escape(cell)}</td>')
    return "".join(cells)


def _example(example: Example) -> str:
    item, verdict = example.item, example.verdict
    result = {True: "right", False: "wrong", None: "nothing is right here"}[verdict.correct]
    kind = {True: "good", False: "bad", None: "open"}[verdict.correct]
    return "\n".join(
        [
            f'<article class="example {kind}">',
            f"<h3>{escape(example.title)} <span>{result}</span></h3>",
            _sentence(item.source_context, item.source, item.source_lang),
            _sentence(item.target_context, "…", item.target_lang) if item.target_context else "",
            '<ul class="choices">' + "".join(_choice(item, verdict, place) for place in range(len(item.candidates))),
            "</ul>",
            _output(verdict.output, item.target_lang),
            "</article>",
        ]
    )


def _sentence(context: Sequence[str], text: str, language: str) -> str:
    before = f'<span class="context">{escape(" ".join(context))}</span> ' if context else ""
    return f'<p lang="{escape(language)}">{before}{escape(text)}</p>'


def _choice(item: Item, verdict: Verdict, place: int) -> str:
    marks = (["chosen"] if verdict.choice == place else []) + (["right answer"] if item.gold == place else [])
    score = f'<span class="score">{verdict.scores[place]:.3f}</span>' if place < len(verdict.scores) else ""
    shown = "".join(f'<span class="mark">{mark}</span>' for mark in marks)
    chosen = ' class="chosen"' if verdict.choice == place else ""
    text = f'<span lang="{escape(item.target_lang)}">{escape(item.candidates[place].text)}</span>'
    return f"<li{chosen}>{score}{text}{shown}</li>"


def _output(output: str | None, language: str) -> str:
    if output is None:
        return ""
    return f'<p>it wrote: <span lang="{escape(language)}" class="output">{escape(output)}</span></p>'
