from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee import sets
from referee.errors import InputError
from referee.items import Item
from referee.sets import item_set
from tests.support.items import any_item, item

distinct = st.lists(any_item(), min_size=1, max_size=4, unique_by=lambda made: made.id)
often = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.mark.parametrize("ending", sets.FORMATS)
@given(items=distinct)
@often
def test_any_item_survives_every_format(tmp_path: Path, ending: str, items: list[Item]) -> None:
    path = tmp_path / f"set{ending}"
    written = sets.save(items, path)
    assert list(sets.load(path)) == items
    assert sets.load(path).fingerprint() == written


@given(items=distinct)
@often
def test_the_hash_does_not_depend_on_the_format(tmp_path: Path, items: list[Item]) -> None:
    assert len({sets.save(items, tmp_path / f"set{ending}").sha256 for ending in sets.FORMATS}) == 1


def test_the_hash_tells_sets_apart() -> None:
    one = sets.of_items("x", [item(id="a"), item(id="b")]).fingerprint()
    other = sets.of_items("x", [item(id="b"), item(id="a")]).fingerprint()
    changed = sets.of_items("x", [item(id="a"), item(id="b", gold=1)]).fingerprint()
    assert (one.items, len({one.sha256, other.sha256, changed.sha256})) == (2, 3)


@pytest.mark.parametrize("ending", sets.FORMATS)
def test_the_same_set_gives_the_same_bytes(tmp_path: Path, ending: str) -> None:
    for name in ("one", "two"):
        sets.save([item(id="a"), item(id="b")], tmp_path / (name + ending))
    assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()


def test_a_set_can_be_read_twice_and_cut(tmp_path: Path) -> None:
    sets.save([item(id=name) for name in "abc"], tmp_path / "set.jsonl")
    found = sets.load(tmp_path / "set.jsonl")
    assert [made.id for made in found] == [made.id for made in found] == ["a", "b", "c"]
    assert [made.id for made in found.head(2)] == ["a", "b"]


def test_a_packed_file_is_found_by_its_plain_name(tmp_path: Path) -> None:
    sets.save([item()], tmp_path / "set.jsonl.gz")
    assert list(sets.load(tmp_path / "set.jsonl")) == [item()]


def test_a_repeated_id_names_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(b"\n".join(sets.canonical(item(id=name)) for name in "aba"))
    with pytest.raises(InputError) as error:
        list(sets.load(path))
    assert (error.value.line, error.value.field, "line 1" in error.value.problem) == (3, "id", True)


def test_a_hash_collision_is_not_a_repeated_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "set.jsonl"
    sets.save([item(id=name) for name in "abc"], path)
    monkeypatch.setattr(item_set, "hash", lambda _: 0, raising=False)
    assert len(list(sets.load(path))) == 3


def test_sets_in_memory_check_ids_too() -> None:
    with pytest.raises(InputError, match="'a' occurs twice"):
        sets.of_items("x", [item(), item()])


def test_saving_what_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    sets.save([item()], path)
    before = path.read_bytes()
    with pytest.raises(RuntimeError):
        sets.save(_failing(), path)
    assert path.read_bytes() == before
    assert [child.name for child in tmp_path.iterdir()] == ["set.jsonl"]


def _failing() -> Iterator[Item]:
    yield item(id="new")
    raise RuntimeError


def test_an_unknown_ending_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(
        InputError,
        match=r"'\.csv' is not a format of item files. Choose a name such as \*\.jsonl, \*\.jsonl\.gz, \*\.parquet",
    ):
        sets.save([item()], tmp_path / "set.csv")


def test_an_older_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    sets.save([item()], path)
    table = pq.read_table(path)
    pq.write_table(table.drop_columns("origin").replace_schema_metadata({"referee.schema": "1"}), path)
    with pytest.raises(
        InputError, match=r"set\.parquet: field 'schema': is not 2, the schema version .*Create the file again"
    ):
        list(sets.load(path))


def test_damage_late_in_a_packed_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl.gz"
    packed = gzip.compress(b"\n".join(sets.canonical(item(id=str(number))) for number in range(2000)))
    path.write_bytes(packed[:-20])
    with pytest.raises(InputError, match="damaged gzip"):
        list(sets.load(path))
