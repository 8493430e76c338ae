"""Which candidate a translation used, for systems that give no scores.

Candidates differ in a pronoun, and in words that agree with it. First the pronoun is looked for as the candidates have
it, then its other forms (er, ihn, ihm), then demonstratives (der, die, das); the first of these steps that matches
anything decides. Where it matches several candidates, agreeing words may decide; otherwise nothing was chosen.
Candidates without a pronoun (pro-drop languages) are distinguished by the agreeing words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from referee.items import Item
from referee.languages import language, script
from referee.languages.schema import Pronouns
from referee.languages.script import normalised, whole_words
from referee.languages.text import changed_words, starts_sentence

_SHORTEST_STEM = 4
_LONGEST_ENDING = 2

Count = Callable[[str, str], int]
"""The number of times that a form occurs in a text."""


@dataclass(frozen=True, slots=True)
class _Step:
    """Forms by candidate that are looked for, and how they are counted."""

    by: Literal["pronoun", "agreement", "demonstrative"]
    forms: Sequence[Sequence[str]]
    count: Count


@dataclass(frozen=True, slots=True)
class Used:
    """The candidates that a translation uses (one, none or several), and the kind of word that shows it."""

    candidates: list[int]
    by: Literal["pronoun", "agreement", "demonstrative"] | None = None


def used_candidates(item: Item, sentence: str) -> Used:
    """Find the candidates that a translation of the item uses."""
    text = normalised(sentence)
    code = item.target_lang
    paradigm = language(code).pronouns or Pronouns()
    pronouns = [candidate.features.get("pronoun", "") for candidate in item.candidates]
    genders = [candidate.features.get("gender", "") for candidate in item.candidates]
    others = [paradigm.of(gender) for gender in genders]
    demonstratives = [paradigm.demonstrative.get(gender, ()) for gender in genders]

    def pronoun(form: str, text: str) -> int:
        return _pronouns(form, text, paradigm, code)

    def demonstrative(form: str, text: str) -> int:
        return _demonstrative(form, text, paradigm, code)

    agreeing = _Step("agreement", _agreeing(item), pronoun)
    steps = [_Step("pronoun", others, pronoun), _Step("demonstrative", demonstratives, demonstrative)]
    if not all(pronouns):
        steps.insert(0, agreeing)
    elif len(set(pronouns)) > 1:
        steps.insert(0, _Step("pronoun", [(form,) for form in pronouns], pronoun))
    else:
        # French l' does not distinguish them, and any il or elle next to it refers to somebody else.
        steps = [agreeing]
    for step in steps:
        if hits := _having(step.forms, step.count, text, item):
            return Used(hits if len(hits) == 1 else _narrowed(hits, agreeing.forms, text, code), step.by)
    return Used([])


def choose(item: Item, sentence: str) -> list[int]:
    """Indices of the candidates that a translation of the item uses: one, none or several."""
    return used_candidates(item, sentence).candidates


def antecedent_used(item: Item, context: str) -> bool | None:
    """Whether the noun that the pronoun stands for is in the translated context; None where either is unknown.

    Another noun may have another gender, and then another pronoun is correct.
    """
    nouns = target_nouns(item, "antecedent")
    if not nouns or not context.strip():
        return None
    return any(names(noun, context, item.target_lang) for noun in nouns)


def target_nouns(item: Item, role: str) -> list[str]:
    """The nouns of the target context that are marked with a role."""
    marked = (
        normalised(item.target_context[span.index][span.start : span.end])
        for span in item.spans
        if span.role == role and span.field == "target_context"
    )
    # The last word of what was marked: an article may stand before the noun. Without spaces, all of it is the noun.
    return [text if script.is_unspaced(text) else words[-1] for text in marked if (words := words_of(text))]


def _having(forms: Sequence[Sequence[str]], count: Count, text: str, item: Item) -> list[int]:
    """Candidates with a form in the text, beyond what all candidates have ("Sie hat ihn", "Sie hat sie")."""
    return [
        index
        for index, candidate_forms in enumerate(forms)
        if any(
            (times := count(form, text)) and times > min(count(form, candidate.text) for candidate in item.candidates)
            for form in candidate_forms
        )
    ]


def _narrowed(hits: list[int], agreeing: Sequence[Sequence[str]], text: str, code: str) -> list[int]:
    """Those of several candidates whose agreeing words are in the text, if that leaves any."""
    return [index for index in hits if any(whole_words(form, code).search(text) for form in agreeing[index])] or hits


def _agreeing(item: Item) -> list[list[str]]:
    """Per candidate, the words that no other candidate has, without its pronoun."""
    texts, code = [candidate.text for candidate in item.candidates], item.target_lang
    changed = [
        {text[start:end].lower() for start, end in spans}
        for text, spans in zip(texts, changed_words(texts, code), strict=True)
    ]
    everywhere = [set(words_of(text, code)) for text in texts]
    agreeing = []
    for index, candidate in enumerate(item.candidates):
        others = set().union(*everywhere[:index], *everywhere[index + 1 :])
        agreeing.append(sorted(changed[index] - others - {candidate.features.get("pronoun", "").lower()}))
    return agreeing


def words_of(text: str, code: str = "") -> list[str]:
    """The words of a text in lower case."""
    return [word.lower() for word in script.words(normalised(text), code)]


def _pronouns(form: str, text: str, paradigm: Pronouns, code: str) -> int:
    """Number of times a form is a third person singular: not polite `Sie`, not plural `sie`."""
    spans = [match.span() for match in whole_words(form, code).finditer(text)]
    if form.lower() not in paradigm.polite:
        return len(spans)
    return sum(
        not _plural(text, end, paradigm)
        and (text[start].islower() or script.is_shouted(text[start:end]) or starts_sentence(text, start))
        for start, end in spans
    )


def _plural(text: str, end: int, paradigm: Pronouns) -> bool:
    following = script.words(text[end:])[:1]
    return bool(following) and (
        following[0] in paradigm.plural
        or (script.is_shouted(following[0]) and script.is_among(following[0], paradigm.plural))
    )


def _demonstrative(form: str, text: str, paradigm: Pronouns, code: str) -> int:
    """Whether an article stands alone at the start: after one word at most, with no noun among the next two words."""
    match = whole_words(form, code).search(text)
    if match is None or "," in text[: match.start()] or len(script.words(text[: match.start()])) > 1:
        return 0
    following = script.words(text[match.end() :])[:2]
    if script.is_all_capitals(text):
        # Capitals do not show nouns there, but a verb shows that none follows.
        noun = not (following and script.is_among(following[0], paradigm.verbs))
    else:
        noun = not following or any(word[0].isupper() for word in following)
    return int(not noun and not _plural(text, match.end(), paradigm))


def names(noun: str, text: str, code: str) -> bool:
    """Whether a text names a noun, in some form of it."""
    if whole_words(noun, code).search(normalised(text)):
        return True
    return not script.is_unspaced(noun) and any(same_noun(noun, word) for word in words_of(text, code))


def same_noun(noun: str, word: str) -> bool:
    """Equal but for an ending: Hund and Hundes, кошка and кошку."""
    vowel = len(noun) > _SHORTEST_STEM and noun[-1] in "aeiouаяоеьыйіě"
    stem = noun[:-1] if vowel else noun
    return word.startswith(stem) and len(word) - len(stem) <= _LONGEST_ENDING
