"""Templates of the shipped languages as suites: nothing is read from the data folder."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from referee.build.templates import open_templates, shipped
from referee.suites.templates import SUITES


def test_every_template_of_every_language_is_a_suite() -> None:
    templates = {code: open_templates(code).templates for code in shipped()}
    names = {f"templates/{code}/{name}": one.about for code, named in templates.items() for name, one in named.items()}
    assert {suite.name: suite.about for suite in SUITES} == names
    assert len(shipped()) >= 8


@pytest.mark.parametrize("code", shipped())
def test_a_suite_has_the_items_of_its_template(code: str, tmp_path: Path) -> None:
    templates = open_templates(code)
    for suite in SUITES:
        _, language, name = suite.name.split("/", 2)
        if language == code:
            assert suite.files == ()
            items = list(islice(suite.open(tmp_path / "nowhere"), 3))
            assert items == list(islice(templates.items([name]), 3))
            assert {item.target_lang for item in items} == {templates.language.code}
