"""The registry, and what is common to all perturbations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from referee.errors import InputError, UnknownNameError, UsageError
from referee.items import Item, Origin, SetOrigin, Span
from referee.perturbations import (
    Dropped,
    Perturbation,
    Tally,
    attacked,
    changed,
    changed_twin,
    choose,
    nothing_changed,
    perturbations,
    perturbed_set,
    save_perturbed,
    together,
)
from referee.sets import canonical, decode, load, of_items
from tests.conftest import Install
from tests.support.items import any_item, item

LOUD = Perturbation(
    "loud",
    "shouts",
    ("en",),
    lambda one: Dropped("nothing to shout") if one.source == "..." else changed(one, "loud", source=one.source.upper()),
)


def test_table_4_and_table_5_are_there() -> None:
    names = list(perturbations())
    assert len([name for name in names if name.startswith("phrase/")]) == 15
    assert len([name for name in names if name.startswith("possessive/")]) == 17
    assert "synonym" in names


def test_every_perturbation_says_what_it_does() -> None:
    for each in perturbations().values():
        assert each.about
        assert each.languages
        assert each.example


def test_a_changed_item_names_its_original() -> None:
    original = item(group="twins", features={"case": "nom"}, meta={"from": "me"}, label="x", distance=1)
    made = changed(original, "loud", source="IT")
    assert (made.id, made.group, made.source) == ("a+loud", "a", "IT")
    assert made.origin == Origin("a", "loud", "attack")
    assert made.features == {"case": "nom"}
    assert made.meta == {"from": "me", "original_group": "twins"}
    assert (made.label, made.distance, made.candidates, made.gold) == ("x", 1, original.candidates, 0)
    assert "original_group" not in changed(item(), "loud").meta


@given(any_item())
def test_any_item_is_changed_into_a_valid_one_or_dropped(one: Item) -> None:
    for each in perturbations().values():
        if each.name == "synonym" or each.apply_group:
            continue
        for apply in (each.apply, each.paper):
            made = apply(one) if apply else Dropped("")
            if isinstance(made, Item):
                assert decode(canonical(made), "here", None) == made
                assert (made.group, made.origin) == (one.id, Origin(one.id, each.name, each.kind))
                assert (made.gold, len(made.candidates), made.task) == (one.gold, len(one.candidates), one.task)


def test_reasons_are_counted_and_a_second_reading_counts_anew() -> None:
    originals = of_items("mine", [item(id="a"), item(id="b", source="..."), item(id="c", source="...")])
    made, tallies = perturbed_set(originals, [LOUD])
    assert made.name == "mine+loud"
    for _ in range(2):
        assert [one.id for one in made] == ["a+loud"]
        assert tallies() == [Tally("loud", 3, 1, {"nothing to shout": 2})]  # type: ignore[arg-type]


NEVER = Perturbation("never", "changes nothing", ("en",), lambda one: Dropped("not today"))


def test_a_set_is_saved_if_any_perturbation_changes_an_item(tmp_path: Path) -> None:
    told: list[int] = []
    originals = of_items("mine", [item(id="a"), item(id="b", source="...")])
    fingerprint, tallies = save_perturbed(
        originals, [NEVER, LOUD], tmp_path / "made.jsonl", lambda done, _: told.append(done)
    )
    assert [one.id for one in load(tmp_path / "made.jsonl")] == ["a+loud"]
    assert fingerprint.items == 1
    assert [(tally.perturbation, tally.items, tally.changed) for tally in tallies] == [("never", 2, 0), ("loud", 2, 1)]
    assert told == [1]


@pytest.mark.parametrize(
    ("items", "chosen", "problem"),
    [
        ([], [LOUD], "mine: has no items. Use a set with at least one item"),
        ([item()], [NEVER], r"mine: no item can be changed \(not today\)"),
        ([item(source="...")], [NEVER, LOUD], r"mine: no item can be changed \(not today, nothing to shout\)"),
    ],
)
def test_no_file_where_nothing_can_be_changed(
    items: list[Item], chosen: list[Perturbation], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=problem):
        save_perturbed(of_items("mine", items), chosen, tmp_path / "made.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_every_reason_is_named_once_the_most_frequent_of_each_first() -> None:
    tallies = [
        Tally("one", 3, 0, Counter({"short": 1, "odd": 2})),
        Tally("two", 0),
        Tally("three", 1, 0, Counter({"short": 1})),
    ]
    assert "mine: no item can be changed (odd, short)" in str(nothing_changed("mine", tallies))
    assert "mine: has no items" in str(nothing_changed("mine", [Tally("one"), Tally("two")]))


def test_each_perturbation_is_applied_to_the_originals() -> None:
    chosen = choose(["phrase/he-said", "phrase/but-why-apart"])
    context = {"source_context": ("A cup fell.",), "target_context": ("Eine Tasse fiel.",)}
    made, tallies = perturbed_set(of_items("mine", [item(**context)]), chosen)
    assert [one.source_context for one in made] == [("He said: “A cup fell.”",), ("A cup fell. But why?",)]
    assert [(tally.perturbation, tally.changed) for tally in tallies()] == [
        ("phrase/he-said", 1),
        ("phrase/but-why-apart", 1),
    ]


def test_a_family_stands_for_all_of_it_once() -> None:
    names = [each.name for each in choose(["phrase/but-why", "phrase"])]
    assert len(names) == len(set(names)) == 15
    assert names[0] == "phrase/but-why"


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown perturbation 'phrase/he-sad' \(did you mean phrase/he-said"):
        choose(["phrase/he-sad"])


def test_only_some_have_a_published_form() -> None:
    with pytest.raises(UsageError, match="'synonym' has no published form"):
        choose(["synonym"], paper=True)


def test_synonyms_need_a_thesaurus() -> None:
    (synonym,) = choose(["synonym"])
    spans = (Span("antecedent", "source", 0, 2), Span("antecedent", "target_context", 0, 9))
    one = item(target_context=("Der Becher fiel.",), spans=spans)
    with pytest.raises(UsageError, match="needs a thesaurus"):
        list(attacked([one], synonym))


def test_a_perturbation_that_breaks_an_item_is_named() -> None:
    broken = Perturbation("broken", "x", ("en",), lambda one: changed(one, "broken", gold=7))
    with pytest.raises(InputError, match=r"'broken' makes an invalid item of 'a' \(gold: 7 is out of range"):
        list(attacked([item()], broken))


@pytest.mark.parametrize("made", [Origin("a", "other", "attack"), Origin("a", "odd", "probe"), None])
def test_a_perturbation_must_name_itself_as_the_origin(made: Origin | None) -> None:
    odd = Perturbation("odd", "x", ("en",), lambda one: msgspec.structs.replace(one, id="b", origin=made))
    with pytest.raises(InputError, match=r"the item 'b' lacks the perturbation 'odd' as its origin.*kind='attack'"):
        list(attacked([item()], odd))


def test_every_perturbation_has_a_kind_and_baselines_say_what_they_hide() -> None:
    kinds = {name: (each.kind, each.hides) for name, each in perturbations().items() if each.kind != "attack"}
    assert kinds == {
        "no-cands": ("baseline", "the candidates in the sentence"),
        "part-sent": ("baseline", "the rest of the sentence"),
        "no-premise": ("baseline", "the premise"),
        "no-question": ("baseline", "the question"),
        "mask-special-word": ("probe", ""),
    }


def test_the_set_says_what_it_was_made_of() -> None:
    originals = of_items("mine", [item()])
    assert perturbed_set(originals, [LOUD])[0].origin == SetOrigin("mine", "loud", "attack")
    assert perturbed_set(originals, [LOUD])[0].head(1).origin == SetOrigin("mine", "loud", "attack")
    # Of several changes, only the items can say which they are.
    assert perturbed_set(originals, [LOUD, *choose(["swap"])])[0].origin is None


def test_a_perturbation_may_look_at_a_whole_group() -> None:
    """Twins need not be neighbours; what is made of them stands together, and each keeps its group."""
    rest = Perturbation(
        "rest",
        "what the twins have",
        ("en",),
        lambda one: Dropped("has no twin"),
        apply_group=lambda members: [
            changed_twin(one, "rest", source=str(len(members))) if len(members) > 1 else Dropped("has no twin")
            for one in members
        ],
    )
    originals = of_items("mine", [item(id="a", group="g"), item(id="b"), item(id="c", group="g")])
    made, tallies = perturbed_set(originals, [rest, LOUD])
    assert [(one.id, one.group, one.source) for one in made] == [
        ("a+rest", "g", "2"),
        ("a+loud", "a", "IT WAS HUNGRY."),
        ("c+rest", "g", "2"),
        ("c+loud", "c", "IT WAS HUNGRY."),
        ("b+loud", "b", "IT WAS HUNGRY."),
    ]
    assert tallies()[0] == Tally("rest", 3, 2, {"has no twin": 1})  # type: ignore[arg-type]
    assert next(iter(made)).origin == Origin("a", "rest", "attack")


def test_together_means_all_or_none() -> None:
    both = together(LOUD.apply)
    assert [type(one) for one in both([item(id="a"), item(id="b")])] == [Item, Item]
    assert both([item(id="a"), item(id="b", source="...")]) == [
        Dropped("its twin cannot be changed"),
        Dropped("nothing to shout"),
    ]


CODE = """
from referee.perturbations import Perturbation, changed

def shout(item):
    return changed(item, "shout", source=item.source.upper())

SHOUT = Perturbation("shout", "all capitals", ("en",), shout, "THE CUP FELL.")
"""


def test_plug_ins_add_perturbations(install: Install) -> None:
    install("shouting", "[referee.perturbations]\nshout = shouting:SHOUT\n", CODE)
    (shout,) = choose(["shout"])
    assert [one.source for one in attacked([item()], shout)] == ["IT WAS HUNGRY."]
