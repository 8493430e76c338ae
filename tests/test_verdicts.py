"""Verdicts come back from their Parquet file as they went in, and the file's bytes depend on them alone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import verdicts
from referee.scoring.decision import contrastive, generative
from referee.verdicts import Verdict

VERDICTS = {
    "right": contrastive("a", [0.5, 0.25, 0.125], 0, higher=True),
    "wrong": contrastive("a", [0.5, 0.25, 0.125], 2, higher=True),
    "lower is better": contrastive("a", [10.2, 9.1], 1, higher=False),
    "tied": contrastive("a", [1.0, 1.0, 0.0], 0, higher=True),
    "tied behind the best": contrastive("a", [1.0, 0.0, 0.0], 0, higher=True),
    "all tied": contrastive("a", [0.0, 0.0], 1, higher=False),
    "no gold": contrastive("a", [1.0, 2.0], None, higher=True),
    "no gold and tied": contrastive("a", [2.0, 2.0], None, higher=True),
    "tiny difference": contrastive("a", [0.1 + 0.2, 0.3], 0, higher=True),
    "no candidates": Verdict(item="a", kind="contrastive", dropped="no candidates"),
    "found by both": generative("a", "Er kam.", {"paper": True, "token": True}),
    "found by paper": generative("a", "Sie kam.", {"paper": True, "token": False}),
    "found by token": generative("a", "Je t'aime.", {"paper": False, "token": True}),
    "empty output": generative("a", "", {"paper": False, "token": False}),
    "odd output": generative("a", "a\x00\u2028b\r\n\U0001f600", {"paper": False, "token": False}),
    "no expected form": Verdict(item="a", kind="generative", dropped="no expected form"),
    "chosen": Verdict(item="a", kind="generative", correct=True, choice=0, output="Er kam.", antecedent=True),
    "chosen, no gold": Verdict(item="a", kind="generative", choice=2, output="Es kam."),
    "other": Verdict(item="a", kind="generative", correct=False, output="Na ja.", antecedent=False),
    "several": Verdict(item="a", kind="generative", correct=False, tied=True, output="Er sah sie."),
}


def write_parts(parts: Sequence[tuple[str, list[Verdict]]], file: IO[bytes]) -> None:
    with verdicts.writing(file) as write:
        for suite, part in parts:
            write(suite, part)


def stored(parts: Sequence[tuple[str, list[Verdict]]], folder: Path) -> Path:
    """The file of `parts`, each of one suite."""
    path = folder / "verdicts.parquet"
    with path.open("wb") as file:
        write_parts(parts, file)
    return path


@pytest.mark.parametrize("name", VERDICTS)
def test_round_trip(name: str, tmp_path: Path) -> None:
    path = stored([("s", [VERDICTS[name]])], tmp_path)
    assert list(verdicts.read(path)) == [("s", VERDICTS[name])]


def test_the_examples_are_what_they_are_called() -> None:
    kept = {name: (v.correct, v.tied, v.choice, v.ranks) for name, v in VERDICTS.items() if v.scores}
    assert kept == {
        "right": (True, False, 0, (1, 2, 3)),
        "wrong": (False, False, 0, (1, 2, 3)),
        "lower is better": (True, False, 1, (2, 1)),
        "tied": (False, True, None, (1, 1, 3)),
        "tied behind the best": (True, False, 0, (1, 2, 2)),
        "all tied": (False, True, None, (1, 1)),
        "no gold": (None, False, 1, (2, 1)),
        "no gold and tied": (None, True, None, (1, 1)),
        "tiny difference": (True, False, 0, (1, 2)),
    }


_scores = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=4)


@st.composite
def any_verdict(draw: st.DrawFn, item: str) -> Verdict:
    kind = draw(st.sampled_from(["contrastive", "generative", "dropped"]))
    if kind == "dropped":
        return Verdict(item=item, kind="contrastive", dropped=draw(st.text()))
    if kind == "contrastive":
        scores = draw(_scores)
        gold = draw(st.none() | st.integers(0, len(scores) - 1))
        return contrastive(item, scores, gold, higher=draw(st.booleans()))
    if draw(st.booleans()):
        choice = draw(st.none() | st.integers(0, 3))
        return Verdict(
            item=item,
            kind="generative",
            correct=draw(st.none() | st.booleans()),
            tied=choice is None and draw(st.booleans()),
            choice=choice,
            output=draw(st.text()),
            antecedent=draw(st.none() | st.booleans()),
        )
    found: dict[verdicts.Rule, bool] = {"paper": draw(st.booleans()), "token": draw(st.booleans())}
    return generative(item, draw(st.text()), found)


@st.composite
def any_part(draw: st.DrawFn) -> tuple[str, list[Verdict]]:
    ids = draw(st.lists(st.text(min_size=1, max_size=3), unique=True, min_size=1, max_size=4))
    return draw(st.text(max_size=3)), [draw(any_verdict(name)) for name in ids]


@settings(max_examples=60)
@given(st.lists(any_part(), min_size=1, max_size=3))
def test_any_parts_come_back_in_order(parts: list[tuple[str, list[Verdict]]]) -> None:
    with TemporaryDirectory() as folder:
        path = stored(parts, Path(folder))
        assert list(verdicts.read(path)) == [(suite, verdict) for suite, part in parts for verdict in part]


def test_the_same_id_in_two_suites_is_two_items(tmp_path: Path) -> None:
    same = VERDICTS["right"]
    path = stored([("s", [same]), ("t", [same])], tmp_path)
    assert list(verdicts.read(path)) == [("s", same), ("t", same)]


def test_a_row_for_every_candidate(tmp_path: Path) -> None:
    path = stored([("s", [VERDICTS["tied"]])], tmp_path)
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    keys = ("suite", "item", "candidate", "score", "rank", "tie", "correct")
    assert [tuple(row[key] for key in keys) for row in rows] == [
        ("s", "a", 0, 1.0, 1, True, False),
        ("s", "a", 1, 1.0, 1, True, False),
        ("s", "a", 2, 0.0, 3, True, False),
    ]
    assert {"token_scores", "length"} <= set(rows[0])


def test_one_row_for_an_output(tmp_path: Path) -> None:
    path = stored([("s", [VERDICTS["found by token"]])], tmp_path)
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    assert len(rows) == 1
    assert {key: rows[0][key] for key in ("output", "correct", "found_paper", "found_token", "candidate")} == {
        "output": "Je t'aime.",
        "correct": False,
        "found_paper": False,
        "found_token": True,
        "candidate": None,
    }


def test_the_file_says_which_version_it_is(tmp_path: Path) -> None:
    path = stored([("s", [VERDICTS["right"]])], tmp_path)
    assert pq.read_schema(path).metadata[b"referee.verdicts"] == b"3"


def test_the_same_verdicts_give_the_same_bytes(tmp_path: Path) -> None:
    parts = [("s", list(VERDICTS.values())[:3]), ("s", list(VERDICTS.values())[3:])]
    first, again, other = (stored(made, tmp_path).read_bytes() for made in (parts, parts, parts[:1]))
    assert first == again != other


def test_scores_and_ranks_must_go_together() -> None:
    broken = Verdict(item="a", kind="contrastive", scores=(1.0, 2.0), ranks=(1,))
    with pytest.raises(ValueError, match="shorter"):
        write_parts([("s", [broken])], io.BytesIO())
