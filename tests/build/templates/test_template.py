from __future__ import annotations

import pytest

from referee.errors import InputError, RefereeError, UnknownNameError
from tests.support.language_folder import TEMPLATES, WriteFolder, items_of


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"templates": TEMPLATES.replace('differ = ["a", "b"]', 'differ = ["a", "z"]')}, ["'pair'", "'z'", "differ"]),
        ({"templates": TEMPLATES.replace('gold = "a"', 'gold = "q"')}, ["'dropped'", "'q'", "gold"]),
        ({"templates": TEMPLATES.replace('name = "dropped"', 'name = "pair"')}, ["two templates", "'pair'"]),
        ({"templates": TEMPLATES.replace('about = "Which?"', 'abuot = "Which?"')}, ["abuot"]),
        ({"templates": "x = 1\n"}, ["templates.toml", "[[template]]"]),
        ({"templates": "x =\ny = 1\n"}, ["templates.toml", "TOML", "line 1"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(folder: WriteFolder, changed: dict[str, str], told: list[str]) -> None:
    with pytest.raises(RefereeError) as error:
        items_of(folder(**changed))
    assert isinstance(error.value, InputError | UnknownNameError)
    for words in told:
        assert words in str(error.value)
