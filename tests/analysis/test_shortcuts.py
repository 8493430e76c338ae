"""Items that are associative or solved by a baseline: Table 2 of "Back to Square One"."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from referee.analysis.shortcuts import Shortcuts, shortcuts
from referee.items import Candidate, Item, Origin, SetOrigin
from referee.scoring.decision import contrastive
from referee.verdicts import Judged, Verdict
from tests.support.items import item

LABELS = {"cup": ("1", "1"), "door": ("0", "0"), "tree": ("0", "1"), "lone": ("0",)}


def schemas(label: bool = True) -> list[Item]:
    """Three pairs and a schema without a twin."""
    return [
        item(
            id=f"{name}-{twin}",
            task="fill",
            source=f"The {name} fell because _ was old ({twin}).",
            target_lang="en",
            candidates=(Candidate("it"), Candidate("they")),
            gold=0,
            group=None if len(labels) == 1 else name,
            features={"associative": value} if label else {},
        )
        for name, labels in LABELS.items()
        for twin, value in enumerate(labels, 1)
    ]


def verdict(case: Item, hit: bool) -> Verdict:
    return contrastive(case.id, [1.0, 0.0] if hit else [0.0, 1.0], 0, higher=True)


def baseline(
    change: str, hits: Mapping[str, str], *, origin: bool = True, of: str = "wsc", kind: str = "baseline"
) -> Judged:
    """The items of each pair that the baseline changed: + is correct, - is not; pairs that are not named it dropped."""
    originals = {one.id: one for one in schemas()}
    items, verdicts = [], []
    for name, marks in hits.items():
        for twin, mark in enumerate(marks, 1):
            original = originals[f"{name}-{twin}"]
            changed = item(
                id=f"{original.id}+{change}",
                task="fill",
                source="_ was old.",
                target_lang="en",
                candidates=original.candidates,
                gold=0,
                group=original.group_id,
                features=original.features,
                origin=Origin(original.id, change, kind),  # type: ignore[arg-type]
            )
            items.append(changed)
            verdicts.append(verdict(changed, mark == "+"))
    declared = SetOrigin(of, change, "baseline") if origin else None
    return Judged(f"{of}+{change}", "contrastive", items, verdicts, declared)


def original(label: bool = True) -> Judged:
    items = schemas(label)
    return Judged("wsc", "contrastive", items, [verdict(one, True) for one in items])


NO_CANDS = {"cup": "++", "door": "+-", "tree": "++", "lone": "+"}
PART_SENT = {"cup": "++", "tree": "--"}


def run() -> list[Shortcuts]:
    return shortcuts([original(), baseline("no-cands", NO_CANDS), baseline("part-sent", PART_SENT)])


def test_every_item_has_its_conditions_by_group() -> None:
    (found,) = run()
    assert (found.suite, found.kind) == ("wsc", "contrastive")
    assert [(one.item, one.associative, one.no_cands, one.part_sent) for one in found.items] == [
        ("cup-1", True, True, True),
        ("cup-2", True, True, True),
        # One twin of two is not enough; part-sent could not change the pair.
        ("door-1", False, False, None),
        ("door-2", False, False, None),
        # Twins may have different labels.
        ("tree-1", False, True, False),
        ("tree-2", True, True, False),
        # A schema without a twin has no group score.
        ("lone-1", False, None, None),
    ]
    assert found.items[0].source == "The cup fell because _ was old (1)."


def test_all_combinations_are_counted() -> None:
    (found,) = run()
    counts = found.counts()
    assert len(counts) == 8
    assert {conditions: count for conditions, count in counts.items() if count} == {
        (True, True, True): 2,
        (True, True, False): 1,
        (False, True, False): 1,
    }
    assert found.complete == 4


def test_a_baseline_from_a_file_is_known_by_its_items() -> None:
    sets = [original(), *(baseline(*one, origin=False) for one in (("no-cands", NO_CANDS), ("part-sent", PART_SENT)))]
    assert shortcuts(sets) == run()


def test_items_of_a_published_baseline_have_the_ids_of_the_original() -> None:
    published = []
    for change, hits in (("no-cands", NO_CANDS), ("part-sent", PART_SENT)):
        made = baseline(change, hits)
        items = [msgspec.structs.replace(one, id=one.origin.item, origin=None) for one in made.items if one.origin]
        published.append(Judged(made.suite, made.kind, items, made.verdicts, made.origin))
    assert shortcuts([original(), *published]) == run()


@pytest.mark.parametrize(
    "sets",
    [
        [],
        [original()],
        [original(), baseline("no-cands", NO_CANDS)],
        [original(label=False), baseline("no-cands", NO_CANDS), baseline("part-sent", PART_SENT)],
        [original(), baseline("no-cands", NO_CANDS), baseline("part-sent", PART_SENT, of="other")],
        [original(), baseline("no-cands", NO_CANDS), baseline("part-sent", PART_SENT, kind="attack")],
    ],
    ids=["nothing", "no baselines", "one baseline", "no labels", "another set", "an attack"],
)
def test_sets_without_labels_or_without_both_baselines_have_no_table(sets: list[Judged]) -> None:
    assert shortcuts(sets) == []


def test_an_item_that_was_not_decided_leaves_its_pair_open() -> None:
    whole = baseline("no-cands", NO_CANDS)
    verdicts = [
        Verdict(item=one.id, kind="contrastive", dropped="too long") if one.id.startswith("cup-1") else each
        for one, each in whole
    ]
    cut = Judged(whole.suite, whole.kind, whole.items, verdicts, whole.origin)
    (found,) = shortcuts([original(), cut, baseline("part-sent", PART_SENT)])
    assert [(one.no_cands, one.part_sent) for one in found.items[:2]] == [(None, True), (None, True)]
