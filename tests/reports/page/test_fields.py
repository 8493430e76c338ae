"""The layout of an opened item: every field of `Item` has a place, and the script gets it from Python."""

from __future__ import annotations

import re
from importlib.resources import files

import msgspec

from referee.items import Item
from referee.reports.page.fields import HIDDEN, layout

NAMES = {field.name for field in msgspec.structs.fields(Item)}


def test_every_field_is_shown_once_or_hidden() -> None:
    shown = [name for row in layout() for name in row.fields]
    assert sorted([*shown, *HIDDEN]) == sorted(NAMES)


def test_fields_without_a_row_of_their_own_are_facts() -> None:
    last = layout()[-1]
    assert (last.label, last.view) == ("Metadata", "facts")
    assert {"id", "label", "group", "distance", "origin"} <= last.fields.keys()
    # The keys of a mapping name themselves; parts of a record are named after their field.
    assert (last.fields["features"], last.fields["origin"]) == ("", "origin")


def test_languages_are_fields() -> None:
    assert {row.language for row in layout() if row.language} <= NAMES


def test_the_script_names_only_what_has_a_look_of_its_own() -> None:
    folder = files("referee.reports.page").joinpath("script")
    script = "".join(file.read_text("utf-8") for file in folder.iterdir())
    named = {name for name in NAMES if re.search(rf"\bitem\??\.{name}\b", script)}
    assert named == {"id", "label", "candidates", "gold", "spans", "target_lang"}
