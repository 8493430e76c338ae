"""How a translation renders a pronoun that has no noun as antecedent: *it* for an event, or pleonastic *it*.

Fluent translations need no pronoun there: "Das war eine Überraschung", "..., was zu Chaos führte", "Schade." So there
are three outcomes: correct, by the pronoun or by other means; incorrect; and not applicable where nothing in the
translation corresponds to the pronoun. The words come from the language's table `pronouns.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import regex

from referee.items import Item
from referee.languages import base, language, script
from referee.languages.schema import Pronouns
from referee.languages.script import LETTER, WORD, is_among, normalised, whole_words
from referee.scoring.candidate_match import names, target_nouns, used_candidates, words_of
from referee.verdicts import Means

FUNCTIONS = frozenset({"event", "pleonastic"})
"""Values of the feature `function` of an item whose pronoun has no noun as antecedent."""

_WORD = regex.compile(f"{WORD}'?")
_CLAUSE = regex.compile(rf"(?!{LETTER})[^\s'\-]")
_LAST_COMMA = regex.compile(r"[,;–—，；、،؛-]\s*$")
_ATTRIBUTES = 2
_BEFORE_A_PHRASE = 2
"""A phrase that stands for the clause comes after two words at most."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """The outcome of a translation, the candidates that it uses, and by which means it renders the pronoun."""

    outcome: Literal["correct", "incorrect", "not applicable"]
    candidates: list[int]
    means: Means | None = None

    @property
    def correct(self) -> bool | None:
        """None where nothing can be decided."""
        return None if self.outcome == "not applicable" else self.outcome == "correct"


def has_no_antecedent(item: Item) -> bool:
    """Whether the pronoun of an item with gold stands for an event or for nothing: *it came as a surprise*, *it rains*.

    An item says so by its feature `function`; a template's item by having no antecedent.
    """
    if item.gold is None:
        return False
    if item.features.get("function") in FUNCTIONS:
        return True
    return "template" in item.features and not any(span.role == "antecedent" for span in item.spans)


def rendering(item: Item, sentence: str) -> Rendering:
    """Decide how a translation renders the pronoun of an item without an antecedent."""
    used = used_candidates(item, sentence)
    gold = [] if item.gold is None else [item.gold]
    if used.candidates == gold and used.by != "demonstrative":
        return Rendering("correct", gold, "pronoun")
    if used.by == "pronoun" and len(used.candidates) == 1:
        return Rendering("incorrect", used.candidates, "pronoun")
    text, table = normalised(sentence), language(item.target_lang).pronouns or Pronouns()
    if used.by == "pronoun" and _comes_first(item, used.candidates, text):
        return Rendering("correct", gold, "pronoun")
    if used.candidates == gold or _takes_up_clause(item, text, table):
        return Rendering("correct", gold, "other")
    # A verb may agree with a noun of its own: Polish "padał deszcz" is no masculine "it".
    if used.by in (None, "agreement") and not _names_a_noun(item, text) and _replaces_clause(item, text, table):
        return Rendering("correct", gold, "other")
    if used.candidates:
        return Rendering("incorrect", used.candidates, "pronoun")
    if _names_a_noun(item, text) or _is_no_translation(item, text):
        return Rendering("incorrect", [])
    return Rendering("not applicable", [], "none")


def _comes_first(item: Item, candidates: list[int], text: str) -> bool:
    """Whether the correct pronoun comes before all others: in "Es scheint, dass sie kommt", *sie* is somebody else."""
    starts = {
        index: match.start()
        for index in candidates
        if (form := item.candidates[index].features.get("pronoun"))
        if (match := whole_words(form, item.target_lang).search(text))
    }
    return len(starts) == len(candidates) and min(starts, key=lambda index: starts[index]) == item.gold


def _takes_up_clause(item: Item, text: str, table: Pronouns) -> bool:
    """Whether a demonstrative or a relative word stands for a clause, beyond those that all candidates have."""
    code = item.target_lang
    elsewhere = min(_clausal(normalised(candidate.text), table, code) for candidate in item.candidates)
    return _clausal(text, table, code) > elsewhere


def _clausal(text: str, table: Pronouns, code: str) -> int:
    """The number of words that stand for a clause."""
    for idiom in table.idioms:
        text = whole_words(idiom, code).sub(lambda match: "_" * len(match.group()), text)
    demonstratives = sum(
        _stands_alone(form, match.start(), match.end(), text, table)
        for form in table.neutral
        for match in whole_words(form, code).finditer(text)
    )
    relatives = sum(
        _takes_up_what_precedes(text[: match.start()], table)
        for form in table.relative
        for match in whole_words(form, code).finditer(text)
    )
    adverbs = sum(
        "," not in text[match.end() :] or len(_words(text[: match.start()])) <= 1
        for form in table.adverbs
        for match in whole_words(form, code).finditer(text)
    )
    return demonstratives + relatives + adverbs


def _stands_alone(form: str, start: int, end: int, text: str, table: Pronouns) -> bool:
    """Whether a demonstrative is a pronoun: not an article, not the first half of "das, was" or "dazu, dass"."""
    rest = text[end:]
    if rest.startswith(","):
        return False
    if form not in table.determiner:
        return True
    following, before = _words_of_clause(rest), _words(text[:start])
    last = before[-1] if before else ""
    verb = bool(following) and is_among(following[0], table.verbs)
    if is_among(last, table.prepositions):
        return False
    # All in capitals, they do not show nouns.
    if not table.capital_nouns or script.is_all_capitals(text):
        return verb or (not following and is_among(last, table.verbs))
    if not any(form in articles for articles in table.demonstrative.values()):
        # German "damit" is a conjunction too, which no verb stands next to.
        return verb or is_among(last, table.verbs)
    if _LAST_COMMA.search(text[:start]):
        # After a comma it is a relative pronoun or a conjunction, unless the verb comes second.
        return verb and len(following) > 1
    return verb or not _is_attribute(following, table)


def _is_attribute(following: list[str], table: Pronouns) -> bool:
    """Whether the words after a neuter article are a noun with its adjectives, which end in -e: das sehr alte Haus."""
    noun = next((index for index, word in enumerate(following) if word[0].isupper()), None)
    if noun is None or noun == 0:
        return noun == 0
    if following[0].lower() in table.not_attributes:
        return False
    return following[0].endswith("e") or (noun <= _ATTRIBUTES and following[noun - 1].endswith("e"))


def _words_of_clause(text: str) -> list[str]:
    """The words up to the next punctuation mark."""
    mark = _CLAUSE.search(text)
    return _words(text[: mark.start()] if mark else text)


def _words(text: str) -> list[str]:
    """The words of a text as they are written, with their apostrophes."""
    return [match.group() for match in _WORD.finditer(text)]


def _takes_up_what_precedes(before: str, table: Pronouns) -> bool:
    """Whether a relative word follows a clause and a comma, and not a word that it belongs to."""
    comma = _LAST_COMMA.search(before)
    words = _words(before[: comma.start()]) if comma else []
    return bool(words) and not is_among(words[-1], table.not_after)


def _names_a_noun(item: Item, text: str) -> bool:
    """Whether the sentence names one of the nouns in the context, but not all: then it also translates the context."""
    nouns = target_nouns(item, "distractor")
    named = [names(noun, text, item.target_lang) for noun in nouns]
    return any(named) and not (len(named) > 1 and all(named))


def _is_no_translation(item: Item, text: str) -> bool:
    """Whether the output is empty or repeats the source."""
    words = words_of(text)
    return not words or (words == words_of(item.source) and base(item.source_lang) != base(item.target_lang))


def _replaces_clause(item: Item, text: str, table: Pronouns) -> bool:
    """Whether the sentence begins with a phrase that renders the source without a pronoun: "Schade", "Шёл дождь"."""
    source = item.source.lower()
    phrases = [
        phrase
        for key, of_key in table.phrases.items()
        if base(item.source_lang) == "en" and regex.search(rf"(?<!{LETTER}){regex.escape(key)}", source)
        for phrase in of_key
    ]
    return any(
        len(_words(text[: match.start()])) <= _BEFORE_A_PHRASE
        for phrase in phrases
        if (match := whole_words(phrase, item.target_lang).search(text))
    )
