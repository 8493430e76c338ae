"""Every language that is shipped: its items are whole, and as many as docs/templates.md says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from referee.build.templates import shipped
from tests.build.test_german import DEFAULT
from tests.build.test_german_paper import NOT_TABLE_8, TABLE_8
from tests.support.generated import marked, template_items, texts

PAGE = (Path(__file__).resolve().parents[2] / "docs/templates.md").read_text(encoding="utf-8")
SENTENCE = re.compile(r"(?!.*  )[^{}]+[.!?]")
"""Nothing is left unfilled, and no space stands where a word is missing."""


def columns(header: str) -> dict[str, dict[str, int]]:
    """The figures of the table with that header, by column and template."""
    table = PAGE[PAGE.index(header) :].partition("\n\n")[0].splitlines()
    names, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    return {
        name: {row[0].strip("`"): int(row[place].replace(",", "")) for row in rows}
        for place, name in enumerate(names)
        if all(re.fullmatch(r"[\d,]+", row[place]) for row in rows)
    }


def test_german_beside_the_paper() -> None:
    assert columns("| template | Table 8 |") == {
        "Table 8": TABLE_8,
        "`--paper`": TABLE_8 | NOT_TABLE_8,
        "default": DEFAULT,
    }


@pytest.mark.parametrize("code", columns("| template | de |"))
def test_there_are_as_many_items_as_the_page_says(code: str) -> None:
    assert columns("| template | de |")[code] == Counter(item.label for item in template_items(code))


@pytest.mark.parametrize("code", shipped())
def test_items_are_whole(code: str) -> None:
    items = template_items(code)
    assert len({item.id for item in items}) == len(items)
    for item in items:
        for text in (*item.source_context, item.source, *texts(item)):
            assert SENTENCE.fullmatch(text), text
        for span in item.spans:
            assert (found := marked(item, span)) and found == found.strip(), item
