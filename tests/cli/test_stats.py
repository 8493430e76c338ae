"""`referee stats dataset`."""

from __future__ import annotations

from pathlib import Path

from referee import sets
from referee.items import Candidate
from tests.conftest import Command
from tests.support.commands import answer
from tests.support.items import item


def test_stats(folder: Path, referee: Command) -> None:
    outcome = referee("stats", "dataset", "x.jsonl")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "x.jsonl: 4 items in 2 groups, 12 candidates; 4 items with gold, 4 with expected forms\n"
    )
    assert "items by label\nlabel  items\n[red]      2\nx          2\n" in outcome.out
    sets.save([item(candidates=(Candidate("a b"), Candidate("c")), gold=None)], folder / "y.jsonl.gz")
    value = answer(referee("stats", "dataset", "x.jsonl", "y.jsonl.gz", "--by", "case", "--json"))
    assert list(value["sets"]) == ["x.jsonl", "y.jsonl.gz"]
    assert value["sets"]["x.jsonl"]["counts"] == {"case": {"acc": 2, "nom": 2}}
    assert value["sets"]["y.jsonl.gz"]["lengths"]["candidate"]["spaces"]["mean"] == 1.5
    assert value["sets"]["y.jsonl.gz"]["with_gold"] == 0
