"""The tables of a language folder, one type per file; docs/languages.md shows each with an example."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Literal

import msgspec
import regex

Change = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]
"""What is looked for in a text, and what it becomes."""


class Pronouns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`pronouns.toml`: pronouns of the third person singular by gender.

    `m`, `f` and `n` are the forms that are looked for in translations. A form that two genders share stands under both
    and decides nothing; a form that is an article or a possessive too (French la, German ihr) is left out.
    """

    m: tuple[str, ...] = ()
    f: tuple[str, ...] = ()
    n: tuple[str, ...] = ()
    nominative: dict[str, tuple[str, ...]] = {}
    """The forms by gender that are counted in corpora."""
    ambiguous: frozenset[str] = frozenset()
    """Nominative forms that mean something else as well: their counts say little about the gender."""
    demonstrative: dict[str, tuple[str, ...]] = {}
    """Articles by gender that are used as pronouns."""
    polite: frozenset[str] = frozenset()
    """Pronouns that address somebody if they have a capital inside a sentence."""
    cased: frozenset[str] = frozenset()
    """Forms of which a capital changes the meaning, so that an expected form must have the right case."""
    plural: frozenset[str] = frozenset()
    """Verbs before which a polite pronoun is a plural one."""
    neutral: tuple[str, ...] = ()
    """Forms that stand for a clause or for nothing: correct where a pronoun has no noun as antecedent."""
    determiner: frozenset[str] = frozenset()
    """Forms of `neutral` that are articles, determiners or conjunctions too; they count only where they stand alone."""
    verbs: frozenset[str] = frozenset()
    """Finite verbs: a form of `determiner` before one of them stands alone."""
    capital_nouns: bool = False
    """Whether nouns have a capital, which tells articles from pronouns."""
    not_attributes: frozenset[str] = frozenset()
    """Words that end like an adjective but cannot follow an article (`das eine Weile dauert`)."""
    prepositions: frozenset[str] = frozenset()
    """Words after which a form of `determiner` is an article."""
    adverbs: tuple[str, ...] = ()
    """Adverbs that refer to a clause; before a later comma they may only announce one (`dafür gesorgt, dass`)."""
    relative: tuple[str, ...] = ()
    """Words that refer to the clause before them after a comma (German `was`, `wodurch`)."""
    not_after: frozenset[str] = frozenset()
    """Words after which a form of `relative` refers to that word or asks a question (`alles, was`; `weiß, was`)."""
    idioms: tuple[str, ...] = ()
    """Fixed phrases in which forms of `neutral` and `relative` stand for nothing (`darüber hinaus`)."""
    phrases: dict[str, tuple[str, ...]] = {}
    """By the first letters of an English word, phrases that render its clause without a pronoun (`shame`: `schade`)."""

    def of(self, gender: str) -> tuple[str, ...]:
        """All forms of a gender."""
        return {"m": self.m, "f": self.f, "n": self.n}.get(gender, ())

    def is_ambiguous(self, gender: str) -> bool:
        """Whether a form that is counted for the gender means something else as well."""
        return not self.ambiguous.isdisjoint(self.nominative[gender])


class FeatureForms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The forms that show the value of one feature, such as formality, in a translation."""

    values: dict[str, tuple[str, ...]]
    """Forms by value. A form under two values decides nothing."""
    patterns: dict[str, tuple[str, ...]] = {}
    """Patterns of the `regex` package for whole words, by value, or by `other`."""
    other: tuple[str, ...] = ()
    """Forms that stand in the same place and have none of the values."""
    ambiguous: tuple[str, ...] = ()
    """Forms that never decide."""
    doubtful: tuple[str, ...] = ()
    """Forms with a second reading: they decide only where the source has none of its `rivals`."""
    anaphoric: bool = False
    """Whether other words of the sentence may have the same forms, so that those of the reference are subtracted."""

    def __post_init__(self) -> None:
        for name, patterns in self.patterns.items():
            if name not in (*self.values, "other"):
                raise ValueError(f"patterns: {name!r} is not one of the values, nor 'other'")
            for pattern in patterns:
                try:
                    regex.compile(pattern)
                except regex.error as error:
                    raise ValueError(f"patterns: {pattern!r} is not a pattern ({error})") from None


class Clitics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Forms that are articles or possessives as well: they are pronouns after or before certain words only."""

    forms: frozenset[str]
    after: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()
    """Endings of verbs: before a word with one of them, they are pronouns as well."""


class FormTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`forms.toml`: which value of a feature a translation wrote."""

    formality: FeatureForms | None = None
    gender: FeatureForms | None = None
    animacy: FeatureForms | None = None
    tense: FeatureForms | None = None
    rivals: dict[str, frozenset[str]] = {}
    """By feature, words of this language, as the source, that a doubtful form of the target may translate."""
    clitics: Clitics = Clitics(frozenset())
    declensions: tuple[dict[str, tuple[str, ...]], ...] = ()
    """Endings of nouns by case, one table per class."""
    paradigms: tuple[dict[str, tuple[str, ...]], ...] = ()
    """Whole forms by case, for words without a common stem."""

    def of(self, feature: str) -> FeatureForms | None:
        """The forms of a feature."""
        return {"formality": self.formality, "gender": self.gender, "animacy": self.animacy, "tense": self.tense}.get(
            feature
        )


class Contractions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """`contractions.toml`: how words change where they meet, in the order `replace`, `elide`, `contract`."""

    replace: tuple[tuple[str, str], ...] = ()
    """Patterns of Python's `re`, and what they become."""
    elide: tuple[str, ...] = ()
    """Words that lose their last vowel and get an apostrophe."""
    before: str = ""
    """The letters before which they do."""
    unless: tuple[str, ...] = msgspec.field(default=(), name="except")
    """Words before which they do not, whatever their first letter."""
    uncertain: str = ""
    """Letters of `before` of which the spelling alone does not tell: a text from elsewhere is left alone there."""
    contract: tuple[tuple[str, str], ...] = ()
    """Two words that become one."""

    def __post_init__(self) -> None:
        if any(letter not in self.before for letter in self.uncertain):
            raise ValueError(f"uncertain: {self.uncertain!r} has letters that are not in 'before'")
        for pattern, _ in self.replace:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"replace: {pattern!r} is not a regular expression ({error})") from None

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """All changes, ready to be applied one after the other."""
        changes: list[Change] = [(re.compile(pattern), _expanding(new)) for pattern, new in self.replace]
        if self.elide:
            words = "|".join(map(re.escape, self.elide))
            unless = "".join(rf"(?!{re.escape(word)}\b)" for word in self.unless)
            pattern = rf"\b({words}) (?=[{re.escape(self.before)}]){unless}"
            changes.append((re.compile(pattern, re.IGNORECASE), lambda match: f"{match[1][:-1]}'"))
        for apart, together in self.contract:
            end = r"\b" if apart[-1:].isalnum() else ""
            changes.append((re.compile(rf"\b{re.escape(apart)}{end}", re.IGNORECASE), _contraction(together)))
        return tuple(changes)

    def join(self, article: str, noun: str) -> str | None:
        """Article and noun as they are written together; None where the spelling of the noun does not tell."""
        apart = text = f"{article.lower()} {noun}"
        for pattern, replacement in self.changes:
            text = pattern.sub(replacement, text)
        if text == apart:
            return f"{article} {noun}"
        return None if noun[0].lower() in self.uncertain else text


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase that an attack adds, written as inside a sentence."""

    text: str
    end: str = "."
    """Its mark where it is a sentence of its own."""
    comma: bool = False
    """Whether a comma stands between it and the sentence that it continues."""
    paper: str | None = None
    """The published form, where that differs."""
    paper_start: str = ""
    """The mark before the published form where it continues a sentence."""


class Owner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A possessive that an attack adds to the antecedent."""

    text: str
    place: Literal["before", "after"] = "after"
    """Before the noun instead of its determiner, or after the noun."""
    paper: str | None = None
    """The published form, where that differs."""


class Attacks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`attacks.toml`: the words that the perturbations `phrase/` and `possessive/` add, and where they may stand."""

    quotes: tuple[str, str]
    """The opening and the closing quotation mark."""
    after_colon: Literal["capital", "small"]
    """How a sentence continues after a colon."""
    starters: frozenset[str]
    """Words that have a capital only because a sentence begins with them."""
    phrases: dict[str, Phrase]
    """Phrases by the name of the perturbation."""
    owners: dict[str, Owner]
    """Owners by the name of the perturbation."""
    colon: str = ":"
    """The colon with the space before it, where the language has one."""
    stop_outside: bool = False
    """Whether the full stop of a quoted sentence stands behind the quotation mark."""
    determiners: frozenset[str] = frozenset()
    """Words that may open an antecedent."""
    owned: dict[str, str | dict[str, str]] = {}
    """Determiners that name an owner already, and what is left of them, by gender where that matters."""


class Connectives(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`connectives.toml`: the words by which the perturbations of Winograd schemas take a sentence apart."""

    conjunctions: tuple[str, ...]
    """Words that may begin the part of a sentence that holds the gap."""
    articles: tuple[str, ...] = ()
    """Articles with which a candidate may begin."""
    abbreviations: frozenset[str] = frozenset()
    """Words whose full stop does not end a sentence."""


def _expanding(replacement: str) -> Callable[[re.Match[str]], str]:
    return lambda match: match.expand(replacement)


def _contraction(together: str) -> Callable[[re.Match[str]], str]:
    return lambda match: together[:1].upper() + together[1:] if match[0][0].isupper() else together
