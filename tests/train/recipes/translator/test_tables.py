"""The figures of a card as tables."""

from __future__ import annotations

import pytest

from referee.errors import InputError
from referee.train.recipes.translator import corpus, tables

FIGURES = {
    "films": {"contexts": 2000, "with id": 400, "held out by text": 40, "of films in the rest": 30},
    "documents": {
        "de": {
            "texts": 1000,
            "passages": 40,
            "quality": [{"value": 45.04, "interval": [44, 46]}, {"value": 60.0, "interval": [59, 61]}],
            "sentences": 200,
            "sentences seen": 11,
            "texts with nothing seen": 900,
            "quality with nothing seen": [{"value": 44.0, "interval": [43, 45]}],
            "texts of known films": 0,
            "quality of known films": [],
        }
    },
    "sentences": {"de": {"texts": 10, "quality": [{"value": 1.0}, {"value": 2.0}]}, "fr": {"texts": 1, "quality": []}},
    "subtitles": {"de": {"texts": 5, "quality": [{"value": 3.0}, {"value": 4.0}]}},
    "context": [
        {
            "set": "auxiliary en-de",
            "items": 230,
            "films": 12,
            "paper": {"alone": 0.04, "with context": 0.2, "difference": 0.16, "interval": [0.1, 0.2]},
            "token": {"alone": 0.04, "with context": 0.21},
        }
    ],
    "templates": {
        language: {
            "gender": {"items": 400, "chance": 0.5, "accuracy": 0.9, "interval": [0.88, 0.92]},
            "role-prior": {"items": 400, "chance": 0.5, "chosen genders": {"f": 0.25, "m": 0.75}},
        }
        for language in (*corpus.LANGUAGES, "de, published")
    },
}


def test_tables_show_the_figures() -> None:
    shown = tables.tables(FIGURES)
    for row in (
        "| de | 1,000 of 40 passages | 45.0 (44.0 to 46.0) | 60.0 | 5.5% | 44.0 (900) |  |",
        "400 of the 2,000 CTXPRO contexts have the id of their film.",
        "75% of the 40 held-out",
        "| de | 10 | 1.0 | 2.0 | 5 | 3.0 | 4.0 |",
        "| auxiliary en-de | 230 of 12 films | 4.0 | 20.0 | +16.0 (+10.0 to +20.0) | 4.0 / 21.0 |",
        "| gender | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 |",
        "(`--paper`): 90.0 (88.0 to 92.0, 400 items).",
    ):
        assert row in shown
    assert "| role-prior | f 25, m 75 |" in shown


def test_tables_take_their_place_in_a_card() -> None:
    card = f"# Card\n\n{tables.BEGIN}\nold\n{tables.END}\n\nend\n"
    once = tables.put_into(card, FIGURES)
    assert "old" not in once
    assert once.startswith("# Card\n") and once.endswith("\n\nend\n")
    assert tables.put_into(once, FIGURES) == once
    with pytest.raises(InputError, match="lacks the lines"):
        tables.put_into("# Card\n", FIGURES)
