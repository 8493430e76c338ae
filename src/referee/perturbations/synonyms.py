"""Synonym replacement: the antecedent becomes a synonym of another gender, and the gold changes with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.items import Item, Span
from referee.languages import base
from referee.languages.de import grammar
from referee.languages.de.grammar import CASES, Case, Gender, NounPhrase
from referee.languages.de.nouns import Noun, Nouns, installed_nouns
from referee.languages.pronouns import pronouns_of
from referee.perturbations.base import Dropped, Perturbation, changed
from referee.perturbations.edits import Edit, TextKey, rewritten, text_at
from referee.perturbations.possessive import antecedents
from referee.perturbations.published import phrases
from referee.perturbations.senses import Synonyms

NAME = "synonym"

_RELATIVE = re.compile(r"\s*,\s*(\w+\s+)?(der|die|das|den|dem|dessen|deren|welche[rsmn]?)\b")


def synonym_perturbation(synonyms: Callable[[], Synonyms]) -> Perturbation:
    """The perturbation; `synonyms` is called when the first item needs it."""
    return Perturbation(
        name=NAME,
        about="replace the antecedent by a synonym of another gender (needs --thesaurus or --wordnets)",
        languages=("de",),
        apply=lambda item: replaced(item, synonyms(), installed_nouns()),
        example="Der Vorhang ist alt. Er ... -> Die Gardine ist alt. Sie ...",
    )


@dataclass(frozen=True)
class _Replacement:
    noun: Noun
    edits: dict[TextKey, list[Edit]]


def replaced(item: Item, synonyms: Synonyms, nouns: Nouns) -> Item | Dropped:
    """The item with the first synonym whose gender has a candidate, and whose forms are certain."""
    if base(item.target_lang) != "de":
        return Dropped("not into German")
    gender = item.feature("gender")
    if item.gold is None or gender not in grammar.GENDERS:
        return Dropped("the gender of the antecedent is not known")
    spans = antecedents(item)
    if isinstance(spans, Dropped):
        return spans
    targets = [span for span in spans if span.field in ("target_context", "candidate")]
    if not targets:
        return Dropped("no antecedent is marked on the target side")
    phrases = _phrases(item, targets, gender)
    if isinstance(phrases, Dropped):
        return phrases
    golds = {
        candidate.features["gender"]: index
        for index, candidate in reversed(list(enumerate(item.candidates)))
        if candidate.features.get("gender") in grammar.GENDERS
    }
    replacement = _first(item, targets, phrases, synonyms, nouns, golds)
    if isinstance(replacement, Dropped):
        return replacement
    return _moved(item, replacement, golds[replacement.noun.gender])


def _phrases(item: Item, targets: Sequence[Span], gender: Gender) -> list[NounPhrase] | Dropped:
    phrases = []
    for span in targets:
        text = text_at(item, (span.field, span.index))
        phrase = grammar.noun_phrase(text, span.start, span.end, gender)
        if isinstance(phrase, str):
            return Dropped(phrase)
        if phrase.has_name:
            return Dropped("the antecedent is a name")
        if _RELATIVE.match(text, phrase.noun.end):
            return Dropped("a relative clause follows the antecedent")
        phrases.append(phrase)
    return phrases


def _first(
    item: Item,
    targets: Sequence[Span],
    phrases: Sequence[NounPhrase],
    synonyms: Synonyms,
    nouns: Nouns,
    golds: dict[str, int],
) -> _Replacement | Dropped:
    """The first synonym that fits; if none does, the reason why the last one does not."""
    word = phrases[0].noun.text
    antecedents = nouns.with_form(word, phrases[0].gender)
    if not antecedents:
        return Dropped("the antecedent is not in the list of nouns")
    names: list[str] = []
    for antecedent in antecedents:
        found = synonyms(item, antecedent.lemma)
        if isinstance(found, Dropped):
            return found
        names += found
    reason = "no synonym is known"
    for name in dict.fromkeys(names):
        noun = nouns.only(name)
        if noun is None:
            reason = "no synonym has a gender that is certain"
        elif noun.gender == phrases[0].gender or noun.gender not in golds:
            reason = "no synonym has another gender"
        else:
            edits = {
                (span.field, span.index): _agreeing(item, phrase, noun, antecedents)
                for span, phrase in zip(targets, phrases, strict=True)
            }
            certain = {key: of_text for key, of_text in edits.items() if of_text is not None}
            if len(certain) == len(edits):
                return _Replacement(noun, certain)
            reason = "the case of the antecedent is not certain"
    return Dropped(reason)


def _agreeing(item: Item, phrase: NounPhrase, new: Noun, olds: Sequence[Noun]) -> list[Edit] | None:
    """The edits that put determiner, adjectives and noun in the new gender; None if the possible cases differ."""
    cases = [case for case in phrase.cases if any(phrase.noun.text in noun.forms[case] for noun in olds)]
    ways = {case: _words(phrase, new, case) for case in cases or phrase.cases}
    if len({tuple(way) for way in ways.values() if way}) > 1:
        hint = _hinted(item)
        ways = {case: way for case, way in ways.items() if case == hint}
    words = next(iter(ways.values()), None)
    if words is None:
        return None
    old = (phrase.determiner, *phrase.adjectives, phrase.noun)
    return [
        Edit(word.start, word.end, grammar.like(text, word.text))
        for word, text in zip(old, words, strict=True)
        if text.lower() != word.text.lower()
    ]


def _words(phrase: NounPhrase, new: Noun, case: Case) -> list[str] | None:
    noun = new.form(case)
    if noun is None:
        return None
    ending = grammar.adjective_ending(phrase.kind, new.gender, case)
    adjectives = [grammar.with_ending(word.text, ending) for word in phrase.adjectives]
    return [phrase.kind.form(new.gender, case), *adjectives, noun]


def _hinted(item: Item) -> str | None:
    """The case that the set states: as a feature, or in a record of ContraPro such as 'Fem|Nom|Sg'."""
    if "antecedent_case" in item.features:
        return item.features["antecedent_case"]
    record: Any = item.meta.get("record")
    parts = (record.get("ref ante head morpho") or "").lower().split("|") if isinstance(record, dict) else []
    return next((part for part in parts if part in CASES), None)


def _moved(item: Item, replacement: _Replacement, gold: int) -> Item:
    fields = rewritten(item, replacement.edits)
    candidates = fields.get("candidates", item.candidates)
    fields["gold"] = gold
    if item.reference is not None:
        fields["reference"] = candidates[gold].text
    pronoun = candidates[gold].features.get("pronoun")
    if item.expected and pronoun:
        fields["expected"] = (pronoun,)
    labels = {gender: forms[0] for gender, forms in pronouns_of("de").nominative.items()}
    if item.label in labels.values():
        fields["label"] = labels[replacement.noun.gender]
    if "gender" in item.features:
        fields["features"] = {"gender": replacement.noun.gender}
    meta = phrases.without_lines(item.meta) | {"synonym": replacement.noun.lemma}
    return changed(item, NAME, meta=meta, **fields)
