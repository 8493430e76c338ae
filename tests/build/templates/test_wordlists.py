from __future__ import annotations

from pathlib import Path

import pytest

from referee.build.templates.wordlists import read_words
from referee.errors import InputError, RefereeError, UnknownNameError
from tests.support.language_folder import ANIMALS, WriteFolder, items_of


def test_words_are_read_with_their_forms(tmp_path: Path) -> None:
    path = tmp_path / "animal.tsv"
    path.write_text(ANIMALS, encoding="utf-8")
    words = read_words(path, ("m", "f"))
    dog, goose, _ = words.words
    assert (words.name, words.columns) == ("animal", ("en", "word", "gender", "pl"))
    assert (dog.form("pl"), goose.form("pl"), dog.form("acc")) == ("chiens", "oie", "chien")
    assert (dog.english, dog.gender, dog.in_english("more")) == ("dog", "m", "dog")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"animal": "en\tword\tgender\ndog\tchien\tx\n"}, ["animal.tsv:2", "'x' is not a gender", "one of f, m"]),
        ({"animal": "en\tword\ndog\tchien\tm\n"}, ["animal.tsv:2", "2 cells, one per column", "found 3"]),
        ({"animal": "word\tgender\nchien\tm\n"}, ["animal.tsv:1", "'en'"]),
        ({"animal": "en\tword\tgender\ndog\t\tm\n"}, ["animal.tsv:2", "translation"]),
        ({"animal": "en\tword\tgender\ndog\tchien\tm\ndog\tchien\tm\n"}, ["animal.tsv:3", "'dog' is already in"]),
        ({"animal": "en\tword\tgender\ndog\tп\u0065с\tm\n"}, ["animal.tsv:2", "Cyrillic"]),
        ({"animal": "en\tword\tgender\n"}, ["animal.tsv", "no words"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(folder: WriteFolder, changed: dict[str, str], told: list[str]) -> None:
    with pytest.raises(RefereeError) as error:
        items_of(folder(**changed))
    assert isinstance(error.value, InputError | UnknownNameError)
    for words in told:
        assert words in str(error.value)
