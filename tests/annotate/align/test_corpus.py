from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path

import pytest

from referee.annotate.align.corpus import evenly, open_parallel
from referee.errors import InputError, MissingError


def unseen(done: int, total: int | None) -> None:
    del done, total


def test_lines_come_together_from_plain_and_packed_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\n\nthree\n", encoding="utf-8")
    with gzip.open(tmp_path / "b.gz", "wt", encoding="utf-8") as file:
        file.write("eins\nzwei\ndrei")  # the last line may lack its end
    corpus = open_parallel([tmp_path / "a", tmp_path / "b"])
    assert len(corpus) == 3
    assert list(corpus.read(unseen)) == [("one", "eins"), ("", "zwei"), ("three", "drei")] == list(corpus.read(unseen))
    assert list(open_parallel([tmp_path / "a", tmp_path / "b"], limit=1).read(unseen)) == [("one", "eins")]
    assert len(open_parallel([tmp_path / "a", tmp_path / "b"], limit=9)) == 3


def test_accents_are_composed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("e\u0301l\n", encoding="utf-8")
    assert list(open_parallel([tmp_path / "a"]).read(unseen)) == [("él",)]


def test_different_numbers_of_lines_are_an_error_with_both(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n", encoding="utf-8")
    (tmp_path / "b").write_text("1\n2\n3\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"b: expected 2 lines, as many as .*a has, but found 3. Use files that are parallel"
    ):
        open_parallel([tmp_path / "a", tmp_path / "b"], limit=1)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="gone: does not exist"):
        open_parallel([tmp_path / "gone"])


def test_a_line_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"fine\n\xff\n")
    with pytest.raises(InputError, match="a:2: is not valid UTF-8"):
        list(open_parallel([tmp_path / "a"]).read(unseen))


@pytest.mark.parametrize(("count", "wanted"), [(10, 3), (10, 10), (10, 99), (7, 1), (1, 1), (1000, 999), (5, 0)])
def test_a_sample_is_spread_evenly(count: int, wanted: int) -> None:
    places = [place for place, chosen in enumerate(evenly(count, wanted)) if chosen]
    assert len(places) == min(count, wanted)
    steps = {after - before for before, after in pairwise(places)}
    assert max(steps, default=0) - min(steps, default=0) <= 1
