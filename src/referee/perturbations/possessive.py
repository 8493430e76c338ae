"""Possessive extension: the antecedent gets an owner, which a model may wrongly take as the referent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.items import Item, Span
from referee.languages import base, language, languages
from referee.languages.de import grammar
from referee.languages.de.grammar import ARTICLE, CASES, NounPhrase, like
from referee.languages.schema import Attacks, Contractions, Owner
from referee.perturbations.base import Dropped, Perturbation, changed
from referee.perturbations.edits import Edit, TextKey, rewritten, text_at
from referee.perturbations.published import phrases, possessive

_BEGINNING = re.compile(r"(^|[.!?:])\W*$")


def possessive_perturbations() -> Iterator[Perturbation]:
    """One perturbation per owner."""
    english = language("en").attacks
    for key, owner in (english.owners if english else {}).items():
        yield _perturbation(key, owner)


def _perturbation(key: str, owner: Owner) -> Perturbation:
    name = f"possessive/{key}"
    example = f"{like(owner.text, 'A')} cup fell." if owner.place == "before" else f"The cup {owner.text} fell."
    return Perturbation(
        name=name,
        about=f"add a possessor to the antecedent: '{owner.text}'",
        languages=languages("attacks.toml"),
        apply=lambda item: _changed(item, name, key),
        example=example,
        paper=lambda item: possessive.possessive(item, name, key),
    )


def _changed(item: Item, name: str, key: str) -> Item | Dropped:
    spans = antecedents(item)
    if isinstance(spans, Dropped):
        return spans
    edits: dict[TextKey, list[Edit]] = {}
    for span in spans:
        code = item.source_lang if span.field in ("source", "source_context") else item.target_lang
        extension = extend(text_at(item, (span.field, span.index)), span, code, key, item.feature("gender"))
        if isinstance(extension, Dropped):
            return extension
        edits[span.field, span.index] = extension
    return changed(item, name, meta=phrases.without_lines(item.meta), **rewritten(item, edits))


def antecedents(item: Item) -> list[Span] | Dropped:
    """The spans of the item's only antecedent, one per text that mentions it."""
    spans = [span for span in item.spans if span.role == "antecedent"]
    source = [span for span in spans if span.field in ("source", "source_context")]
    target = [span for span in spans if span not in source]
    if not source:
        return Dropped("no antecedent is marked on the source side")
    if not target and item.task == "translate" and (item.candidates or item.target_context):
        return Dropped("no antecedent is marked on the target side")
    in_candidates = [span for span in target if span.field == "candidate"]
    if len(source) > 1 or len(target) - len(in_candidates) > 1 or (in_candidates and len(in_candidates) < len(target)):
        return Dropped("more than one antecedent is marked")
    if in_candidates and sorted(span.index for span in in_candidates) != list(range(len(item.candidates))):
        return Dropped("the antecedent is not marked once in every candidate")
    return spans


def extend(text: str, span: Span, code: str, key: str, gender: str | None) -> list[Edit] | Dropped:
    """The edits that give the antecedent at `span` its owner."""
    attacks = language(code).attacks
    if attacks is None or key not in attacks.owners:
        return Dropped(f"no owners in the language '{code}'")
    owner = attacks.owners[key]
    if base(code) == "de":
        return _german(text, span, owner, gender)
    return _other(text, span, owner, attacks, language(code).contractions, gender)


def _german(text: str, span: Span, owner: Owner, gender: str | None) -> list[Edit] | Dropped:
    if gender not in grammar.GENDERS:
        return Dropped("the gender of the antecedent is not known")
    phrase = grammar.noun_phrase(text, span.start, span.end, gender)
    if isinstance(phrase, str):
        return Dropped(phrase)
    if not phrase.kind.is_plain:
        return Dropped("the antecedent has no article, demonstrative or possessive")
    if owner.place == "before":
        edits = [Edit(phrase.determiner.start, phrase.determiner.end, owner.text)]
        adjectives = _adjectives(phrase, None)
        return adjectives if isinstance(adjectives, Dropped) else edits + adjectives
    behind = span.end if phrase.has_name else phrase.noun.end
    after = Edit(behind, behind, f" {owner.text}")
    if not phrase.kind.is_possessive:
        return [after]
    articles = {ARTICLE.form(phrase.gender, case) for case in phrase.cases}
    adjectives = _adjectives(phrase, ARTICLE)
    if len(articles) > 1:
        return Dropped("the case of the antecedent is not certain")
    if isinstance(adjectives, Dropped):
        return adjectives
    word = phrase.determiner
    # The polite 'Ihr' has a capital inside a sentence too.
    is_first = word.text[0].isupper() and (phrase.kind.stem != "ihr" or _BEGINNING.search(text[: word.start]))
    return [Edit(word.start, word.end, like(articles.pop(), "A" if is_first else "a")), *adjectives, after]


def _adjectives(phrase: NounPhrase, determiner: grammar.Determiner | None) -> list[Edit] | Dropped:
    """The edits that inflect the adjectives for another determiner, or for a name in the genitive."""
    edits = []
    for word in phrase.adjectives:
        endings = {grammar.adjective_ending(determiner, phrase.gender, case) for case in CASES if case in phrase.cases}
        if len(endings) > 1:
            return Dropped("the case of the antecedent is not certain")
        new = grammar.with_ending(word.text, endings.pop())
        if new != word.text:
            edits.append(Edit(word.start, word.end, new))
    return edits


def _other(
    text: str, span: Span, owner: Owner, attacks: Attacks, contractions: Contractions, gender: str | None
) -> list[Edit] | Dropped:
    opening = _opening(text, span)
    first = opening[0] if opening else ""
    if attacks.determiners and first.lower() not in attacks.determiners:
        return Dropped("the antecedent has no known determiner")
    end = span.start + len(first)
    if owner.place == "before":
        return [Edit(span.start, end, like(owner.text, first))]
    after = Edit(span.end, span.end, f" {owner.text}")
    index = next((index for index, word in enumerate(opening[:2]) if word.lower() in attacks.owned), None)
    if index is None:
        return [after]
    if len(opening) < index + 2:
        return Dropped("the antecedent has no noun")
    # A possessive of another owner is removed, or becomes an article.
    owned, noun = opening[index], opening[index + 1]
    article = attacks.owned[owned.lower()] if index == 0 else first
    if isinstance(article, dict):
        if gender not in article:
            return Dropped("the gender of the antecedent is not known")
        article = article[gender]
    rest = text.index(noun, end if index == 0 else text.index(owned, end) + len(owned))
    joined = contractions.join(article, noun) if article else noun
    if joined is None:
        return Dropped("the article before the antecedent is not certain")
    return [Edit(span.start, rest + len(noun), like(joined, first)), after]


def _opening(text: str, span: Span) -> list[str]:
    """The first words of a span; an apostrophe ends a word."""
    return [part for part in text[span.start : span.end].replace("'", "' ").replace("’", "' ").split() if part][:4]
