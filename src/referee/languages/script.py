"""Words and marks by script: where a word begins and ends, which marks end a sentence, when a capital says nothing.

Everything that looks for words in a text, or for the ends of its sentences, uses these rules:

- Most scripts put spaces between words: a word is a run of letters, accents and digits.
- Chinese, Japanese, Thai, Lao, Khmer and Burmese do not. A form is found anywhere, unless that would cut a syllable
  (a vowel sign, a stacked consonant), a run of katakana, or one of the language's `compounds` (彼 in 彼女).
- Korean puts particles behind a word (`particles`), Arabic and Hebrew put conjunctions before it (`proclitics`).
- In words that are all capitals, capitals distinguish nothing, and ß is SS.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

import regex

from referee.languages import base, language

Span = tuple[int, int]

_SCRIPTS = (
    "Han", "Hiragana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet",
    "Javanese", "Balinese",
)  # fmt: skip
_KATAKANA = r"[\p{Katakana}ーｰ゛゜ﾞﾟ]"
_UNSPACED = "".join(rf"\p{{{script}}}" for script in _SCRIPTS) + "々〆ヶ"
# Joiners keep a word together (Persian); the soft hyphen does not part it.
_ANY_LETTER = r"\p{L}\p{M}\p{N}_\u200c\u200d\u00ad"
# Vowels that are written before the consonant they follow, and signs that put the next consonant below the last.
_LEADING = r"\u0e40-\u0e44\u0ec0-\u0ec4"
_STACKING = r"\u1039\u17d2\u1a60"
_TRAILING = r"\p{M}\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3"
_KILLED = r"[\u1000-\u1021\u103f]\u1037?\u103a"

UNSPACED_LETTER = rf"[{_UNSPACED}\p{{Katakana}}ーｰ゛゜ﾞﾟ]"
"""A letter of a script without spaces between words."""
LETTER = f"[{_ANY_LETTER}]"
"""A letter, accent or digit of any script."""
_NOT_AFTER_LETTER = f"(?:(?<!{LETTER})|(?<={UNSPACED_LETTER}))"
_NOT_BEFORE_LETTER = f"(?:(?!{LETTER})|(?={UNSPACED_LETTER}))"
_SYLLABLE = (
    rf"(?:[{_LEADING}]?(?!\p{{M}})[{_UNSPACED}](?:[{_TRAILING}]|(?<=[{_STACKING}])\p{{L}}|{_KILLED})*"
    rf"|[{_UNSPACED}])"
)
WORD = f"(?:{_KATAKANA}+|{_SYLLABLE}|(?:(?!{UNSPACED_LETTER}){LETTER})+)"
"""A word as far as the script tells: a run of letters, or one character where there are no spaces."""
WORD_OR_GAP = f"(?:_|{_KATAKANA}+|{_SYLLABLE}|(?:(?!{UNSPACED_LETTER}|_){LETTER})+)"
"""The same in a sentence with a gap, which is a word of its own."""

_IS_UNSPACED = regex.compile(UNSPACED_LETTER)
_IS_LETTER = regex.compile(LETTER)
_IS_KATAKANA = regex.compile(_KATAKANA)
_BEFORE_UNSPACED = f"(?<![{_LEADING}{_STACKING}])"
_AFTER_UNSPACED = f"(?![{_TRAILING}])(?!{_KILLED})"
_NEVER = regex.compile(r"(?!)")
_SPACED = regex.compile(f"{LETTER}+")
_FIRST_UNSPACED = "\u0e00"
# Vowel signs that Arabic and Hebrew mostly leave out, and the stroke that lengthens Arabic words.
_VOWELS = (
    *range(0x0591, 0x05BE),
    0x05BF,
    0x05C1,
    0x05C2,
    0x05C4,
    0x05C5,
    0x05C7,
    0x0640,
    *range(0x064B, 0x0653),
    0x0670,
)
_ONE_FORM: dict[int, str | None] = {**dict.fromkeys(map(ord, "’ʼ`´"), "'"), **dict.fromkeys(_VOWELS)}

ENDS = frozenset(".!?…。！？｡．‼⁇⁈⁉।॥؟۔։።፧፨။៕។།༎᙮᠃᠉꓿")
"""Marks that end a sentence: those of Latin, Chinese, Devanagari, Arabic, Armenian, Ethiopic, Burmese and others."""
CLOSING = frozenset("\"'”’»›)]}」』）】〕》〉］｝｣")
"""Marks that may stand between the end of a sentence and the space behind it."""


def normalised(text: str) -> str:
    """The text with accents and apostrophes written in one form, without the vowel signs of Arabic and Hebrew."""
    return unicodedata.normalize("NFC", text).translate(_ONE_FORM)


def is_unspaced(text: str) -> bool:
    """Whether a text has a character of a script that is written without spaces between words."""
    # Nearly all texts have only scripts that stand before these in Unicode.
    return max(text, default="") >= _FIRST_UNSPACED and _IS_UNSPACED.search(text) is not None


def separates_words(form: str, code: str) -> bool:
    """Whether spaces alone show the form: not so without spaces, or where particles and conjunctions are attached."""
    known = language(code)
    return not (known.particles or known.proclitics or is_unspaced(form))


def word_spans(text: str, code: str = "") -> list[Span]:
    """Where the words of a text are; without spaces, compounds of the language, else single characters."""
    return [match.span() for match in _pattern(text, code).finditer(text)]


def words(text: str, code: str = "") -> list[str]:
    """The words of a text as they are written."""
    return [match.group() for match in _pattern(text, code).finditer(text)]


def is_shouted(word: str) -> bool:
    """Whether a word is all capitals, so that they distinguish nothing; a single capital is not enough."""
    return len(word) > 1 and word.isupper()


def is_all_capitals(text: str) -> bool:
    """Whether a text with several letters has no small ones."""
    return text.isupper() and sum(map(str.isalpha, text)) > 1


def is_among(word: str, forms: frozenset[str]) -> bool:
    """Whether a word is one of some forms in small letters; HEISST is heißt."""
    return word.lower() in forms or ("SS" in word and word.casefold() in _folded(forms))


def ends_sentence(character: str) -> bool:
    """Whether a sentence may end with this mark."""
    return character in ENDS


@cache
def exact(form: str, code: str = "") -> regex.Pattern[str]:
    """The form as it is written, as whole words."""
    return any_of([form], code) if form else _NEVER


@cache
def whole_words(form: str, code: str = "") -> regex.Pattern[str]:
    """The form's words in a row in any case, between what are not letters of the same word.

    An apostrophe is a border (l'|ho, it|'s, qu'|elle), and the form may begin or end with it. Spaces and punctuation
    may stand between the words.
    """
    form = normalised(form)
    if _IS_LETTER.search(form) is None:
        return _NEVER
    gap = r"[\s\p{P}]*" if is_unspaced(form) else r"[\s\p{P}]+"
    pattern = gap.join("".join(_letter(letter, base(code)) for letter in word) for word in form.split())
    start = "" if form.startswith("'") else _start(form, code)
    end = "" if form.endswith("'") else _end(form, code)
    return regex.compile(f"{_outside_compounds(form, code)}{start}{pattern}{end}", regex.IGNORECASE)


def any_of(forms: Iterable[str], code: str = "") -> regex.Pattern[str]:
    """Any of the forms as they are written, as whole words."""
    by_border: dict[tuple[str, str], list[str]] = {}
    for form in sorted(forms):
        border = f"{_outside_compounds(form, code)}{_start(form, code)}", _end(form, code)
        by_border.setdefault(border, []).append(regex.escape(form))
    return regex.compile("|".join(f"{start}(?:{'|'.join(some)}){end}" for (start, end), some in by_border.items()))


def _outside_compounds(form: str, code: str) -> str:
    return "".join(
        f"(?!(?<={regex.escape(word[:index])}){regex.escape(word[index:])})"
        for word in sorted(language(code).compounds)
        if len(word) > len(form)
        for index in range(len(word) - len(form) + 1)
        if word.startswith(form, index)
    )


def _start(form: str, code: str) -> str:
    proclitics = language(code).proclitics
    if _IS_KATAKANA.match(form):
        return f"(?<!{_KATAKANA})"
    if is_unspaced(form[0]):
        return _BEFORE_UNSPACED
    return f"(?<={_NOT_AFTER_LETTER}(?:{_any(proclitics)})?)" if proclitics else _NOT_AFTER_LETTER


def _end(form: str, code: str) -> str:
    particles = language(code).particles
    if _IS_KATAKANA.match(form[-1]):
        return f"(?!{_KATAKANA})"
    if is_unspaced(form[-1]):
        return _AFTER_UNSPACED
    return f"(?=(?:{_any(particles)})*{_NOT_BEFORE_LETTER})" if particles else _NOT_BEFORE_LETTER


def _any(forms: Iterable[str]) -> str:
    return "|".join(map(regex.escape, sorted(forms, key=len, reverse=True)))


def _letter(letter: str, code: str) -> str:
    """A letter in any case, with the capitals that ignoring case does not know."""
    if letter == "ß":
        return "(?:ß|(?-i:SS))" if code == "de" else "ß"
    if code in ("tr", "az") and letter in "iıİI":
        return "(?-i:[iİ])" if letter in "iİ" else "(?-i:[ıI])"
    if code == "el" and (plain := unicodedata.normalize("NFD", letter)[0]) != letter:
        # Greek capitals have no accents.
        return f"(?:{regex.escape(letter)}|(?-i:{regex.escape(plain.upper())}))"
    return str(regex.escape(letter))


def _pattern(text: str, code: str) -> regex.Pattern[str]:
    return _words(base(code)) if is_unspaced(text) else _SPACED


@cache
def _words(code: str) -> regex.Pattern[str]:
    compounds = language(code).compounds
    return regex.compile(f"{_any(compounds)}|{WORD}" if compounds else WORD)


@cache
def _folded(forms: frozenset[str]) -> frozenset[str]:
    return frozenset(form.casefold() for form in forms)
