"""Saliences as stored: a weight is a short list whose last entries may be left out."""

from __future__ import annotations

import msgspec

from referee.analysis.salience.record import METHOD, Salience, Weight


def test_a_record_comes_back() -> None:
    weights = (Weight("source", 0, 0, 3, 0.5), Weight("source_context", 1, 4, 6, -0.25, trigger=True, compared=False))
    record = Salience("kitchen", "a", "sie", 0.75, weights, "g")
    assert msgspec.json.decode(msgspec.json.encode(record), type=Salience) == record


def test_defaults() -> None:
    record = msgspec.json.decode(
        b'{"suite":"kitchen","item":"a","target":"sie","probability":0.5,"weights":[["source",0,0,3,0.5]]}',
        type=Salience,
    )
    (weight,) = record.weights
    assert (weight.trigger, weight.compared, record.group) == (False, True, "")
    assert METHOD == "prediction-difference"
