"""Whether a translation contains the expected form: the published rule of CTXPRO, and one that corrects its faults.

`paper` reproduces published numbers, with the sentences of the published splitter. `token` looks for whole words by the
rules of their script: elided forms (`t'`, `l'`) and contractions are separated from their neighbours, and German `Sie`
is not `sie`. The published rule needs spaces on both sides of a form. Where the script or attached particles leave
none, nothing was published, and both rules are the same.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from referee import languages
from referee.languages import script
from referee.languages.paper_sentences import paper_splitter
from referee.languages.script import normalised
from referee.languages.sentences import Splitter
from referee.languages.text import starts_sentence
from referee.verdicts import Rule

_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")


def with_context(output: str, split: Splitter) -> tuple[str, str]:
    """Split an output into the context and its last sentence, which is the one that is evaluated."""
    *context, sentence = split(output) or [""]
    return "".join(context).strip(), sentence.strip()


def paper_sentence(output: str, expected: Sequence[str], language: str) -> str | None:
    """The last sentence by the published splitter; None where the published rule does not apply."""
    if not _is_published(expected, language):
        return None
    sentences = paper_splitter(language)(output)
    return sentences[-1] if sentences else ""


def found_by_paper(sentence: str, expected: Sequence[str]) -> bool:
    """The published rule: lower case, punctuation deleted from the output only, the form between spaces."""
    padded = f" {_PUNCTUATION.sub('', sentence.lower())} "
    return any(f" {form.lower()} " in padded for form in expected)


def found_by_token(sentence: str, expected: Sequence[str], language: str) -> bool:
    """The corrected rule: the form occurs as whole words, in the correct case where case distinguishes pronouns."""
    text = normalised(sentence)
    return any(_stands_in(normalised(form), text, language) for form in expected)


def hits(sentence: str, expected: Sequence[str], language: str, paper: str | None = None) -> dict[Rule, bool]:
    """Whether each rule finds an expected form in the sentence; `paper` is the one that the published rule searches."""
    token = found_by_token(sentence, expected, language)
    if not _is_published(expected, language):
        return {"paper": token, "token": token}
    return {"paper": found_by_paper(sentence if paper is None else paper, expected), "token": token}


def _is_published(expected: Sequence[str], language: str) -> bool:
    return all(script.separates_words(form, language) for form in expected)


def _stands_in(form: str, text: str, language: str) -> bool:
    # Only where letter case tells polite from plain; elsewhere it is a matter of position or style.
    pronouns = languages.language(language).pronouns
    cased = pronouns is not None and form.lower() in pronouns.cased
    for match in script.whole_words(form, language).finditer(text):
        word = match.group()
        # At the start of a sentence every word is capitalised, so case says nothing there.
        if not cased or word == form or script.is_shouted(word) or starts_sentence(text, match.start()):
            return True
    return False
