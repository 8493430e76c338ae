"""docs/languages.md describes every file of a language folder and every field, and its examples are valid."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.build.templates.template import Template, TemplateForm, read_templates
from referee.io.toml import decode_toml
from referee.languages import Language, language, languages, read_language
from referee.languages.schema import (
    Attacks,
    Clitics,
    Connectives,
    Contractions,
    FeatureForms,
    FormTables,
    Owner,
    Phrase,
    Pronouns,
)

PAGE = (Path(__file__).resolve().parents[2] / "docs/languages.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `([^`]+)`\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
TABLES: dict[str, tuple[Any, ...]] = {
    "language.toml": (Language,),
    "pronouns.toml": (Pronouns,),
    "forms.toml": (FormTables, FeatureForms, Clitics),
    "contractions.toml": (Contractions,),
    "attacks.toml": (Attacks, Phrase, Owner),
    "connectives.toml": (Connectives,),
    "templates.toml": (Template, TemplateForm),
}
NOT_WRITTEN = {(Language, "folder"), (Template, "shapes")}
"""What the reader of a file adds."""


def example(file: str) -> str:
    """The first TOML of a section."""
    match = re.search(r"^```toml\n(.*?)^```$", SECTIONS[file], re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


def test_every_file_is_in_the_table() -> None:
    header = PAGE.index("| file |")
    rows = re.findall(r"^\| (`.*?`) \|", PAGE[header : PAGE.index("\n\n", header)], re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    folders = [Path(language(code).folder) for code in languages()]
    paths = [path.relative_to(folder) for folder in folders for path in folder.rglob("*") if path.is_file()]
    files = {"words/NAME.tsv" if path.parts[0] == "words" else str(path) for path in paths if path.suffix != ".pyc"}
    assert named == files - {"__init__.py"}


@pytest.mark.parametrize("file", TABLES)
def test_every_field_is_described(file: str) -> None:
    for table in TABLES[file]:
        for field in msgspec.structs.fields(table):
            if (table, field.name) not in NOT_WRITTEN:
                assert f"`{field.encode_name}`" in SECTIONS[file], field


@pytest.mark.parametrize("file", sorted(TABLES.keys() - {"templates.toml"}))
def test_examples_are_valid_and_show_every_field(file: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text(example(file), encoding="utf-8")
    table = TABLES[file][0]
    decode_toml(path, table)
    written = set(re.findall(r"^\[*(\w+)", example(file), re.MULTILINE))
    fields = {field.encode_name for field in msgspec.structs.fields(table) if (table, field.name) not in NOT_WRITTEN}
    assert fields <= written


def test_the_template_is_valid(tmp_path: Path) -> None:
    (tmp_path / "language.toml").write_text(example("language.toml"), encoding="utf-8")
    (tmp_path / "templates.toml").write_text(example("templates.toml"), encoding="utf-8")
    assert list(read_templates(read_language(tmp_path), "templates.toml")) == ["role-prior"]
