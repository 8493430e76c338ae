"""Phrase addition: the preceding sentence gets a phrase with a referent that the pronoun cannot have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.items import Field, Item
from referee.languages import language, languages
from referee.languages.schema import Attacks, Phrase
from referee.perturbations.base import Dropped, Perturbation, changed
from referee.perturbations.edits import Edit, TextKey, edited, rewritten
from referee.perturbations.published import phrases

Form = Literal["before", "quoted", "inside", "apart"]

_OPENING = re.compile(r"\s*(?:[-–—]+\s*)?")
_CLOSING = re.compile(r"""(?P<mark>[^\w\s"'”“’»)\]]*)(?P<quotes>["'”“’»)\]]*)\s*$""")
_QUOTES = re.compile('["“”„«»]')
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_UNFINISHED = ",;:-–— "
_QUOTES_AND_BRACKETS = "\"'”“’»)]"
_EXAMPLE = "The cup fell."


@dataclass(frozen=True)
class Variant:
    """One row of the paper's Table 4: a phrase, and how it joins the sentence."""

    name: str
    phrase: str
    form: Form


VARIANTS = (
    Variant("he-said", "he-said", "quoted"),
    Variant("she-said", "she-said", "quoted"),
    Variant("it-is-true-quoted", "it-is-true", "quoted"),
    Variant("it-is-true", "it-is-true", "before"),
    Variant("and-it-is-true", "and-it-is-true", "inside"),
    Variant("it-is-true-apart", "it-is-true", "apart"),
    Variant("and-that-is-true", "and-that-is-true", "inside"),
    *(
        Variant(name + ("" if form == "inside" else "-apart"), name, form)
        for name in ("but-he-was-not-sure", "but-that-is-not-the-point", "but-there-is-a-catch", "but-why")
        for form in ("inside", "apart")
    ),
)


def phrase_perturbations() -> Iterator[Perturbation]:
    """One perturbation per variant."""
    for variant in VARIANTS:
        yield _perturbation(variant)


def _perturbation(variant: Variant) -> Perturbation:
    name = f"phrase/{variant.name}"
    about = {
        "before": "introduce the preceding sentence with '{}:'",
        "quoted": "quote the preceding sentence after '{}:'",
        "inside": "add '{}' to the preceding sentence",
        "apart": "add a sentence after the preceding sentence: '{}'",
    }[variant.form]
    english = _phrase("en", variant)
    edits = add(_EXAMPLE, "en", variant)
    return Perturbation(
        name=name,
        about=about.format(english.text if english else ""),
        languages=languages("attacks.toml"),
        apply=lambda item: _changed(item, name, variant),
        example="" if isinstance(edits, Dropped) else edited(_EXAMPLE, edits),
        paper=lambda item: phrases.phrase(item, name, variant.form, lambda lang: _paper_text(lang, variant)),
    )


def _phrase(code: str, variant: Variant) -> Phrase | None:
    attacks = language(code).attacks
    return attacks.phrases.get(variant.phrase) if attacks else None


def _paper_text(code: str, variant: Variant) -> str | None:
    phrase = _phrase(code, variant)
    if phrase is None:
        return None
    text = phrase.paper or phrase.text
    return f"{phrase.paper_start} {text}" if variant.form == "inside" and phrase.paper_start else text


def _changed(item: Item, name: str, variant: Variant) -> Item | Dropped:
    if not any(text.strip() for text in item.source_context):
        return Dropped("no context")
    sides: tuple[tuple[Field, tuple[str, ...], str], ...] = (
        ("source_context", item.source_context, item.source_lang),
        ("target_context", item.target_context, item.target_lang),
    )
    edits: dict[TextKey, list[Edit]] = {}
    for field, context, code in sides:
        if not context:
            continue
        # The pronoun refers back to the nearest sentence.
        additions = add(context[-1], code, variant)
        if isinstance(additions, Dropped):
            return additions
        edits[field, len(context) - 1] = additions
    return changed(item, name, meta=phrases.without_lines(item.meta), **rewritten(item, edits))


def add(text: str, code: str, variant: Variant) -> list[Edit] | Dropped:
    """The edits that add the phrase to a sentence, with correct punctuation and capitals."""
    attacks, phrase = language(code).attacks, _phrase(code, variant)
    if attacks is None or phrase is None:
        return Dropped(f"no phrases in the language '{code}'")
    if not text.strip():
        return Dropped("no context")
    if not any(map(str.isalnum, text)):
        return Dropped("the preceding sentence has no words")
    if variant.form in ("before", "quoted"):
        return _before(text, phrase, attacks, quoted=variant.form == "quoted")
    return _inside(text, phrase) if variant.form == "inside" else _apart(text, phrase)


def _before(text: str, phrase: Phrase, attacks: Attacks, *, quoted: bool) -> list[Edit] | Dropped:
    if quoted and _QUOTES.search(text):
        return Dropped("the preceding sentence has quotation marks")
    start = len(_OPENING.match(text)[0])  # type: ignore[index]
    opening, closing = attacks.quotes if quoted else ("", "")
    edits = [Edit(0, start, f"{_capital(phrase.text)}{attacks.colon} {opening}")]
    edits += _recased(text, start, attacks, capital=quoted or attacks.after_colon == "capital")
    end, stop = _ending(text)
    if quoted and attacks.stop_outside and not stop and text[end - 1] == "." and text[end - 2 : end - 1].isalnum():
        end, stop = end - 1, "."
    return [*edits, Edit(end, len(text), closing + stop if attacks.stop_outside else stop + closing)]


def _inside(text: str, phrase: Phrase) -> list[Edit] | Dropped:
    match = _CLOSING.search(text)
    mark = match["mark"] if match else ""
    if match is None or mark not in ("", ".", "!"):
        # "Where is it and it is true?": the phrase does not fit after a question or an unfinished sentence.
        return Dropped("the preceding sentence does not end as a statement")
    if match["quotes"]:
        return Dropped("the preceding sentence ends in a quotation or bracket")
    end = phrase.end if phrase.end != "." or not mark else mark
    joint = ", " if phrase.comma else " "
    return [Edit(match.start(), len(text), f"{joint}{phrase.text}{end}")]


def _apart(text: str, phrase: Phrase) -> list[Edit]:
    end, stop = _ending(text)
    return [Edit(end, len(text), f"{stop} {_capital(phrase.text)}{phrase.end}")]


def _ending(text: str) -> tuple[int, str]:
    """The end of a sentence's words without a trailing comma or dash, and the full stop if it lacks one."""
    stripped = text.rstrip()
    body = stripped.rstrip(_UNFINISHED)
    if len(body) < len(stripped):
        return len(body), "."
    return len(body), "." if body.rstrip(_QUOTES_AND_BRACKETS)[-1:].isalnum() else ""


def _recased(text: str, start: int, attacks: Attacks, *, capital: bool) -> list[Edit]:
    """The edit that gives the first word a capital, or removes the one it had only from starting the sentence."""
    match = _FIRST_WORD.match(text, start)
    if match is None:
        return []
    word = match[0]
    # "OK" is all capitals, but so is "A" at the start of a sentence.
    is_starter = word.lower() in attacks.starters and (len(word) == 1 or not word.isupper())
    first = word[0].upper() if capital else word[0].lower() if is_starter else word[0]
    return [Edit(start, start + 1, first)] if first != word[0] else []


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
