"""Sets on their way into a run's own file: surveyed, perturbed and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import sets
from referee.errors import InputError, UsageError
from referee.io.files import byte_lines
from referee.items import Item
from referee.perturbations import choose
from referee.runs.collect import Planned, collect
from referee.runs.store import ChangeCount
from referee.sets import canonical
from tests.support.items import item

GERMAN = [item(id=f"i{number}", source_context=("The cup stood there.",)) for number in range(3)]
FRENCH = [item(id="f0", target_lang="fr")]


def written(path: Path) -> list[bytes]:
    return [line.rstrip(b"\n") for line in byte_lines(path)]


def stored(items: list[Item]) -> list[bytes]:
    return [canonical(each).rstrip(b"\n") for each in items]


def test_sets_stand_one_after_the_other(tmp_path: Path) -> None:
    planned = [Planned(sets.of_items("german", GERMAN)), Planned(sets.of_items("french", FRENCH))]
    collected = collect(planned, tmp_path / "items.jsonl.gz")
    assert collected.items == tmp_path / "items.jsonl.gz"
    assert [(survey.name, survey.fingerprint.items) for survey in collected.surveys] == [("german", 3), ("french", 1)]
    assert list(collected.changes) == []
    assert written(collected.items) == stored(GERMAN + FRENCH)


def test_a_perturbed_set_follows_its_original(tmp_path: Path) -> None:
    mixed = [*GERMAN[:2], item(id="f0", target_lang="fr")]
    (said,) = choose(["phrase/he-said"])
    collected = collect([Planned(sets.of_items("mixed", mixed), [said])], tmp_path / "items.jsonl.gz")
    original, changed = collected.surveys
    assert (original.name, original.perturbed, original.fingerprint.items) == ("mixed", 0, 3)
    assert changed.name == "mixed+phrase/he-said"
    assert changed.perturbed == changed.fingerprint.items
    assert changed.origin is not None
    assert (changed.origin.of, changed.origin.kind) == ("mixed", "attack")
    (count,) = collected.changes
    assert (count.suite, count.change, count.items) == ("mixed", "phrase/he-said", 3)
    assert count.changed == changed.fingerprint.items
    assert sum(count.dropped.values()) == 3 - count.changed
    assert len(written(collected.items)) == 3 + count.changed


def test_a_perturbation_that_changes_nothing(tmp_path: Path) -> None:
    said, schema = choose(["phrase/he-said"])[0], choose(["swap"])[0]
    collected = collect([Planned(sets.of_items("german", GERMAN), [schema, said])], tmp_path / "one.gz")
    assert [survey.name for survey in collected.surveys] == ["german", "german+phrase/he-said"]
    assert isinstance(collected.changes[0], ChangeCount)
    assert [(count.change, count.changed) for count in collected.changes] == [("swap", 0), ("phrase/he-said", 3)]
    with pytest.raises(InputError, match="german"):
        collect([Planned(sets.of_items("german", GERMAN), [schema])], tmp_path / "two.gz")


def test_every_set_has_its_own_counts(tmp_path: Path) -> None:
    """What one set lost and why is not told of the next; a set without items has nothing to change."""
    said, swap = choose(["phrase/he-said"])[0], choose(["swap"])[0]
    one, two = sets.of_items("one", GERMAN[:1]), sets.of_items("two", GERMAN[:2])
    planned = [Planned(sets.of_items("german", GERMAN), [said, swap]), Planned(one), Planned(two, [said])]
    collected = collect(planned, tmp_path / "items.gz")
    sizes = [(survey.name, survey.fingerprint.items) for survey in collected.surveys]
    assert sizes == [("german", 3), ("german+phrase/he-said", 3), ("one", 1), ("two", 2), ("two+phrase/he-said", 2)]
    counts = [(count.suite, count.change, count.items, count.changed) for count in collected.changes]
    assert counts == [("german", "phrase/he-said", 3, 3), ("german", "swap", 3, 0), ("two", "phrase/he-said", 2, 2)]
    assert [sum(count.dropped.values()) for count in collected.changes] == [0, 3, 0]
    assert len(written(collected.items)) == 11
    bare = sets.of_items("bare", [item()])
    with pytest.raises(InputError, match=r"bare: no item can be changed \(no context\)"):
        collect([Planned(bare, [said])], tmp_path / "bare.gz")
    with pytest.raises(InputError, match="none: has no items"):
        collect([Planned(sets.of_items("none", []), [said])], tmp_path / "none.gz")


def test_no_set_is_there_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by its name nor by another; a copy is a set of its own."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.jsonl", "b.jsonl"):
        sets.save(GERMAN, Path(name))
    a, same, copy = (Planned(sets.load(Path(name))) for name in ("a.jsonl", str(tmp_path / "a.jsonl"), "b.jsonl"))
    with pytest.raises(UsageError, match=r"the set a.jsonl is given twice. Give each set once"):
        collect([a, a], tmp_path / "items.gz")
    with pytest.raises(UsageError, match=r"a.jsonl is the same file as a.jsonl"):
        collect([a, same], tmp_path / "items.gz")
    assert len(collect([a, copy], tmp_path / "items.gz").surveys) == 2
