"""Edit scripts: how a lemma comes from a form, and how a multi-word token falls into words. A script fits many."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple


class LemmaScript(NamedTuple):
    """Lower the form or not, cut characters off both ends, add others. `cut_end` of -1 replaces the whole form."""

    lower: bool
    cut_start: int
    add_start: str
    cut_end: int
    add_end: str


KEEP = LemmaScript(lower=False, cut_start=0, add_start="", cut_end=0, add_end="")


def lemma_script(form: str, lemma: str) -> LemmaScript:
    """The script that makes this lemma of this form.

    >>> lemma_script("gemacht", "machen")
    LemmaScript(lower=False, cut_start=2, add_start='', cut_end=1, add_end='en')
    """
    lower = form != form.lower() and lemma == lemma.lower()
    base = form.lower() if lower else form
    match = SequenceMatcher(None, base, lemma, autojunk=False).find_longest_match()
    common = _common_start(base, lemma)
    if match.a and match.size >= common + 3:
        return LemmaScript(
            lower, match.a, lemma[: match.b], len(base) - match.a - match.size, lemma[match.b + match.size :]
        )
    # Endings generalise best: Häuser is Haus by five characters of its end, as Mäuse is Maus by four.
    if not common:
        return LemmaScript(lower=lower, cut_start=0, add_start="", cut_end=-1, add_end=lemma)
    return LemmaScript(lower, 0, "", len(base) - common, lemma[common:])


@lru_cache(maxsize=200_000)
def lemma(form: str, script: LemmaScript) -> str:
    """Apply a script. A form that is too short for it stays as it is.

    >>> lemma("gelacht", LemmaScript(False, 2, "", 1, "en"))
    'lachen'
    """
    lower, cut_start, add_start, cut_end, add_end = script
    base = form.lower() if lower else form
    if cut_end < 0:
        return add_end
    end = len(base) - cut_end
    if cut_start > end:
        return base
    return f"{add_start}{base[cut_start:end]}{add_end}" or base


class SplitScript(NamedTuple):
    """The first word is the token with `cut` characters off its end and others added; the further words are literal."""

    cut: int
    add: str
    further: tuple[str, ...]


WHOLE = SplitScript(0, "", ())


def split_script(token: str, words: tuple[str, ...]) -> SplitScript:
    """The script that makes these words of this token.

    >>> split_script("du", ("de", "le"))
    SplitScript(cut=1, add='e', further=('le',))
    """
    token, words = _lowered(token, words)
    first = words[0]
    common = _common_start(token, first)
    return SplitScript(len(token) - common, first[common:], words[1:])


@lru_cache(maxsize=50_000)
def split(token: str, script: SplitScript) -> tuple[str, ...]:
    """The words of a token; a token that is too short for the script stays whole.

    >>> split("Zum", SplitScript(1, "", ("dem",)))
    ('Zu', 'dem')
    """
    if not script.further:
        return (token,)
    shouted = _is_shouted(token)
    base = token.lower() if shouted else token
    if script.cut > len(base) or not (base[: len(base) - script.cut] + script.add):
        return (token,)
    words = (base[: len(base) - script.cut] + script.add, *script.further)
    return tuple(word.upper() for word in words) if shouted else words


def _common_start(one: str, other: str) -> int:
    """The number of characters that both begin with."""
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return index
    return min(len(one), len(other))


def _is_shouted(token: str) -> bool:
    return len(token) > 1 and token.isupper()


def _lowered(token: str, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Leave capitals out of the script: the words of DU are those of du."""
    return (token.lower(), tuple(word.lower() for word in words)) if _is_shouted(token) else (token, words)
