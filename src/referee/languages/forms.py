"""Which value of a feature a text shows: formal or informal address, gender, animacy, tense, case.

    read("Sind Sie da?", "de", "formality")                 Reading(values={"formal"})
    read("Sie mag ihr Haus.", "de", "formality", doubt=True)  Reading(values={}, unclear=True)

All knowledge is in the languages' `forms.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from referee.languages import base, language, script
from referee.languages.schema import Clitics, FeatureForms, FormTables
from referee.languages.script import LETTER, WORD, normalised
from referee.languages.text import starts_sentence

OTHER = "other"
"""Instead of a value: a form in the same place that has none."""

_WORD = regex.compile(WORD)
_SHORTEST_STEM = 3
_BEYOND_A_WORD = regex.compile(r"\\s|[-']|\[\^")
"""A pattern that looks at more than one word."""


class Reading(NamedTuple):
    """The `values` that the forms in a text show; `unclear` forms could be read in several ways."""

    values: frozenset[str] = frozenset()
    unclear: bool = False
    other: bool = False


class _Hit(NamedTuple):
    form: str
    values: frozenset[str]
    start: int
    end: int
    doubtful: bool = False


class _Table(NamedTuple):
    """The forms of a feature, ready to be searched: spellings with their values, and patterns.

    Patterns of one word are `endings`: words are few, so each is looked at once.
    """

    language: str
    feature: str

    values: Mapping[str, frozenset[str]]
    listed: frozenset[str]
    elided: regex.Pattern[str] | None
    patterns: tuple[tuple[str, regex.Pattern[str]], ...]
    endings: tuple[tuple[str, regex.Pattern[str]], ...]
    doubtful: frozenset[str]
    cased: frozenset[str]
    clitics: Clitics
    anaphoric: bool


def has_forms(code: str, feature: str) -> bool:
    """Whether the language has a table of the feature."""
    tables = language(code).form_tables
    return bool(tables.declensions) if feature == "case" else tables.of(feature) is not None


def values_of(code: str, feature: str) -> tuple[str, ...]:
    """The values of a feature in the order of its table."""
    tables = language(code).form_tables
    if feature == "case":
        return tuple(tables.declensions[0]) if tables.declensions else ()
    forms = tables.of(feature)
    return () if forms is None else tuple(forms.values)


def is_listed(form: str, code: str, feature: str) -> bool:
    """Whether a table has the form, so that finding it in a text may still leave its value open."""
    table = _table(base(code), feature)
    return table is not None and (form.lower() in table.values or form in table.values)


def has_rival(source: str, code: str, feature: str) -> bool:
    """Whether a source has a word that a doubtful form of the target may translate; so if that is not known."""
    rivals = language(code).form_tables.rivals.get(feature)
    return rivals is None or any(match.group().lower() in rivals for match in _WORD.finditer(source))


def read(
    text: str, code: str, feature: str, *, doubt: bool = False, reference: str | None = None, expected: str = ""
) -> Reading:
    """The values that the forms in a text show.

    Of an anaphoric feature, the forms that the `reference` has beyond the `expected` one belong to other words: they
    are subtracted. With `doubt`, forms that have a second reading decide nothing.
    """
    table = _table(base(code), feature)
    if table is None:
        return Reading()
    hits = _hits(normalised(text), table)
    if table.anaphoric and reference is not None:
        hits = _beyond(hits, _hits(normalised(reference), table), expected)
    values: set[str] = set()
    unclear = other = False
    for hit in hits:
        if hit.values == {OTHER}:
            other = True
        elif len(hit.values) == 1 and not (doubt and hit.doubtful):
            values |= hit.values
        else:
            unclear = True
    return Reading(frozenset(values), unclear, other)


def read_case(text: str, code: str, expected: str, case: str) -> Reading:
    """The cases in which a text has the expected noun, whose class is told by its own case and ending."""
    tables = language(code).form_tables
    expected = normalised(expected).lower()
    written: dict[str, set[str]] = {}
    for table, stem in _inflections(tables, expected, case):
        for name, endings in table.items():
            for ending in endings:
                written.setdefault(stem + ending, set()).add(name)
    cases = [written[word] for word in _words(text) if word in written]
    sure = {name for names in cases if len(names) == 1 for name in names}
    return Reading(frozenset(sure), any(len(names) > 1 for names in cases))


def _inflections(tables: FormTables, form: str, case: str) -> Iterator[tuple[Mapping[str, tuple[str, ...]], str]]:
    """The tables that have the form in this case, each with its stem."""
    for table in tables.declensions:
        for ending in table.get(case, ()):
            stem = form.removesuffix(ending)
            if form.endswith(ending) and len(stem) >= _SHORTEST_STEM:
                yield table, stem
    yield from ((table, "") for table in tables.paradigms if form in table.get(case, ()))


def _words(text: str) -> Iterator[str]:
    return (match.group().lower() for match in _WORD.finditer(normalised(text)))


def _hits(text: str, table: _Table) -> list[_Hit]:
    """All forms in a text but those inside a longer one, in order. Of a word, a pattern knows more than the list."""
    hits = [*_patterns_of(text, table), *_words_of(text, table)]
    hits.sort(key=lambda hit: (hit.start, -hit.end))
    outermost: list[_Hit] = []
    for hit in hits:
        if not outermost or hit.end > outermost[-1].end:
            outermost.append(hit)
    return outermost


def _words_of(text: str, table: _Table) -> Iterator[_Hit]:
    for match in _WORD.finditer(text):
        word = match.group()
        lower = word.lower()
        if table.endings and (value := _by_ending(table.language, table.feature, lower)):
            yield _Hit(lower, frozenset({value}), match.start(), match.end())
        elif lower in table.listed and (hit := _listed(text, word, match.start(), match.end(), table)) is not None:
            yield hit
    if table.elided is not None:
        for match in table.elided.finditer(text):
            form = match.group().lower()
            yield _Hit(form, table.values[form], match.start(), match.end(), form in table.doubtful)


def _listed(text: str, word: str, start: int, end: int, table: _Table) -> _Hit | None:
    lower = word.lower()
    if lower in table.clitics.forms and not _is_pronoun(text, start, end, table.clitics):
        return None
    doubtful = lower in table.doubtful
    if lower not in table.cased:
        return _Hit(lower, table.values[lower], start, end, doubtful)
    small, capital = (table.values.get(form, frozenset()) for form in (lower, lower.capitalize()))
    if starts_sentence(text, start) or script.is_shouted(word):
        # Every word has a capital there, so that each reading is possible.
        return _Hit(lower, small | capital, start, end, doubtful=True)
    values = capital if word[0].isupper() else small
    return _Hit(lower, values, start, end, doubtful and word[0].islower()) if values else None


def _patterns_of(text: str, table: _Table) -> Iterator[_Hit]:
    for value, pattern in table.patterns:
        for match in pattern.finditer(text):
            yield _Hit(match.group().lower(), frozenset({value}), match.start(), match.end())


@lru_cache(maxsize=1 << 16)
def _by_ending(code: str, feature: str, word: str) -> str:
    table = _table(code, feature)
    endings = () if table is None else table.endings
    return next((value for value, pattern in endings if pattern.fullmatch(word)), "")


def _is_pronoun(text: str, start: int, end: int, clitics: Clitics) -> bool:
    before = _WORD.findall(text[max(0, start - 30) : start])
    if before and before[-1].lower() in clitics.after:
        return True
    following = _WORD.search(text, end)
    if following is None:
        return False
    word = following.group().lower()
    return word in clitics.before or (len(word) > _SHORTEST_STEM and word.endswith(clitics.endings))


def _beyond(hits: Iterable[_Hit], others: Iterable[_Hit], expected: str) -> list[_Hit]:
    """The hits that those of a reference do not account for, its expected form left out."""
    explained = Counter(hit.form for hit in others)
    explained[normalised(expected).lower()] -= 1
    remaining = []
    for hit in hits:
        if explained[hit.form] > 0:
            explained[hit.form] -= 1
        else:
            remaining.append(hit)
    return remaining


@cache
def _table(code: str, feature: str) -> _Table | None:
    tables = language(code).form_tables
    forms = tables.of(feature)
    if forms is None:
        return None
    pronouns = language(code).pronouns
    cased = pronouns.cased if pronouns is not None else frozenset()
    values: dict[str, set[str]] = {}
    for value, spellings in _spellings(forms):
        for form in spellings:
            values.setdefault(form if form.lower() in cased else form.lower(), set()).add(value)
    for form in forms.ambiguous:
        values[form] = {*forms.values}
    known = {form: frozenset(names) for form, names in values.items()}
    patterns = [(value, pattern) for value, of_value in forms.patterns.items() for pattern in of_value]
    return _Table(
        code,
        feature,
        known,
        frozenset(form.lower() for form in known),
        _elided(known),
        tuple(
            (value, regex.compile(rf"(?<!{LETTER})(?:{pattern})(?!{LETTER})", regex.IGNORECASE))
            for value, pattern in patterns
            if _BEYOND_A_WORD.search(pattern)
        ),
        tuple((value, regex.compile(pattern)) for value, pattern in patterns if not _BEYOND_A_WORD.search(pattern)),
        frozenset(form.lower() for form in forms.doubtful),
        cased,
        tables.clitics,
        forms.anaphoric,
    )


def _spellings(forms: FeatureForms) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from forms.values.items()
    yield OTHER, forms.other


def _elided(forms: Iterable[str]) -> regex.Pattern[str] | None:
    """Forms that end in an apostrophe (t', l'), whatever follows it."""
    elided = sorted(form for form in forms if form.endswith("'"))
    pattern = "|".join(map(regex.escape, elided))
    return regex.compile(f"(?<!{LETTER})(?:{pattern})", regex.IGNORECASE) if elided else None
