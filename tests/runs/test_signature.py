"""The line from which a result can be repeated."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

import referee
from referee.runs.signature import Signature
from referee.runs.store import Inputs, SuiteInput
from tests.support.items import item

ITEMS = [item(id=f"i{number}", gold=number % 3, label="ab"[number % 2]) for number in range(8)]


@pytest.fixture
def run() -> referee.Run:
    return referee.score(ITEMS, scores=[float(number % 5) for number in range(24)], name="mod <5>")


def test_signatures(run: referee.Run) -> None:
    assert str(run.signature) == run.signature.long == run.info.signature
    assert run.signature.long.startswith("items#")
    assert f"(8)|model:mod <5>#{run.info.inputs.model_sha256[:8]}|better:higher|resamples:1000" in run.signature.long
    assert len(run.signature.short) < len(run.signature.long)
    after = [msgspec.structs.replace(item, source_context=("It ran.",)) for item in ITEMS]
    several = referee.evaluate(lambda source, candidates: [0.0] * len(candidates), after, ITEMS[:2], context=2)
    assert several.signature.short.startswith("2 suites#")
    assert "|con:2" in several.signature.short
    assert "norm" not in several.signature.short
    name, _, _ = run.signature.long.partition("|")
    assert run.signature.short.startswith(f"{name}|m:mod <5>#")
    assert run.signature.short.endswith(f"|bet:higher|v:{referee.__version__}")


def test_a_signature_in_full() -> None:
    suites = [SuiteInput("a", 12, "0123456789"), SuiteInput("b", 3, "fedcba9876")]
    settings = {"separator": " ", "norm": "sum", "how": "auto", "beam": "4"}
    signature = Signature.of(Inputs("hf:lab/model", "abcdef0123", settings, suites))
    version = referee.__version__
    assert signature.long == (
        "a#01234567(12)+b#fedcba98(3)|model:hf#abcdef01|beam:4|how:auto|norm:sum|separator: "
        f"|resamples:1000|seed:12345|version:{version}"
    )
    digest = hashlib.sha256(b"a#01234567(12)+b#fedcba98(3)").hexdigest()[:8]
    assert signature.short == f"2 suites#{digest}|m:hf#abcdef01|bea:4|nor:sum|v:{version}"
    idle = Signature.of(Inputs("hf:lab/model", "abcdef0123", settings, suites), idle=["beam", "norm"])
    assert "|model:hf#abcdef01|how:auto|separator: |resamples" in idle.long
    assert idle.short == f"2 suites#{digest}|m:hf#abcdef01|v:{version}"
    one = Signature.of(Inputs("pocket", "abcdef0123", {"how": "auto"}, suites[:1]))
    assert one.short == f"a#01234567(12)|m:pocket#abcdef01|v:{version}"
