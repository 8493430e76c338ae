"""What every change leaves on an item: a new id, an origin, a group."""

from __future__ import annotations

from referee.items import Item, Origin
from referee.perturbations.base import Dropped, changed, changed_twin, together
from tests.support.items import item

ONE = item(id="a", group="g", features={"clause": "main"}, meta={"line": 3})


def test_a_changed_item_is_grouped_with_its_original() -> None:
    result = changed(ONE, "louder", source="IT WAS HUNGRY.", features={"loud": "1"})
    assert (result.id, result.group, result.source) == ("a+louder", "a", "IT WAS HUNGRY.")
    assert result.origin == Origin("a", "louder", "attack")
    assert result.features == {"clause": "main", "loud": "1"}
    assert result.meta == {"line": 3, "original_group": "g"}
    assert ONE.meta == {"line": 3}, "the original stays as it was"


def test_without_a_group_none_is_noted() -> None:
    result = changed(item(id="a"), "louder", kind="baseline", meta={"line": 4})
    assert (result.group, result.meta, result.origin) == ("a", {"line": 4}, Origin("a", "louder", "baseline"))


def test_a_changed_twin_stays_in_its_group() -> None:
    result = changed_twin(ONE, "louder", kind="probe")
    assert (result.id, result.group, result.meta) == ("a+louder", "g", {"line": 3})
    assert result.origin == Origin("a", "louder", "probe")
    assert changed_twin(item(id="a"), "louder").group == "a"
    assert changed_twin(item(id="a"), "louder").origin == Origin("a", "louder", "attack")


def test_all_members_or_none() -> None:
    def louder(each: Item) -> Item | Dropped:
        return changed_twin(each, "louder") if each.gold else Dropped("is first")

    both = [item(id="a", gold=1), item(id="b", gold=2)]
    assert together(louder)(both) == [louder(each) for each in both]
    assert together(louder)([item(id="c", gold=0), *both]) == [
        Dropped("is first"),
        Dropped("its twin cannot be changed"),
        Dropped("its twin cannot be changed"),
    ]
