"""Whether a translation contains the expected form: the published rule of CTXPRO, and one that corrects its faults.

`paper` reproduces published numbers. `token` looks for whole words: elided forms (`t'`, `l'`) and contractions are
separated from their neighbours, and German `Sie` is not `sie`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import cache

import regex

from referee import languages
from referee.languages.sentences import Splitter
from referee.languages.text import normalised, starts_sentence
from referee.verdicts import Rule

_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")
_LETTER = r"[\p{L}\p{M}\p{N}_]"


def with_context(output: str, split: Splitter) -> tuple[str, str]:
    """Split an output into the context and its last sentence, which is the one that is evaluated."""
    sentences = split(output)
    return (" ".join(sentences[:-1]), sentences[-1]) if sentences else ("", "")


def found_by_paper(sentence: str, expected: Sequence[str]) -> bool:
    """The published rule: lower case, punctuation deleted from the output only, the form between spaces."""
    padded = f" {_PUNCTUATION.sub('', sentence.lower())} "
    return any(f" {form.lower()} " in padded for form in expected)


def found_by_token(sentence: str, expected: Sequence[str], language: str) -> bool:
    """The corrected rule: the form occurs as whole words, in the correct case where case distinguishes pronouns."""
    text = normalised(sentence)
    return any(_stands_in(normalised(form), text, language) for form in expected)


def hits(sentence: str, expected: Sequence[str], language: str) -> dict[Rule, bool]:
    """Whether each rule finds an expected form in the sentence."""
    return {
        "paper": found_by_paper(sentence, expected),
        "token": found_by_token(sentence, expected, language),
    }


def _stands_in(form: str, text: str, language: str) -> bool:
    # Only where letter case tells polite from plain; elsewhere it is a matter of position or style.
    pronouns = languages.language(language).pronouns
    cased = pronouns is not None and form.lower() in pronouns.cased
    for match in whole_words(form).finditer(text):
        # At the start of a sentence every word is capitalised, so case says nothing there.
        if not cased or match.group() == form or starts_sentence(text, match.start()):
            return True
    return False


@cache
def whole_words(form: str) -> regex.Pattern[str]:
    """The form's words in a row, between what are not letters. An apostrophe is a border: l'|ho, it|'s, qu'|elle."""
    form = normalised(form)
    if not regex.search(_LETTER, form):
        return regex.compile(r"(?!)")
    start = "" if form.startswith("'") else f"(?<!{_LETTER})"
    end = "" if form.endswith("'") else f"(?!{_LETTER})"
    words = r"[\s\p{P}]+".join(map(regex.escape, form.split()))
    return regex.compile(f"{start}{words}{end}", regex.IGNORECASE)
