from __future__ import annotations

from pathlib import Path

import pytest

from referee.annotate.align.links import Link
from referee.errors import RefereeError
from referee.train.recipes.aligner.gold import Gold, alibi, in_columns, in_three_files, scores
from tests.support.small_aligner import pair


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def test_alibi_has_french_first(tmp_path: Path) -> None:
    written(tmp_path, Story_fr_txt="0\tLe chien dort\n1\tOui\n", Story_en_txt="0\tThe dog sleeps well\n1\tYes\n")
    written(tmp_path, Story_align_txt="0\t0-0 1-1 2-2 2p3 \n1\t\n")
    first, second = alibi(tmp_path)
    assert first.pair.source.text == "The dog sleeps well"
    assert first.sure == {(0, 0), (1, 1), (2, 2)}
    assert first.possible - first.sure == {(3, 2)}
    assert not second.possible


def test_a_table_of_three_columns(tmp_path: Path) -> None:
    folder = written(tmp_path, a_tsv="The dog\tDer Hund da\t0-0 1-1 1-2\n", b_tsv="x\ty\n")
    (gold,) = in_columns(folder / "a.tsv")
    assert len(gold.pair.target.spans) == 3
    assert gold.sure == gold.possible == {(0, 0), (1, 1), (1, 2)}
    with pytest.raises(RefereeError, match=r"b.tsv:1: expected 3 columns but found 2"):
        in_columns(folder / "b.tsv")


def test_three_files_and_a_link_out_of_range(tmp_path: Path) -> None:
    folder = written(tmp_path, s="a b\n", t="c\n", l="0-1 0-0 0-7\n", broken="0:0\n")
    (gold,) = in_three_files(folder / "s", folder / "t", folder / "l", turned=True)
    assert gold.sure == {(0, 0), (1, 0)}
    with pytest.raises(RefereeError, match=r"broken:1: '0:0' is not a link"):
        in_three_files(folder / "s", folder / "t", folder / "broken")


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([(0, 0), (1, 1)], (1.0, 1.0, 1.0)),
        ([(0, 0), (0, 1)], (1.0, 0.5, 2 / 3)),
        ([(0, 0), (1, 0)], (0.5, 0.5, 0.5)),
        ([], (0.0, 0.0, 0.0)),
    ],
)
def test_scores(links: list[Link], expected: tuple[float, float, float]) -> None:
    sure = frozenset({(0, 0), (1, 1)})
    gold = Gold(pair("a b", "c d"), sure, sure | {(0, 1)})
    assert scores([links], [gold]) == pytest.approx(expected, abs=1e-9)
