"""Pronoun counts of a corpus, in words: what became of a word, and how choices compare with its translations."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.corpus.frequencies import CountComparison, GenderCount, Order, Priors
from referee.reports.format import percentage
from referee.reports.wording import vocabulary as words

FEW_PAIRS = 30_000
"""An aligner that learned from fewer pairs is unsure of rare translations; docs/frequencies.md has the figures."""


def count_verdict(comparison: CountComparison, priors: Priors) -> list[str]:
    """How choices compare with counts; that one comes from the other may not be said."""
    frequent = f"the most frequent translation of '{priors.word}' in the corpus"
    match comparison.verdict:
        case "no_choices":
            return [f"{words.capital(words.NOT_MEASURED)}: no evaluated candidates differ in gender."]
        case "no_preference":
            return [f"Gender bias {words.NOT_SIGNIFICANT}, so it is not compared with the corpus."]
    preferred, most = (words.name_of("gender", name) for name in (comparison.preferred or "", comparison.most_frequent))
    towards = f"{words.capital(words.BIASED_TOWARDS)} {preferred}"
    which = f"which is also {frequent}" if comparison.verdict == "same" else f"while {most} is {frequent}"
    return [f"{towards}, {which}.", *(_order(order, priors) for order in comparison.orders if order.rho is not None)]


def count_sentences(priors: Priors) -> list[str]:
    """What became of all occurrences of the word, and how the counts were made."""
    outcomes = {
        "pronouns of one gender": sum(count.translations for count in priors.genders),
        "of several": priors.several,
        "other words": priors.other,
        "nothing": priors.unaligned,
        "not aligned": priors.skipped,
    }
    became = ", ".join(f"{name} {count:,}" for name, count in outcomes.items())
    sentences = [f"'{priors.word}' occurs {priors.occurrences:,} times and became: {became}.", _ratio(priors.genders)]
    if priors.other_words:
        translations = ", ".join(f"{_printable(word)} {count:,}" for word, count in priors.other_words.items())
        sentences.append(f"Other words: {translations}.")
    if priors.skipped_lines:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in priors.skipped_lines.items())
        sentences.append(f"Lines with '{priors.word}' that were not aligned: {reasons}.")
    sentences.append(ambiguity(priors))
    if priors.mended:
        sentences.append(f"Latin letters in Cyrillic words were corrected in {priors.mended:,} lines.")
    return [sentence for sentence in (*sentences, _alignment(priors)) if sentence]


def ambiguity(priors: Priors) -> str:
    """Which pronouns are counted in the text though they may mean something else; nothing where none are."""
    forms = ", ".join(form for count in priors.genders if count.ambiguous for form in count.forms)
    if not forms:
        return ""
    polite = f" Its polite use ({priors.polite:,}) is not counted." if priors.polite else ""
    return f"* {forms} is ambiguous, so its count in the whole text says little.{polite}"


def _ratio(genders: Sequence[GenderCount]) -> str:
    """How many times as often as the rarest gender the others translate the word."""
    least = min(count.translations for count in genders)
    if not least:
        return ""
    names = " : ".join(words.name_of("gender", count.gender) for count in genders)
    return f"{names} = " + " : ".join(f"{count.translations / least:.1f}" for count in genders) + "."


def _alignment(priors: Priors) -> str:
    learned = "" if priors.learned_from is None else f", learned from {priors.learned_from:,} pairs"
    few = priors.learned_from is not None and priors.learned_from < FEW_PAIRS
    return f"Alignment: {priors.aligner}{learned}" + (" (few: rare translations are unreliable)." if few else ".")


def _order(order: Order, priors: Priors) -> str:
    counts = f"translations of '{priors.word}'" if order.of == "translations" else "the whole text"
    chance = percentage(order.by_chance or 0.0)
    return f"Rank correlation of bias and counts in {counts}: rho = {order.rho:+.2f}, as high by chance in {chance}."


def _printable(word: str) -> str:
    """A word of a corpus, which may hold anything, without what would move the cursor of a terminal."""
    return "".join(letter for letter in word if letter.isprintable())
