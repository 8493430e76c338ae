"""All that is known of a language, from its folder: `LL/*.toml`, and code where data is not enough.

language("de-AT").pronouns.nominative["m"]    ("er",)
languages("templates.toml")                   the codes of all languages that have templates
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from referee.io.toml import decode_toml
from referee.languages.schema import Attacks, Connectives, Contractions, FormTables, Pronouns

PLURAL = "pl"
"""What a noun without a singular has in place of a gender."""

_ROOT = Path(str(files("referee.languages")))
_REMEDY = "correct the entry"

Table = TypeVar("Table")


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """`language.toml`, and a property for each other file of the folder; what has no file is None or empty."""

    name: str
    """The English name."""
    code: str
    """The code of ISO 639-1, which is the name of the folder."""
    iso3: str = ""
    """The code of ISO 639-3, and ..."""
    script: str = ""
    """... the script of ISO 15924: together they name the language for NLLB."""
    genders: tuple[str, ...] = ()
    """The genders of the singular, in the order of a template's candidates."""
    words: dict[str, dict[str, Any]] = {}
    """Words of templates that agree: a form for every gender, or such tables by case."""
    features: dict[str, str] = {}
    """Features of every item that is made from templates."""
    compounds: frozenset[str] = frozenset()
    """Words, in a script without spaces, in which a shorter form is something else (彼 in 彼女)."""
    particles: tuple[str, ...] = ()
    """What may be attached to the end of any word (Korean 는, 를)."""
    proclitics: tuple[str, ...] = ()
    """What may be attached to the beginning of any word (Arabic و)."""
    abbreviations: frozenset[str] = frozenset()
    """Words whose full stop does not end a sentence, without that stop (French `M`)."""
    number_abbreviations: frozenset[str] = frozenset()
    """The same before a number only (`art`)."""
    function_words: frozenset[str] = frozenset()
    """Frequent words in small letters, by which a text shows its language."""
    folder: str = ""
    """Where the files are; set by the reader."""

    def __post_init__(self) -> None:
        if self.genders and len(set(self.genders)) < max(2, len(self.genders)):
            raise ValueError("genders: expected at least two genders, each once")
        for table, forms in self.words.items():
            for name, form in forms.items():
                if isinstance(form, str) == (name not in (*self.genders, PLURAL)):
                    raise ValueError(f"words: '{name}' of '{table}' must be a gender with a form, or a case with forms")

    @cached_property
    def pronouns(self) -> Pronouns | None:
        """`pronouns.toml`."""
        return self._table("pronouns.toml", Pronouns)

    @cached_property
    def form_tables(self) -> FormTables:
        """`forms.toml`."""
        return self._table("forms.toml", FormTables) or FormTables()

    @cached_property
    def contractions(self) -> Contractions:
        """`contractions.toml`."""
        return self._table("contractions.toml", Contractions) or Contractions()

    @cached_property
    def attacks(self) -> Attacks | None:
        """`attacks.toml`."""
        return self._table("attacks.toml", Attacks)

    @cached_property
    def connectives(self) -> Connectives | None:
        """`connectives.toml`."""
        return self._table("connectives.toml", Connectives)

    def forms(self, word: str, case: str = "") -> Mapping[str, str] | None:
        """The forms by gender of one of the `words`."""
        forms: Any = self.words.get(word)
        if forms is not None and case:
            forms = forms.get(case)
        return forms if isinstance(forms, dict) and all(isinstance(form, str) for form in forms.values()) else None

    def _table(self, file: str, table: type[Table]) -> Table | None:
        path = Path(self.folder, file)
        return decode_toml(path, table, _REMEDY) if self.folder and path.is_file() else None


def base(code: str) -> str:
    """The language without region or script: `de` of `de-AT`, `pt` of `pt_BR`."""
    return code.replace("_", "-").partition("-")[0].lower()


def language(code: str) -> Language:
    """What is known of a language, whatever its region; nothing but the code where it has no folder."""
    return _language(base(code))


@cache
def languages(file: str = "language.toml") -> tuple[str, ...]:
    """The codes of all languages, or of those that have some other file."""
    return tuple(sorted(folder.name for folder in _ROOT.iterdir() if (folder / file).is_file()))


def read_language(folder: Path) -> Language:
    """Read a language folder, which may be one of your own."""
    return decode_toml(folder / "language.toml", Language, _REMEDY, {"folder": str(folder)})


@cache
def _language(code: str) -> Language:
    return read_language(_ROOT / code) if code in languages() else Language(name="", code=code)
