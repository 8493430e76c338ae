"""Pronoun counts in training data, by gender: in the text, and as translations of a word (Wino-X, Table 14).

What a model chooses can be compared with these counts; `pronoun_counts.py` makes them from a corpus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import factorial
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from referee.analysis.bias.bias import Bias, ValueBias
from referee.errors import InputError
from referee.io.decoding import explained
from referee.io.files import atomic_write, existing, read_bytes
from referee.stats.intervals import Interval

_SCHEMA = 1

Count = Annotated[int, msgspec.Meta(ge=0)]


class GenderCount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One gender: its pronouns in the text, and those that translate the word.

    Shares are of all genders; there is none of the text where a form of any gender is `ambiguous`.
    """

    gender: Literal["m", "f", "n"]
    forms: tuple[str, ...]
    ambiguous: bool
    absolute: Count
    absolute_share: float | None
    absolute_interval: Interval | None
    translations: Count
    share: float | None
    interval: Interval | None


class CorpusFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that was counted, by name and content."""

    name: str
    sha256: str


class Priors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was counted in a corpus.

    Of all `occurrences` of the word, those that are no pronoun of one gender were translated by an `other` word, by
    pronouns of `several` genders, were `unaligned`, or stand in lines that were `skipped`. `polite` pronouns count for
    no gender. `mended` lines had Latin letters in Cyrillic words. `learned_from` is None where links came from a file.
    """

    schema: Literal[1] = 1
    source_lang: str
    target_lang: str
    word: str
    corpus: tuple[CorpusFile, ...]
    lines: Count
    genders: tuple[GenderCount, ...]
    polite: Count
    occurrences: Count
    other: Count
    several: Count
    unaligned: Count
    skipped: Count
    other_words: dict[str, Count]
    skipped_lines: dict[str, Count]
    mended: Count
    aligner: str
    learned_from: Count | None

    def __post_init__(self) -> None:
        names = [count.gender for count in self.genders]
        if len(names) < 2 or len(set(names)) != len(names):
            raise ValueError("genders: expected two or more, each once")
        parts = self.other + self.several + self.unaligned + self.skipped
        if self.occurrences != parts + sum(count.translations for count in self.genders):
            raise ValueError("occurrences: differs from the sum of its parts")


class Order(msgspec.Struct, frozen=True):
    """Whether genders are preferred in the order of their counts: Spearman's rho, None where it is undefined.

    `by_chance` is how likely as high a rho is if every order is as likely as any other.
    """

    of: Literal["translations", "absolute"]
    rho: float | None
    by_chance: float | None


class CountComparison(msgspec.Struct, frozen=True):
    """What a model prefers against what a corpus has: `preferred` is the gender that it is biased towards.

    `most_frequent` is the gender that most often translates the word.
    """

    verdict: Literal["no_choices", "no_preference", "same", "different"]
    preferred: str | None
    most_frequent: str
    orders: list[Order]


def read_priors(path: Path) -> Priors:
    """Read what `referee estimate priors --out` wrote."""
    remedy = "create it with `referee estimate priors --out FILE`"
    try:
        record = msgspec.json.decode(read_bytes(path))
        version = record.get("schema") if isinstance(record, dict) else None
        if isinstance(version, int) and version != _SCHEMA:
            problem = f"has version {version}, but this referee reads version {_SCHEMA}"
            raise InputError(problem, "create it again with `referee estimate priors --out FILE`", existing(path))
        return msgspec.convert(record, Priors)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise explained(error, remedy).at(existing(path)) from None


def write_priors(priors: Priors, path: Path) -> None:
    """Write the file, whole or not at all."""
    with atomic_write(path) as file:
        file.write(_content(priors))


def wrote_priors(path: Path) -> bool:
    """Whether `write_priors` wrote a file: it has exactly that form."""
    try:
        content = path.read_bytes()
        return _content(msgspec.json.decode(content, type=Priors)) == content
    except (OSError, ValueError, RecursionError):
        return False


def _content(priors: Priors) -> bytes:
    return msgspec.json.format(msgspec.json.encode(priors), indent=2) + b"\n"


def gender_values(biases: Sequence[Bias]) -> Mapping[str, ValueBias]:
    """By gender, how often it was chosen and correct; nothing where candidates do not differ in gender."""
    return {value.value: value for bias in biases if bias.feature == "gender" for value in bias.values}


def compare_with_counts(biases: Sequence[Bias], priors: Priors) -> CountComparison:
    """Compare the gender that a model is biased towards with the counts of a corpus."""
    gender = next((bias for bias in biases if bias.feature == "gender"), None)
    most_frequent = max(priors.genders, key=lambda count: count.translations).gender
    if gender is None or gender.biased_towards is None:
        return CountComparison("no_choices" if gender is None else "no_preference", None, most_frequent, [])
    verdict: Literal["same", "different"] = "same" if gender.biased_towards == most_frequent else "different"
    return CountComparison(verdict, gender.biased_towards, most_frequent, orders(biases, priors))


def orders(biases: Sequence[Bias], priors: Priors) -> list[Order]:
    """Correlate what is chosen more often than expected with the translations of the word and (if clear) the text."""
    values = gender_values(biases)
    shared = [count for count in priors.genders if count.gender in values]
    preferred = [values[count.gender].difference for count in shared]
    correlations = [_order("translations", preferred, [count.translations for count in shared])]
    if not any(count.ambiguous for count in priors.genders):
        correlations.append(_order("absolute", preferred, [count.absolute for count in shared]))
    return correlations


def _order(of: Literal["translations", "absolute"], preferred: Sequence[float], counts: Sequence[int]) -> Order:
    # A rank correlation of equal values is undefined, and scipy warns.
    if len(set(preferred)) < 2 or len(set(counts)) < 2:
        return Order(of, None, None)
    from itertools import permutations

    from scipy.stats import spearmanr

    rho = float(spearmanr(preferred, counts).statistic)
    # So few genders that all orders can be tried.
    as_high = sum(spearmanr(order, counts).statistic >= rho - 1e-9 for order in permutations(preferred))
    return Order(of, rho, as_high / factorial(len(preferred)))
