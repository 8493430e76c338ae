"""Latin letters that slipped into Cyrillic words."""

from __future__ import annotations

import re

from referee.items import is_mixed_script

_TWINS = str.maketrans("ABCEHKMOPTXYacekopxy", "АВСЕНКМОРТХУасекорху")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z]")


def normalise_cyrillic(text: str) -> str:
    """Replaces Latin letters by the Cyrillic ones they look like, in words that mix both scripts.

    A word with a Latin letter that resembles no Cyrillic one is left alone: it is foreign, not mistyped.
    """
    return _WORD.sub(lambda word: _mended(word[0]), text) if is_mixed_script(text) else text


def _mended(word: str) -> str:
    if not is_mixed_script(word):
        return word
    mended = word.translate(_TWINS)
    return word if _LATIN.search(mended) else mended
