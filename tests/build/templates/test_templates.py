from __future__ import annotations

from pathlib import Path

import pytest

from referee.build.templates import open_templates
from referee.errors import InputError, MissingError, RefereeError, UnknownNameError
from tests.support.language_folder import CONTRACTIONS, LANGUAGE, WriteFolder, items_of


def test_names_that_are_not_there(folder: WriteFolder, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="pair"):
        items_of(folder(), "pare")
    with pytest.raises(MissingError, match=r"unknown language 'xx'.*de"):
        open_templates("xx")
    with pytest.raises(MissingError, match="paper"):
        open_templates(folder(), paper=True)
    with pytest.raises(MissingError, match="trans_verb"):
        list(open_templates("de", paper=True, data=tmp_path).items(["verb-prior"]))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"language": LANGUAGE.replace('["m", "f"]', '["m"]')}, ["language.toml", "genders"]),
        ({"language": LANGUAGE.replace('f = "la"', 'q = "la"')}, ["language.toml", "'q'"]),
        ({"language": LANGUAGE.replace("genders", "gender")}, ["language.toml:4", "'gender'"]),
        ({"language": 'name = "French"\ncode = "fr"\n'}, ["language.toml", "'genders'"]),
        ({"contractions": 'replace = [["(", ""]]\n'}, ["contractions.toml:1", "'replace'", "'('"]),
        ({"contractions": CONTRACTIONS + 'elid = ["le"]\n'}, ["contractions.toml:6", "'elid'"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(folder: WriteFolder, changed: dict[str, str], told: list[str]) -> None:
    with pytest.raises(RefereeError) as error:
        items_of(folder(**changed))
    assert isinstance(error.value, InputError | UnknownNameError)
    for words in told:
        assert words in str(error.value)
