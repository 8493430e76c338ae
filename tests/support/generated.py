"""What the tests of all languages share: the items, and the words as they stand in the files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from referee.build.templates import open_templates
from referee.items import Item, Span
from referee.languages import language

PRIORS = ("role-prior", "position-prior", "verb-prior")
OVERLAPS = ("verb-overlap", "object-overlap", "subject-overlap", "object-verb-overlap", "subject-verb-overlap")
NO_REFERENT = ("event", "pleonastic")
NOUNS = ("animal", "food", "drink", "human", "noun")
"""The sets of words whose genders count."""


@cache
def template_items(code: str) -> tuple[Item, ...]:
    return tuple(open_templates(code).items())


@cache
def rows(code: str, name: str) -> tuple[dict[str, str], ...]:
    text = Path(language(code).folder, "words", f"{name}.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple({key: cell or "" for key, cell in row.items()} for row in csv.DictReader(lines, delimiter="\t"))


def texts(item: Item) -> Iterator[str]:
    """All that is said in the target language."""
    yield from item.target_context
    yield from (candidate.text for candidate in item.candidates)


def marked(item: Item, span: Span) -> str:
    """What a span stands on."""
    of = {
        "source": (item.source,),
        "source_context": item.source_context,
        "target_context": item.target_context,
        "candidate": tuple(candidate.text for candidate in item.candidates),
    }
    return of[span.field][span.index][span.start : span.end]
