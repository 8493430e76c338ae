"""Possessive extension as ContraCAT published it, faults included.

The first word of the annotated phrase counts as its determiner, the others as the head. The determiner is searched as
a string, so it also matches inside other words ("other"). The appended forms search the last word of the phrase from
the beginning of the sentence. docs/attacks.md lists the examples that this spoils.
"""

from __future__ import annotations

from typing import Any

from referee.items import Item
from referee.languages import language
from referee.languages.schema import Owner
from referee.perturbations.base import Dropped, changed
from referee.perturbations.edits import Edit, TextKey, edited, rewritten

_SEPARATOR = " <SEP> "
_KEYS = {"ante distance", "ref pronoun", "src ante phrase", "ref ante phrase"}
_SUBSETS = {"before": "possessive/maria", "after": "possessive/woman"}
_STEMS = ("mein", "dein", "sein", "ihr", "unser", "euer", "eur")
_ARTICLES = {"": "ein", "e": "die", "em": "einem", "en": "den", "n": "den", "er": "der", "es": "des"}
_ENGLISH = frozenset({"a", "all", "an", "another", "any", "each", "every", "some", "that", "the", "this"})
"""English determiners that stay before an appended owner; possessives become "the", and no others were extended."""
_ODD_ARTICLES = {"dein": "die", "einer": "der", "euren": "einen"}


def possessive(item: Item, name: str, key: str) -> Item | Dropped:
    """The item as published; the record of ContraPro names the antecedent."""
    record = item.meta.get("record")
    if not isinstance(record, dict) or not record.keys() >= _KEYS:
        return Dropped("the antecedent is not annotated: use contracat/contrapro/annotated")
    english, german = language("en").attacks, language("de").attacks
    if english is None or german is None or (item.source_lang, item.target_lang) != ("en", "de"):
        return Dropped("not from English to German")
    owners = english.owners[key], german.owners[key]
    if reason := _unfit(item, record, owners[1]):
        return Dropped(reason)
    is_inside = record["ante distance"] == 0
    phrases = record["src ante phrase"], record["ref ante phrase"]
    contexts = item.source_context, item.target_context
    in_candidates: list[tuple[TextKey, str]] = [
        (("candidate", index), candidate.text) for index, candidate in enumerate(item.candidates)
    ]
    sides: list[list[tuple[TextKey, str]]] = (
        [[(("source", 0), item.source)], in_candidates]
        if is_inside
        else [
            [(("source_context", len(item.source_context) - 1), item.source_context[-1])],
            [(("target_context", len(item.target_context) - 1), item.target_context[-1])],
        ]
    )
    edits: dict[TextKey, list[Edit]] = {}
    for side, owner, phrase in zip(sides, owners, phrases, strict=True):
        for text_key, text in side:
            extension = extended(text, phrase, owner, is_german=owner is owners[1])
            if isinstance(extension, Dropped):
                return extension
            edits[text_key] = extension
    meta: dict[str, Any] = {key: value for key, value in item.meta.items() if key != "separators"}
    if not all(contexts):
        meta["separators"] = [_SEPARATOR if context else _SEPARATOR.lstrip() for context in contexts]
    for field, owner, phrase in zip(("source_lines", "target_lines"), owners, phrases, strict=True):
        if field in meta:
            meta[field] = [_line(line, phrase, owner, is_inside, owner is owners[1]) for line in meta[field]]
    return changed(item, name, meta=meta, **rewritten(item, edits))


def extended(text: str, phrase: str, owner: Owner, *, is_german: bool) -> list[Edit] | Dropped:
    """The edits of one text; dropped if the phrase is not in it, or its determiner was not extended."""
    determiner, _, head = phrase.partition(" ")
    start = _determiner(text.lower(), determiner.lower(), head.lower())
    if start is None:
        return Dropped("the antecedent is not in the text")
    possessor = owner.paper or owner.text
    # The next character is taken for the space behind the determiner, whatever it is.
    behind = start + len(determiner) + 1
    if owner.place == "before":
        return [Edit(start, behind, f"{possessor} ")]
    article = _article(determiner) if is_german else _english_article(determiner)
    if article is None:
        return Dropped("the determiner of the antecedent was not extended")
    last = phrase.rpartition(" ")[2]
    end = text.lower().find(last.lower()) + len(last)
    if end < behind:
        return [Edit(start, len(text), f"{article}  {possessor}{text[end:]}")]
    return [Edit(start, behind, f"{article} "), Edit(end, end, f" {possessor}")]


def _unfit(item: Item, record: dict[str, Any], owner: Owner) -> str | None:
    """The reason why an item was not published; without the published subsets, phrase lengths replace parser tags."""
    if "subsets" in item.meta:
        is_chosen = _SUBSETS[owner.place] in item.meta["subsets"]
        return None if is_chosen else "not among the examples that were published"
    if record["ref pronoun"].lower() not in ("er", "sie", "ihn"):
        return "the pronoun is not er or sie"
    if record["ante distance"] > 1:
        return "the antecedent is farther than one sentence"
    for phrase in (record["src ante phrase"], record["ref ante phrase"]):
        if len((phrase or "").split()) not in (2, 3):
            return "the antecedent is not of two or three words"
    if record["ante distance"] == 1 and not (item.source_context and item.target_context):
        return "no context"
    return None


def _determiner(text: str, determiner: str, head: str) -> int | None:
    """The start of the last determiner before the first head that has one before it."""
    head_start = text.find(head)
    while True:
        start = text.rfind(determiner, 0, head_start)
        if start >= 0:
            return start
        if head_start < 0:
            return None
        head_start = text.find(head, head_start + 1)


def _article(determiner: str) -> str:
    """The determiner as in the published files: in lower case, possessives turned into articles, some wrongly."""
    word = determiner.lower()
    if word in _ODD_ARTICLES:
        return _ODD_ARTICLES[word]
    for stem in _STEMS:
        if word.startswith(stem) and word[len(stem) :] in _ARTICLES:
            return _ARTICLES[word[len(stem) :]]
    return word


def _english_article(determiner: str) -> str | None:
    """The determiner as in the published files: in lower case, possessives turned into "the"; None for all others."""
    word, attacks = determiner.lower(), language("en").attacks
    article = attacks.owned.get(word) if attacks else None
    if isinstance(article, str):
        return article
    return word if word in _ENGLISH else None


def _line(line: str, phrase: str, owner: Owner, is_inside: bool, is_german: bool) -> str:  # noqa: FBT001
    context, _, sentence = (part.strip() for part in line.partition("<SEP>"))
    parts = [context, sentence]
    extension = extended(parts[is_inside], phrase, owner, is_german=is_german)
    parts[is_inside] = edited(parts[is_inside], [] if isinstance(extension, Dropped) else extension)
    return _SEPARATOR.join(parts).strip()
