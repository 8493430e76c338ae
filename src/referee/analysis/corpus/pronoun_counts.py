"""From a parallel corpus to pronoun counts: one reading for the text, a second for the translations of a word."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import regex

from referee.analysis.corpus.frequencies import CorpusFile, GenderCount, Priors
from referee.annotate.align.aligner import Aligner, learn
from referee.annotate.align.blocks import Pair
from referee.annotate.align.corpus import Parallel, evenly
from referee.annotate.align.links import Link, read_pharaoh
from referee.annotate.align.tokens import TokenSpan, spaced_spans, token_spans, words
from referee.errors import InputError
from referee.io.files import content_sha256
from referee.io.progress import Bars, Progress, no_bars
from referee.io.text import recordable
from referee.languages.pronouns import GENDERS, POLITE, mentions, pronouns_of
from referee.languages.schema import Pronouns
from referee.languages.script import any_of
from referee.stats.intervals import Interval
from referee.stats.worst_group import mean_interval

LEARN_FROM = 100_000
LONGEST = 100
_BATCH = 10_000
"""Sentence pairs that are aligned at a time."""
_OTHER_WORDS = 10
_LETTER = regex.compile(r"[\p{L}\p{N}]")

_Kinds = Counter[tuple[int, ...]]
"""Number of lines by their pronouns of each gender."""


@dataclass(frozen=True)
class Question:
    """Count translations of `word`; the aligner learns from `learn_from` pairs of at most `longest` tokens."""

    source_lang: str
    target_lang: str
    word: str = "it"
    learn_from: int = LEARN_FROM
    longest: int = LONGEST


@dataclass(frozen=True)
class _Line:
    """A line whose source has the word; `links` are None where it was not aligned, for the reason in `skipped`."""

    source: str
    target: str
    source_spans: Sequence[TokenSpan]
    target_spans: Sequence[TokenSpan]
    links: Sequence[Link] | None = None
    skipped: str = ""

    def pair(self) -> Pair:
        return words(self.source, self.source_spans), words(self.target, self.target_spans)


def count_priors(
    corpus: Parallel, question: Question, *, normalise: Callable[[str], str] = str, bars: Bars = no_bars
) -> Priors:
    """Counts in a corpus of source, target and (where another aligner made it) alignment.

    `normalise` corrects a target text before it is read.
    """
    pronouns = pronouns_of(question.target_lang)
    genders = [gender for gender in GENDERS if gender in pronouns.nominative]
    with bars("counting pronouns") as progress:
        text = _Text(genders, question)
        text.read(corpus, normalise, progress)
    if len(corpus.paths) > 2:
        name, learned_from = f"links from {corpus.paths[2].name}", None
        with bars("reading the alignment") as progress:
            translated = _Translations(genders, question)
            translated.read(_linked(corpus, _word(question.word, question.source_lang), normalise, progress))
    else:
        with bars("training the aligner") as progress:
            aligner = _learned(text.sample, corpus, progress)
        name, learned_from = "fast_align's model learned by agreement, grow-diag-final-and", len(text.sample)
        with bars("aligning") as progress:
            translated = _Translations(genders, question)
            translated.read(_aligned(corpus, question, aligner, normalise, progress))
    return Priors(
        source_lang=question.source_lang,
        target_lang=question.target_lang,
        word=question.word,
        corpus=tuple(CorpusFile(recordable(path.name), content_sha256(path)) for path in corpus.paths),
        lines=len(corpus),
        genders=_counts(genders, pronouns, text.kinds, translated.kinds),
        polite=text.polite,
        occurrences=translated.occurrences,
        other=translated.outcomes["other"],
        several=translated.outcomes["several"],
        unaligned=translated.outcomes["unaligned"],
        skipped=translated.outcomes["skipped"],
        other_words=dict(
            sorted(translated.other_words.items(), key=lambda entry: (-entry[1], entry[0]))[:_OTHER_WORDS]
        ),
        skipped_lines=dict(sorted(translated.skipped_lines.items())),
        mended=text.mended,
        aligner=name,
        learned_from=learned_from,
    )


class _Text:
    """The pronouns of all target lines, and a sample of pairs for the aligner."""

    def __init__(self, genders: Sequence[str], question: Question) -> None:
        self.genders = genders
        self.question = question
        self.kinds: _Kinds = Counter()
        self.polite = self.mended = 0
        self.sample: list[Pair] = []

    def read(self, corpus: Parallel, normalise: Callable[[str], str], progress: Progress) -> None:
        # With links from elsewhere nothing is learned.
        wanted = self.question.learn_from if len(corpus.paths) == 2 else 0
        for (source, target, *_), sampled in zip(corpus.read(progress), evenly(len(corpus), wanted), strict=True):
            normalised = normalise(target)
            self.mended += normalised != target
            if hits := Counter(mention.gender for mention in mentions(normalised, self.question.target_lang)):
                self.polite += hits[POLITE]
                self.kinds[tuple(hits[gender] for gender in self.genders)] += 1
            if sampled and not (line := _tokenised(source, normalised, self.question)).skipped:
                self.sample.append(line.pair())


class _Translations:
    """What became of every occurrence of the word."""

    def __init__(self, genders: Sequence[str], question: Question) -> None:
        self.genders = genders
        self.language = question.target_lang
        self.word = _word(question.word, question.source_lang)
        self.kinds: _Kinds = Counter()
        self.occurrences = 0
        self.outcomes: Counter[str] = Counter()
        self.other_words: Counter[str] = Counter()
        self.skipped_lines: Counter[str] = Counter()

    def read(self, lines: Iterable[_Line]) -> None:
        for line in lines:
            starts = [match.start() for match in self.word.finditer(line.source)]
            self.occurrences += len(starts)
            if line.links is None:
                self.skipped_lines[line.skipped] += 1
                self.outcomes["skipped"] += len(starts)
                continue
            genders = _gendered(line, self.language)
            outcomes = Counter(self._outcome(line, token, genders) for token in _tokens(line.source_spans, starts))
            self.outcomes.update(outcomes)
            self.kinds[tuple(outcomes[gender] for gender in self.genders)] += 1

    def _outcome(self, line: _Line, token: int, genders: Mapping[int, set[str]]) -> str:
        linked = [
            target
            for target in sorted({target for source, target in line.links or () if source == token})
            # A comma translates nothing.
            if _LETTER.search(line.target, *line.target_spans[target])
        ]
        genders_linked = set().union(*(genders.get(token, set()) for token in linked))
        if not linked:
            return "unaligned"
        if genders_linked:
            return genders_linked.pop() if len(genders_linked) == 1 else "several"
        self.other_words[" ".join(words(line.target, [line.target_spans[token] for token in linked]))] += 1
        return "other"


def _gendered(line: _Line, language: str) -> dict[int, set[str]]:
    """The target tokens that are pronouns; a token of a text that was split at spaces may hold two (er/sie)."""
    genders: dict[int, set[str]] = {}
    hits = [mention for mention in mentions(line.target, language) if mention.gender != POLITE]
    for mention, token in zip(hits, _tokens(line.target_spans, (hit.start for hit in hits)), strict=True):
        genders.setdefault(token, set()).add(mention.gender)
    return genders


def _counts(genders: Sequence[str], pronouns: Pronouns, text: _Kinds, translations: _Kinds) -> tuple[GenderCount, ...]:
    absolute, translated = _shares(text, len(genders)), _shares(translations, len(genders))
    clear = not any(pronouns.is_ambiguous(gender) for gender in genders)
    return tuple(
        GenderCount(
            gender=gender,  # type: ignore[arg-type]
            forms=pronouns.nominative[gender],
            ambiguous=pronouns.is_ambiguous(gender),
            absolute=absolute[index][0],
            absolute_share=absolute[index][1] if clear else None,
            absolute_interval=absolute[index][2] if clear else None,
            translations=translated[index][0],
            share=translated[index][1],
            interval=translated[index][2],
        )
        for index, gender in enumerate(genders)
    )


def _shares(kinds: _Kinds, genders: int) -> list[tuple[int, float | None, Interval | None]]:
    """Count each gender, with its share and the interval of that over lines."""
    present = sorted((kind, count) for kind, count in kinds.items() if any(kind))
    if not present:
        return [(0, None, None)] * genders
    lines = np.repeat(np.array([kind for kind, _ in present], np.float64), [count for _, count in present], axis=0)
    sums = lines.sum(axis=0).astype(int).tolist()
    sizes = lines.sum(axis=1)
    return [(count, count / sum(sums), mean_interval(lines[:, index], sizes)) for index, count in enumerate(sums)]


def _word(word: str, code: str) -> regex.Pattern[str]:
    # All in capitals it is something else: IT.
    return any_of({word, word.capitalize()}, code)


def _tokens(spans: Sequence[TokenSpan], characters: Iterable[int]) -> list[int]:
    """The tokens in which characters stand."""
    starts = [start for start, _ in spans]
    return [bisect_right(starts, character) - 1 for character in characters]


def _tokenised(source: str, target: str, question: Question) -> _Line:
    source_spans, target_spans = token_spans(source, question.source_lang), token_spans(target, question.target_lang)
    skipped = ""
    if not (source_spans and target_spans):
        skipped = "empty"
    elif max(len(source_spans), len(target_spans)) > question.longest:
        skipped = f"longer than {question.longest} tokens"
    return _Line(source, target, source_spans, target_spans, skipped=skipped)


def _learned(sample: Sequence[Pair], corpus: Parallel, progress: Progress) -> Aligner:
    if not sample:
        problem = "no line can be aligned, since on one side all are empty or too long"
        raise InputError(problem, "use shorter sentences, or give links with --alignment", file=corpus.paths[1])
    return learn(sample, progress)


def _aligned(
    corpus: Parallel, question: Question, aligner: Aligner, normalise: Callable[[str], str], progress: Progress
) -> Iterator[_Line]:
    """The lines with the word: only these are aligned."""
    word = _word(question.word, question.source_lang)
    having = (
        _tokenised(source, normalise(target), question)
        for source, target in corpus.read(progress)
        if word.search(source)
    )
    while batch := list(islice(having, _BATCH)):
        fitting = [line for line in batch if not line.skipped]
        links = iter(aligner.align([line.pair() for line in fitting]))
        for line in batch:
            yield line if line.skipped else replace(line, links=next(links))


def _linked(
    corpus: Parallel, word: regex.Pattern[str], normalise: Callable[[str], str], progress: Progress
) -> Iterator[_Line]:
    """The lines with the word and what another aligner said of them; every line is checked."""
    for number, (source, target, alignment) in enumerate(corpus.read(progress), 1):
        source_spans, target_spans = spaced_spans(source), spaced_spans(target)
        try:
            links = read_pharaoh(alignment, len(source_spans), len(target_spans))
        except ValueError as error:
            remedy = "use the texts that the aligner read, with a space between tokens"
            raise InputError(str(error), remedy, corpus.paths[2], number) from None
        if word.search(source):
            yield _Line(source, normalise(target), source_spans, target_spans, links)
