"""What a first pass over a set counts."""

from __future__ import annotations

import pytest

from referee import sets
from referee.errors import InputError
from referee.items import Candidate, Origin, SetOrigin
from referee.scoring.survey import Surveyor, survey
from referee.sets import ItemSet, canonical
from tests.support.items import item

ITEMS = [
    item(id="a"),
    item(id="b", candidates=(Candidate("Er."), Candidate("Sie.")), origin=Origin("a", "phrase/he-said", "attack")),
    item(id="c", candidates=(), gold=None, expected=("sie",)),
    item(id="d", candidates=(), gold=None),
    item(id="e", task="fill", source="Ann saw _.", candidates=(Candidate("Bea"), Candidate("Cleo"))),
]


def test_everything_is_counted() -> None:
    seen = survey(sets.of_items("five", ITEMS))
    assert (seen.name, seen.fingerprint.items, seen.candidates) == ("five", 5, 7)
    assert (seen.contrastable, seen.matchable, seen.perturbed) == (3, 3, 1)
    assert seen.tasks == {"translate", "fill"}
    assert seen.origin is None


def test_the_origin_of_the_set_is_kept() -> None:
    origin = SetOrigin("five", "phrase/he-said", "attack")
    assert survey(ItemSet("other", lambda: iter(ITEMS), origin)).origin == origin


def test_what_is_hashed_is_what_is_written() -> None:
    surveyor = Surveyor("five")
    lines = list(surveyor.lines(ITEMS))
    assert [line.rstrip(b"\n") for line in lines] == [canonical(each).rstrip(b"\n") for each in ITEMS]
    assert surveyor.survey().fingerprint == survey(sets.of_items("five", ITEMS)).fingerprint


def test_what_a_set_must_have() -> None:
    whole = survey(sets.of_items("five", ITEMS))
    whole.require_candidates()
    whole.require_forms()
    bare = survey(sets.of_items("bare", ITEMS[3:4]))
    with pytest.raises(InputError, match="no item of bare has candidates"):
        bare.require_candidates()
    with pytest.raises(InputError, match="no item of bare has expected forms"):
        bare.require_forms()
