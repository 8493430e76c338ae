"""Runs as data frames: one row per verdict, with the fields of its item."""

from __future__ import annotations

import pyarrow as pa
import pytest

import referee
from referee.runs import frame
from referee.verdicts import Judged, Verdict
from tests.support.items import item

ITEMS = [item(id=f"i{number}", gold=number % 3, label="ab"[number % 2]) for number in range(8)]


@pytest.fixture
def run() -> referee.Run:
    return referee.score(ITEMS, scores=[float(number % 5) for number in range(24)], name="mod <5>")


def test_one_row_per_verdict(run: referee.Run) -> None:
    table = run.to_arrow()
    assert table.num_rows == 8
    row = table.to_pylist()[2]
    assert (row["suite"], row["id"], row["label"], row["gold"], row["kind"]) == ("items", "i2", "a", 2, "contrastive")
    assert row["scores"] == [1.0, 2.0, 3.0]
    assert (row["choice"], row["correct"], row["ranks"]) == (2, True, [3, 2, 1])
    assert row["candidates"][0]["text"] == "Er war hungrig."


def test_every_field_of_a_verdict_has_its_column() -> None:
    verdict = Verdict(
        item="i0",
        kind="generative",
        correct=False,
        dropped="too long",
        tied=True,
        choice=1,
        scores=(0.5, 0.25, 0.0),
        ranks=(1, 2, 3),
        output="Sie war hungrig.",
        found={"paper": False, "token": True},
        antecedent=True,
    )
    (row,) = frame.to_arrow([Judged("few", "generative", ITEMS[:1], [verdict])]).to_pylist()
    assert (row["found_paper"], row["found_token"]) == (False, True)
    fields = ("kind", "correct", "dropped", "tied", "choice", "output", "antecedent")
    assert [row[name] for name in fields] == [getattr(verdict, name) for name in fields]
    assert (row["scores"], row["ranks"]) == ([0.5, 0.25, 0.0], [1, 2, 3])


def test_an_empty_run_has_the_columns() -> None:
    assert isinstance(frame.to_arrow([]), pa.Table)
    assert {"suite", "id", "source", "correct", "scores"} <= set(frame.to_arrow([]).column_names)


def test_frames_of_other_packages(run: referee.Run) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    assert list(run.to_pandas()["correct"]) == run.to_arrow()["correct"].to_pylist()
    assert isinstance(run.to_pandas(), pandas.DataFrame)
    assert isinstance(run.to_polars(), polars.DataFrame)
    assert run.to_polars()["id"].to_list() == [entry.id for entry in ITEMS]


def test_a_missing_package_is_named(run: referee.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "import_module", lambda name: __import__(f"no_such_{name}"))
    with pytest.raises(referee.RefereeError, match=r"polars is not installed. Install it with `pip install polars`"):
        run.to_polars()
    with pytest.raises(referee.RefereeError, match="pandas is not installed"):
        run.to_pandas()


def test_sets_stand_one_after_the_other() -> None:
    few = [Verdict(item=f"i{number}", kind="contrastive", correct=True, choice=number % 3) for number in range(2)]
    said = [Verdict(item="i5", kind="generative", correct=False, output="Er.", found={"paper": True})]
    both = [Judged("few", "contrastive", ITEMS[:2], few), Judged("said", "generative", ITEMS[5:6], said)]
    rows = frame.to_arrow(both).to_pylist()
    assert [(row["suite"], row["id"], row["kind"]) for row in rows] == [
        ("few", "i0", "contrastive"),
        ("few", "i1", "contrastive"),
        ("said", "i5", "generative"),
    ]
    assert [row["choice"] for row in rows] == [0, 1, None]
    assert [(row["output"], row["found_paper"], row["found_token"]) for row in rows] == [
        (None, None, None),
        (None, None, None),
        ("Er.", True, None),
    ]
    assert [(row["dropped"], row["tied"], row["antecedent"]) for row in rows] == [(None, False, None)] * 3
