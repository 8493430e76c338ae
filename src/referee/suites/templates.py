"""Every template of a shipped language is a suite, made on the spot: no file is read from the data folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.build.templates import Templates, open_templates, shipped
from referee.items import Item
from referee.suites.suite import Suite

PAPER = "this package, after Stojanovski, Krojer, Peskov and Fraser 2020, ContraCAT"
LICENCE = "Apache-2.0"


def _suites(templates: Templates) -> Iterator[Suite]:
    for name, template in templates.templates.items():

        def read(data: Path, name: str = name) -> Iterator[Item]:
            del data
            return templates.items([name])

        yield Suite(f"templates/{templates.language.code}/{name}", template.about, (), read, PAPER, LICENCE)


SUITES = tuple(suite for code in shipped() for suite in _suites(open_templates(code)))
