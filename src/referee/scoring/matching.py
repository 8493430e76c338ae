"""Whether a translation holds the expected form: the published rule of CTXPRO, and one that mends its faults.

`paper` reproduces published numbers. `token` compares whole tokens: elided forms (`t'`, `l'`) and contractions are
split, and German `Sie` is not `sie`.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Sequence

from referee.verdicts import Rule

_DELETED = str.maketrans("", "", string.punctuation)
_ELIDING = frozenset({"ca", "fr", "it", "oc"})
# In these languages the apostrophe ends the clitic before it (l'|ho); elsewhere it begins the one after it (it|'s).
_LEFT = re.compile(r"\w+'?|'\w+")
_RIGHT = re.compile(r"'?\w+")
_APOSTROPHES = str.maketrans("’ʼ`´", "''''")
# Where letter case tells polite from plain; elsewhere it is a matter of position or style.
_CASED = {"de": frozenset({"sie", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer", "ihres"})}
_SENTENCE_START = re.compile(r"(?:^|[.!?:…])[\s\"'»«„“”‚‘’\-–—(\[¿¡*♪]*\Z")

Splitter = Callable[[str], list[str]]


def splitter(language: str) -> Splitter:
    """Sentence borders by the `sentence-splitter` package, with its English rules for a language it does not know."""
    from sentence_splitter import SentenceSplitter, SentenceSplitterException

    try:
        found = SentenceSplitter(language=language)
    except SentenceSplitterException:
        found = SentenceSplitter(language="en")
    split: Splitter = found.split
    return split


def last_sentence(output: str, split: Splitter) -> str:
    """The last sentence of an output, which is what is judged, whether or not context was translated along."""
    sentences = split(output)
    return sentences[-1] if sentences else ""


def found_by_paper(sentence: str, expected: Sequence[str]) -> bool:
    """The published rule: lower case, punctuation deleted from the output only, the form between spaces."""
    padded = f" {sentence.lower().translate(_DELETED)} "
    return any(f" {form.lower()} " in padded for form in expected)


def found_by_token(sentence: str, expected: Sequence[str], language: str) -> bool:
    """The mended rule: the form's tokens stand in a row, in the right case where the language cares."""
    tokens = _tokens(sentence, language)
    return any(_stands_in(form, sentence, tokens, language) for form in expected)


def found(sentence: str, expected: Sequence[str], language: str) -> dict[Rule, bool]:
    """The answers of both rules."""
    return {
        "paper": found_by_paper(sentence, expected),
        "token": found_by_token(_normalised(sentence), expected, language),
    }


def _stands_in(form: str, sentence: str, tokens: list[re.Match[str]], language: str) -> bool:
    wanted = [match.group() for match in _tokens(_normalised(form), language)]
    if not wanted:
        return False
    cased = form.lower() in _CASED.get(language, frozenset())
    for start in range(len(tokens) - len(wanted) + 1):
        got = [match.group() for match in tokens[start : start + len(wanted)]]
        if [token.lower() for token in got] != [token.lower() for token in wanted]:
            continue
        # At the start of a sentence every word is capitalised, so case says nothing there.
        if not cased or got == wanted or _SENTENCE_START.search(sentence[: tokens[start].start()]):
            return True
    return False


def _tokens(text: str, language: str) -> list[re.Match[str]]:
    return list((_LEFT if language in _ELIDING else _RIGHT).finditer(text))


def _normalised(text: str) -> str:
    return unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
