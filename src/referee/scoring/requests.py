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
    """One text per candidate; with the part `partial`, what follows the filled gap is scored."""
    from_gap = item.task == "fill" and options.part == "partial"
    return [
        ScoreText(item.text_with(candidate), item.source.index(GAP) + len(candidate.text) if from_gap else 0, item.id)
        for candidate in item.candidates
    ]


def blank(item: Item) -> Blank:
    """The sentence with its gap, and the words to compare there."""
    return Blank(item.source, tuple(candidate.text for candidate in item.candidates))


def source(item: Item, options: ScoringOptions) -> TranslateDoc:
    """The sentence to translate, after its context."""
    context = item.source_context[-options.context :] if options.context else ()
    return TranslateDoc((*context, item.source), item.source_lang, item.target_lang, options.separator)


def candidates(item: Item, options: ScoringOptions) -> ScoreCandidates:
    """All candidates of an item for one call: with its source, its sentence with the gap, or premise and question."""
    context = item.source_context[-options.context :] if options.context and item.task == "translate" else ()
    source = _premise_and_question(item) if item.task == "choose" else item.source
    texts = tuple(candidate.text for candidate in item.candidates)
    return ScoreCandidates(source, texts, context, options.separator, item.id)


def question(item: Item, options: ScoringOptions) -> ChooseOption:
    """The question in words which candidate is correct."""
    options_ = tuple(candidate.text for candidate in item.candidates)
    if item.task == "translate":
        text = _context(item.source_context, options) + item.source
        return ChooseOption(f"Which is the right translation into '{item.target_lang}'?\n{text}", options_)
    if item.task == "fill":
        return ChooseOption(f"Which fills the gap '{GAP}'?\n{item.source}", options_)
    return ChooseOption(_premise_and_question(item), options_)


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
