"""One convention per language: training treebanks are rewritten as the measured treebank would have them.

Treebanks of one language disagree on tags, features and lemmas (the rules are in `conventions.toml`). What a treebank
does not mark, and no rule can derive, becomes unknown (`?`): training leaves it out of the loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from referee.io.toml import decode_toml

UNKNOWN = "?"
"""A lemma, a tag, a relation or the value of a feature that the treebank does not tell."""

FORM, LEMMA, UPOS, FEATS, HEAD, DEPREL = 1, 2, 3, 5, 6, 7


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What words must be, and what becomes of them. An empty condition fits all; forms are compared in lower case."""

    forms: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()
    not_forms: frozenset[str] = frozenset()
    lemma_endings: tuple[str, ...] = ()
    upos: frozenset[str] = frozenset()
    xpos: frozenset[str] = frozenset()
    feats: tuple[str, ...] = ()
    """Features that the word has, as `Name` or `Name=Value`."""
    lacks: tuple[str, ...] = ()
    deprel: frozenset[str] = frozenset()
    """Relations, with their subtype or without."""
    head: frozenset[str] = frozenset()
    """The UPOS of the head."""
    head_deprel: frozenset[str] = frozenset()
    """The relation of the head to its own."""
    children: frozenset[str] = frozenset()
    """Relations of which one must be among those of the dependents."""
    childless: frozenset[str] = frozenset()
    """Relations of which none may be among those of the dependents; `*` for no dependents but punctuation."""
    name: bool = False
    """The word begins with a capital letter and is not the first of its sentence."""
    to_upos: str = ""
    to_lemma: str = ""
    """The lemma; `FORM` is the form, `LOWER` the form in lower case."""
    to_deprel: str = ""
    sets: tuple[str, ...] = ()
    """Features to set (`Name=Value`), to leave unknown (`Name=?`) or to remove (`Name=`); `*=` removes all."""


class _Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules of one treebank or several."""

    treebanks: tuple[str, ...]
    rules: tuple[Rule, ...]


class _Groups(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    group: tuple[_Group, ...]


class _Word:
    """A row of a sentence while rules work on it."""

    __slots__ = ("dependents", "feats", "fields", "first", "governor")

    def __init__(self, fields: list[str], *, first: bool) -> None:
        self.fields = fields
        self.first = first
        self.feats = dict(pair.split("=", 1) for pair in fields[FEATS].split("|") if pair != "_")
        self.governor: list[str] | None = None
        self.dependents: list[str] = []

    def row(self) -> str:
        pairs = sorted(self.feats.items(), key=lambda pair: pair[0].lower())
        self.fields[FEATS] = "|".join(f"{name}={value}" for name, value in pairs) or "_"
        return "\t".join(self.fields)


def harmonise(treebank: str, rows: Sequence[str]) -> tuple[str, ...]:
    """Rewrite the lines of a sentence by the rules of its treebank (`UD_German-PUD`, with the file or without).

    >>> row = "1 su su PRON _ Poss=Yes 2 det _ _".replace(" ", chr(9))
    >>> harmonise("UD_Spanish-PUD", [row])[0].split()[3]
    'DET'
    """
    rules = rules_of(treebank.partition("/")[0])
    if not rules:
        return tuple(rows)
    cells = [row.split("\t") for row in rows]
    words = _words(cells)
    for rule in rules:
        for word in words.values():
            if _fits(rule, word):
                _apply(rule, word)
    return tuple(words[fields[0]].row() if fields[0] in words else "\t".join(fields) for fields in cells)


@cache
def rules_of(treebank: str) -> tuple[Rule, ...]:
    """The rules of a treebank, in order."""
    groups = decode_toml(Path(__file__).with_name("conventions.toml"), _Groups).group
    return tuple(rule for group in groups if treebank in group.treebanks for rule in group.rules)


def _words(cells: list[list[str]]) -> dict[str, _Word]:
    words: dict[str, _Word] = {}
    for fields in cells:
        if fields[0].isdecimal():
            words[fields[0]] = _Word(fields, first=not words)
    for word in words.values():
        if governor := words.get(word.fields[HEAD]):
            word.governor = governor.fields
            if word.fields[UPOS] != "PUNCT":
                governor.dependents.append(word.fields[DEPREL])
    return words


def _fits(rule: Rule, word: _Word) -> bool:
    fields = word.fields
    form = fields[FORM].lower()
    return (
        (not rule.upos or fields[UPOS] in rule.upos)
        and (not rule.forms or form in rule.forms)
        and (not rule.endings or form.endswith(rule.endings))
        and form not in rule.not_forms
        and (not rule.lemma_endings or fields[LEMMA].endswith(rule.lemma_endings))
        and (not rule.xpos or fields[4] in rule.xpos)
        and all(_has(word, feature) for feature in rule.feats)
        and not any(_has(word, feature) for feature in rule.lacks)
        and (not rule.deprel or not rule.deprel.isdisjoint(_relations(fields[DEPREL])))
        and (not rule.head or (word.governor is not None and word.governor[UPOS] in rule.head))
        and (not rule.head_deprel or (word.governor is not None and word.governor[DEPREL] in rule.head_deprel))
        and (not rule.name or (not word.first and fields[FORM][0].isupper()))
        and _dependents_fit(rule, word)
    )


def _dependents_fit(rule: Rule, word: _Word) -> bool:
    if not rule.children and not rule.childless:
        return True
    relations = {relation for deprel in word.dependents for relation in _relations(deprel)}
    if rule.children and rule.children.isdisjoint(relations):
        return False
    return not relations if "*" in rule.childless else rule.childless.isdisjoint(relations)


def _has(word: _Word, feature: str) -> bool:
    name, equals, value = feature.partition("=")
    return name in word.feats and (not equals or word.feats[name] == value)


def _relations(deprel: str) -> Iterator[str]:
    yield deprel
    universal, colon, _ = deprel.partition(":")
    if colon:
        yield universal


def _apply(rule: Rule, word: _Word) -> None:
    if rule.to_upos:
        word.fields[UPOS] = rule.to_upos
    if rule.to_lemma:
        form = word.fields[FORM]
        word.fields[LEMMA] = {"FORM": form, "LOWER": form.lower()}.get(rule.to_lemma, rule.to_lemma)
    if rule.to_deprel:
        word.fields[DEPREL] = rule.to_deprel
    for feature in rule.sets:
        name, _, value = feature.partition("=")
        if name == "*":
            word.feats.clear()
        elif value:
            word.feats[name] = value
        else:
            word.feats.pop(name, None)
