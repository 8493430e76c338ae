"""The records of a report: shared by tables, charts and page, so nobody may change them."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from referee.reports import model
from referee.reports.model import Section, Table

RECORDS = [value for _, value in inspect.getmembers(model, dataclasses.is_dataclass)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_record_cannot_be_changed(record: type) -> None:
    values = {field.name: () for field in dataclasses.fields(record)}
    instance = record(**values)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(instance, next(iter(values)), "other")


def test_nothing_is_shared_by_default() -> None:
    assert Table("t", ("a",), []).left == (0,)
    assert (Section("t").tables, Section("t").charts, Section("t").details) == ((), (), ())
