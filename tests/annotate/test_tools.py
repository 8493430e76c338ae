from __future__ import annotations

import pytest

from referee.annotate.registry import ALIGNERS, ANNOTATORS, RESOLVERS, Kind
from referee.languages import languages


@pytest.mark.parametrize("kind", [ANNOTATORS, RESOLVERS, ALIGNERS], ids=lambda kind: kind.noun)
def test_tables(kind: Kind) -> None:
    tools = kind.tools()
    assert tools["pocket"].installed
    assert tools["pocket"].quality
    for tool in tools.values():
        assert tool.usage.partition(":")[0].partition("[")[0] == tool.name
        assert bool(tool.needs) == bool(tool.get), "the command that installs what it needs"
        assert not tool.needs or tool.licence


def test_no_tool_without_commercial_use_is_chosen_by_itself() -> None:
    assert RESOLVERS.tools()["maverick"].quality is None


def test_languages_are_known() -> None:
    assert set(ANNOTATORS.tools()["pocket"].languages) <= set(languages())
