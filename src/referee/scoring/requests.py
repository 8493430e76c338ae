"""Requests to a model from items, and scores from its answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.items import GAP, Item
from referee.protocols import Blank, ChooseOption, ScoreCandidates, ScorePair, ScoreText, TranslateDoc
from referee.scoring.options import Norm, ScoringOptions


def pairs(item: Item, options: ScoringOptions) -> list[ScorePair]:
    """One translation per candidate, each with the preceding sentences of both sides."""
    given = _context(item.target_context, options)
    source = _context(item.source_context, options) + item.source
    return [
        ScorePair(source, candidate.text, item.source_lang, item.target_lang, given, item.id)
        for candidate in item.candidates
    ]


def texts(item: Item, options: ScoringOptions) -> list[ScoreText]:
    """One text per candidate, after the preceding sentences, which are not scored.

    With the part `partial`, only what follows the filled gap is scored.
    """
    given = _context(item.source_context, options)
    from_gap = item.task == "fill" and options.part == "partial"
    starts = [item.source.index(GAP) + len(one.text) if from_gap else 0 for one in item.candidates]
    return [
        ScoreText(given + item.text_with(candidate), len(given) + start, item.id, item.source_lang)
        for candidate, start in zip(item.candidates, starts, strict=True)
    ]


def blank(item: Item, options: ScoringOptions) -> Blank:
    """The sentence with its gap after the preceding ones, and the words to compare there."""
    words = tuple(candidate.text for candidate in item.candidates)
    return Blank(item.source, words, _context(item.source_context, options), item.source_lang)


def source(item: Item, options: ScoringOptions) -> TranslateDoc:
    """The sentence to translate, after its context."""
    context = item.source_context[-options.context :] if options.context else ()
    return TranslateDoc((*context, item.source), item.source_lang, item.target_lang, options.separator)


def candidates(item: Item, options: ScoringOptions) -> ScoreCandidates:
    """All candidates of an item for one call: with its source, its sentence with the gap, or premise and question."""
    context = item.source_context[-options.context :] if options.context else ()
    source = _premise_and_question(item) if item.task == "choose" else item.source
    texts = tuple(candidate.text for candidate in item.candidates)
    return ScoreCandidates(source, texts, context, options.separator, item.id)


def question(item: Item, options: ScoringOptions) -> ChooseOption:
    """The question in words which candidate is correct."""
    options_ = tuple(candidate.text for candidate in item.candidates)
    given = _context(item.source_context, options)
    if item.task == "translate":
        return ChooseOption(
            f"Which is the right translation into '{item.target_lang}'?\n{given}{item.source}", options_
        )
    if item.task == "fill":
        return ChooseOption(f"Which fills the gap '{GAP}'?\n{given}{item.source}", options_)
    return ChooseOption(given + _premise_and_question(item), options_)


def normalised(logprobs: Sequence[float], text: str, norm: Norm) -> float:
    """A score, higher is better, from the log-probabilities of a text's tokens."""
    total = math.fsum(logprobs)
    if norm == "sum":
        return total
    return total / (len(logprobs) if norm == "ppl" else max(1, len(text)))


def _context(sentences: tuple[str, ...], options: ScoringOptions) -> str:
    kept = sentences[-options.context :] if options.context else ()
    return "".join(sentence + options.separator for sentence in kept)


def _premise_and_question(item: Item) -> str:
    """The premise of an item and the question about it, in words."""
    named = {"cause": "What was the cause?", "effect": "What happened as a result?"}
    wording = named.get(item.question or "", item.question or "Which is right?")
    return f"{item.source}\n{wording}" if item.source else wording
