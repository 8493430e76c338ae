"""Texts with slots: compiled once, then filled for every combination of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from referee.build.templates.contractions import marks, rewritten
from referee.build.templates.wordlists import ENGLISH, WordEntry, WordList
from referee.errors import InputError
from referee.languages import Language

IT = "it"
"""The name that words agree with to follow the pronoun, whose gender is that of the candidate."""

Slots = Mapping[str, WordList]
Filling = Mapping[str, WordEntry]
Part = str | Callable[[Filling, str], str]

_SLOT = re.compile(r"\{(?P<name>\w+)(?:\.(?P<form>[\w.]+))?(?::(?P<agrees>\w+))?\}")
_BRACE = re.compile(r"[{}]")
_ENGLISH_IT = re.compile(r"\b[Ii]t\b")
_THE = re.compile(r"\b[Tt]he $")
_NEVER = re.compile(r"(?!)")
_VOWEL = re.compile(r"[aeiou]|hour|honest|heir", re.IGNORECASE)
_CONSONANT = re.compile(r"uni(?!m|n)|use|util|ukul|eu|one\b|u-", re.IGNORECASE)


@dataclass(frozen=True)
class SlotSpan:
    """The span of a slot (or of `it`) in a finished text."""

    slot: str
    start: int
    end: int


Filled = tuple[str, tuple[SlotSpan, ...]]


@dataclass(frozen=True)
class SlotText:
    """A text with slots. `marked` are the slots whose spans are returned; marks stand around them."""

    parts: tuple[Part, ...]
    marked: tuple[str, ...]
    uses: tuple[str, ...]
    joined: Callable[[str], str] | None

    def fill(self, words: Filling, gender: str = "") -> Filled:
        """The text with its slots filled, and the spans of the marked slots."""
        text = "".join([part if isinstance(part, str) else part(words, gender) for part in self.parts])
        if self.joined is not None:
            text = self.joined(text)
        spans = []
        for number, slot in enumerate(self.marked):
            begin, end = marks(number)
            start = text.index(begin)
            text = text[:start] + text[start + 1 :]
            stop = text.index(end)
            text = text[:stop] + text[stop + 1 :]
            spans.append(SlotSpan(slot, start, stop))
        return text[:1].upper() + text[1:], tuple(spans)


def english(text: str, slots: Slots, nouns: Sequence[str], *, pronoun: bool) -> SlotText:
    """Compile an English text; `nouns` are the slots whose spans are returned, with `pronoun` also that of *it*."""

    def part(name: str, form: str, agrees: str) -> Part:
        if name in slots and not agrees:
            if form:
                _check_columns(text, name, slots[name], [f"{ENGLISH}.{form}"])
            return lambda words, _: words[name].in_english(form)
        if name == "an" and agrees in slots:
            return lambda words, _: _article(words[agrees])
        raise _unknown(text, slots)

    parts, marked = _compile(text, part, nouns, _THE)
    uses = _used(text, slots)
    if pronoun:
        for index, piece in enumerate(parts):
            if isinstance(piece, str) and (match := _ENGLISH_IT.search(piece)):
                begin, end = marks(len(marked))
                parts[index] = f"{piece[: match.start()]}{begin}{match[0]}{end}{piece[match.end() :]}"
                marked.append(IT)
                break
    return SlotText(tuple(parts), tuple(marked), uses, None)


def target(text: str, language: Language, slots: Slots, nouns: Sequence[str]) -> SlotText:
    """Compile a text of the target language."""

    def part(name: str, form: str, agrees: str) -> Part:
        if name in slots:
            _check_columns(text, name, slots[name], _columns(name, form, agrees, slots, language))
            return _word(name, form, agrees)
        forms = language.forms(name, form)
        if forms is None:
            raise _unknown(text, slots, language)
        if agrees in ("", IT):
            if not set(language.genders) <= set(forms):
                raise InputError(f"the table '{name}' lacks a gender ({text!r})", "add the gender to language.toml")
            return lambda _, gender: forms[gender]
        return _agreeing(name, forms, agrees, text)

    def checked(name: str, form: str, agrees: str) -> Part:
        if agrees and agrees != IT and agrees not in slots:
            raise _unknown(text, slots, language)
        return part(name, form, agrees)

    parts, marked = _compile(text, checked, nouns)
    changes = language.contractions.changes
    joined = (lambda text: rewritten(text, changes)) if changes else None
    return SlotText(tuple(parts), tuple(marked), _used(text, slots), joined)


def _used(text: str, slots: Slots) -> tuple[str, ...]:
    named = {match[part] for match in _SLOT.finditer(text) for part in ("name", "agrees") if match[part]}
    return tuple(slot for slot in slots if slot in {name[0].lower() + name[1:] for name in named})


def _columns(name: str, form: str, agrees: str, slots: Slots, language: Language) -> list[str]:
    """The columns that a mention of a word needs."""
    # A form that is the same for all genders has one column for all.
    if form and (not agrees or form in slots[name].columns):
        return [form]
    if not agrees:
        return []
    of_slot = () if agrees == IT else slots[agrees].words
    genders = language.genders if agrees == IT else dict.fromkeys(noun.gender for noun in of_slot if noun.gender)
    return [f"{form}.{gender}" if form else gender for gender in genders]


def _check_columns(text: str, slot: str, words: WordList, wanted: list[str]) -> None:
    """Refuse a form without a column; where only a cell is empty, the word is the form."""
    if missing := next((column for column in wanted if column not in words.columns), None):
        columns = ", ".join(words.columns)
        problem = f"slot '{slot}' has no form '{missing}' ({text!r}), '{words.name}' has the columns {columns}"
        raise InputError(problem, "correct the form, or add a column, whose cells may be empty")


def _word(name: str, form: str, agrees: str) -> Part:
    if not agrees:
        return lambda words, _: _form(words[name], form) if form else _form(words[name])

    def agreeing(words: Filling, gender: str) -> str:
        wanted = gender if agrees == IT else words[agrees].gender or ""
        return _form(words[name], f"{form}.{wanted}", form) if form else _form(words[name], wanted)

    return agreeing


def _form(word: WordEntry, *wanted: str) -> str:
    form = word.form(*wanted)
    if form is None:
        raise InputError(
            f"'{word.english}' has neither a form '{wanted[0] if wanted else 'word'}' nor a word",
            "add it to the word list",
        )
    return form


def _agreeing(name: str, forms: Mapping[str, str], slot: str, text: str) -> Part:
    def agreeing(words: Filling, _: str) -> str:
        gender = words[slot].gender
        if gender is None or gender not in forms:
            problem = f"'{name}' has no form for '{words[slot].english}', whose gender is {gender or 'not given'}"
            raise InputError(f"{problem} ({text!r})", "add the form or the gender")
        return forms[gender]

    return agreeing


def _compile(
    text: str, part: Callable[[str, str, str], Part], nouns: Sequence[str], determiner: re.Pattern[str] = _NEVER
) -> tuple[list[Part], list[str]]:
    """The parts in order, with marks around the first mention of a noun and the article before it."""
    parts: list[Part] = []
    marked: list[str] = []
    end = 0
    article: tuple[str, int] | None = None
    for match in _SLOT.finditer(text):
        between = text[end : match.start()]
        name, form, agrees = match["name"], match["form"] or "", match["agrees"] or ""
        capital = name[0].isupper()
        name = name[0].lower() + name[1:]
        parts.append(between)
        filler = part(name, form, agrees)
        # An article belongs to the noun directly after it.
        start = article[1] if article is not None and article[0] == name and between == " " else len(parts)
        parts.append(_capitalised(filler) if capital else filler)
        article = (agrees, len(parts) - 1) if agrees in nouns and agrees not in marked else None
        if name in nouns and name not in marked and not agrees:
            if start == len(parts) - 1 and (written := determiner.search(between)):
                parts[start - 1 : start] = [between[: written.start()], written[0]]
            opening, closing = marks(len(marked))
            parts[start:] = [opening, *parts[start:], closing]
            marked.append(name)
        end = match.end()
    parts.append(text[end:])
    if any(isinstance(piece, str) and _BRACE.search(piece) for piece in parts):
        raise InputError(
            f"{text!r} has a brace that does not enclose a slot", "write {slot}, {slot.form} or {word.form:slot}"
        )
    return parts, marked


def _capitalised(part: Part) -> Part:
    def capital(words: Filling, gender: str) -> str:
        text = part if isinstance(part, str) else part(words, gender)
        return text[:1].upper() + text[1:]

    return capital


def _article(word: WordEntry) -> str:
    if article := word.forms.get("en.an"):
        return article
    return "an" if _VOWEL.match(word.english) and not _CONSONANT.match(word.english) else "a"


def _unknown(text: str, slots: Slots, language: Language | None = None) -> InputError:
    tables = [] if language is None else [*language.words, IT]
    names = ", ".join([*slots, *tables])
    return InputError(f"{text!r} is neither a slot nor a table with that case", f"use one of {names}")
