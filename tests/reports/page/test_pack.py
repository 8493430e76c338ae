"""Items in a page: whole where they fit, a fair sample where not, and the same bytes every time."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec
import pytest

from referee.build.templates import open_templates, shipped
from referee.items import Origin
from referee.reports.model import ItemEntry, ItemResult
from referee.reports.page.pack import pack
from referee.verdicts import Verdict
from tests.support.items import item
from tests.support.pages import entries


def unpacked(data: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(data)))


def test_every_field_of_an_item_comes_back_but_meta() -> None:
    found = entries(6, 2)
    origin = Origin(item="other", change="swap", kind="attack")
    found[0] = replace(found[0], item=msgspec.structs.replace(found[0].item, origin=origin, meta={"free": [1]}))
    packed = pack(["a", "b"], found, 10**9)
    data = unpacked(packed.data)
    assert (packed.shown, packed.total) == (len(found), len(found))
    assert data["runs"] == ["a", "b"]
    assert data["suites"] == list(dict.fromkeys(entry.suite for entry in found))
    for entry, row in zip(found, data["entries"], strict=True):
        whole = json.loads(msgspec.json.encode(entry.item))
        assert row["item"] == {name: value for name, value in whole.items() if name != "meta"}
        assert data["suites"][row["suite"]] == entry.suite
        assert row.get("flipped", False) == entry.flipped
        for result, packed_result in zip(entry.results, row["results"], strict=True):
            assert packed_result["run"] == result.run
            assert packed_result.get("correct") == result.verdict.correct
            assert packed_result.get("dropped") == result.verdict.dropped
            assert packed_result.get("choice") == result.verdict.choice
            assert packed_result.get("output") == result.verdict.output
            assert packed_result.get("scores", []) == pytest.approx(list(result.verdict.scores), rel=1e-4)
            assert ("salience" in packed_result) == (result.salience is not None)
            if result.salience is not None:
                values = [weight[4] for weight in packed_result["salience"]["weights"]]
                assert values == pytest.approx([weight.value for weight in result.salience.weights], rel=1e-4)


def test_too_many_items_are_drawn_from_at_random() -> None:
    found = entries(150, 1)
    whole = pack(["a"], found, 10**9)
    budget = len(whole.data) // 3
    packed = pack(["a"], found, budget)
    assert len(packed.data) <= budget
    assert 0.15 * len(found) < packed.shown < 0.4 * len(found)
    assert packed.total == len(found)
    indices = {(entry.suite, entry.item.id): index for index, entry in enumerate(found)}
    data = unpacked(packed.data)
    drawn = [indices[data["suites"][row["suite"]], row["item"]["id"]] for row in data["entries"]]
    assert drawn == sorted(set(drawn))
    assert len(drawn) == packed.shown
    # From everywhere: no quarter of the set is left out.
    assert all(sum(4 * index // len(found) == quarter for index in drawn) > 5 for quarter in range(4))


def test_the_same_items_make_the_same_bytes() -> None:
    assert pack(["a"], entries(40, 1), 20_000) == pack(["a"], entries(40, 1), 20_000)


def test_no_items_and_no_room() -> None:
    assert pack([], [], 1000).shown == 0
    assert pack(["a"], entries(5, 1), 10).shown == 0


def test_what_json_cannot_hold() -> None:
    odd = item(source="half \ud800 and \x00", label="l\udfff")
    scores = (float("-inf"), float("nan"), float("inf"))
    verdict = Verdict(item="a", kind="contrastive", correct=False, choice=2, scores=scores, ranks=(2, 3, 1))
    (row,) = unpacked(pack(["\ud800"], [ItemEntry("s", odd, [ItemResult(0, verdict)])], 10**6).data)["entries"]
    assert row["item"]["source"] == "half \ufffd and \x00"
    assert row["item"]["label"] == "l\ufffd"
    assert row["results"][0]["scores"] == ["-inf", "nan", "inf"]


@pytest.mark.slow
def test_of_fifty_thousand_items_as_many_as_fit_are_packed() -> None:
    every = (each for code in shipped() for each in open_templates(code).items())
    verdict = Verdict(
        item="", kind="contrastive", correct=True, choice=0, scores=(-1.23456, -2.5, -3.75), ranks=(1, 2, 3)
    )
    found = [ItemEntry("all", each, [ItemResult(0, verdict)]) for each in islice(every, 50_000)]
    assert len(found) == 50_000
    packed = pack(["a"], found, 3_000_000)
    assert len(packed.data) <= 3_000_000
    assert packed.shown > 10_000
