from __future__ import annotations

import re
from pkgutil import resolve_name
from typing import Any

import pytest

from referee.annotate import annotate
from referee.annotate.registry import ALIGNERS, ANNOTATORS, RESOLVERS, Kind
from referee.languages import languages
from tests.support.published import ROOT


@pytest.mark.parametrize("kind", [ANNOTATORS, RESOLVERS, ALIGNERS], ids=lambda kind: kind.noun)
def test_tables(kind: Kind) -> None:
    tools = kind.tools()
    assert tools["pocket"].installed
    assert tools["pocket"].quality
    for tool in tools.values():
        assert tool.usage.partition(":")[0].partition("[")[0] == tool.name
        assert bool(tool.needs) == bool(tool.get), "the command that installs what it needs"
        assert not tool.needs or tool.licence


@pytest.mark.parametrize("kind", [ANNOTATORS, RESOLVERS, ALIGNERS], ids=lambda kind: kind.noun)
def test_every_opener_is_there_and_needs_no_other_package_to_be_found(kind: Kind) -> None:
    for tool in kind.tools().values():
        for name in (tool.open, tool.choices):
            assert name is None or callable(resolve_name(name) if isinstance(name, str) else name)


def test_no_tool_without_commercial_use_is_chosen_by_itself() -> None:
    assert RESOLVERS.tools()["maverick"].quality is None


def test_languages_are_known() -> None:
    assert set(ANNOTATORS.tools()["pocket"].languages) <= set(languages())


def test_the_plug_in_of_the_documentation() -> None:
    page = (ROOT / "docs" / "annotation.md").read_text(encoding="utf-8")
    [example] = [
        block for block in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if "SPACES = Tool(" in block
    ]
    space: dict[str, Any] = {}
    exec(example, space)
    tool = space["SPACES"]
    document = annotate("It broke .\n\nWhy ?", "en", annotator=tool.opened(""))
    assert [[word.form for word in sentence.words] for sentence in document.sentences] == [
        *(["It", "broke", "."], ["Why", "?"])
    ]
    assert tool.available(["en"])[0].quality == 1
