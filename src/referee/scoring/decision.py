"""Verdicts from answers: scores, translations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from referee.items import Item
from referee.languages.sentences import splitter
from referee.protocols import Translated, Translation
from referee.scoring import candidate_match, form_match, no_antecedent
from referee.verdicts import Rule, Verdict

NOT_A_NUMBER = "score is NaN"
"""Why an item is dropped that has a score without a value."""


def contrastive(
    item: str,
    scores: Sequence[float],
    gold: int | None,
    *,
    higher: bool,
    token_scores: tuple[tuple[float, ...], ...] = (),
) -> Verdict:
    """Choose the candidate with the best score; a tie for the best chooses none, and is incorrect.

    NaN compares with nothing, so an item with such a score has no best candidate and is dropped.
    """
    if any(map(math.isnan, scores)):
        return Verdict(item=item, kind="contrastive", dropped=NOT_A_NUMBER)
    best = max(scores) if higher else min(scores)
    winners = [index for index, score in enumerate(scores) if score == best]
    tied = len(winners) > 1
    choice = None if tied else winners[0]
    # Equal scores share the better rank, as in a race.
    ranks = tuple(1 + sum((other > score) if higher else (other < score) for other in scores) for score in scores)
    return Verdict(
        item=item,
        kind="contrastive",
        correct=None if gold is None else choice == gold,
        tied=tied,
        choice=choice,
        scores=tuple(scores),
        ranks=ranks,
        token_scores=token_scores,
    )


def compared(
    item: Item, scores: Sequence[float], *, higher: bool, token_scores: tuple[tuple[float, ...], ...] = ()
) -> Verdict:
    """Choose the best candidate of an item; candidates with the same text are one answer."""
    answers = item.answers
    verdict = contrastive(item.id, scores, item.gold, higher=higher, token_scores=token_scores)
    if len(set(answers)) == len(answers) or verdict.dropped:
        return verdict
    if len(set(answers)) == 1:
        return Verdict(item=item.id, kind="contrastive", dropped="all candidates are the same")
    gold = None if item.gold is None else answers[item.gold]
    best = {answers[index] for index, rank in enumerate(verdict.ranks) if rank == 1}
    (choice,) = best if len(best) == 1 else (None,)
    return msgspec.structs.replace(
        verdict,
        correct=None if gold is None else choice == gold,
        tied=len(best) > 1,
        choice=item.gold if choice is not None and choice == gold else choice,
    )


def generative(item: str, output: str, hits: dict[Rule, bool]) -> Verdict:
    """Verdict of the published rule on a translation; the results of both rules are kept in it."""
    return Verdict(item=item, kind="generative", correct=hits["paper"], output=output, found=hits)


def chosen(item: Item, sentence: str, *, antecedent: bool | None = None) -> Verdict:
    """Verdict on a translation that should use one of the candidates; using none or several is incorrect.

    Where the pronoun has no antecedent, other means can be correct, and nothing is decided where nothing renders it.
    """
    if no_antecedent.has_no_antecedent(item):
        rendering = no_antecedent.rendering(item, sentence)
        hits, correct, means = rendering.candidates, rendering.correct, rendering.means
    else:
        hits, means = _one_each(item, candidate_match.choose(item, sentence)), None
        correct = None if item.gold is None else hits == [item.gold]
    return Verdict(
        item=item.id,
        kind="generative",
        correct=correct,
        tied=len(hits) > 1,
        choice=hits[0] if len(hits) == 1 else None,
        output=sentence,
        antecedent=antecedent,
        means=means,
    )


def _one_each(item: Item, hits: list[int]) -> list[int]:
    """The matched candidates, one for each text: the correct one if it is among those with its text."""
    by_answer: dict[int, int] = {}
    for index in hits:
        answer = item.answers[index]
        by_answer[answer] = index if index == item.gold else by_answer.get(answer, index)
    return list(by_answer.values())


def can_match(item: Item) -> bool:
    """Whether a translation of the item can be evaluated: it names an expected form, or has candidates."""
    return bool(item.expected) or (item.task == "translate" and bool(item.candidates))


def matched(item: Item, output: Translated, separator: str = " ") -> Verdict:
    """Verdict on a translation, of which the last sentence counts, or what follows the last visible separator."""
    if not can_match(item):
        return Verdict(item=item.id, kind="generative", dropped="no expected form")
    if isinstance(output, str):
        output = Translation(output)
    context, found, sentence = output.text.rpartition(separator.strip() or "\0")
    paper = None
    if not found:
        context, sentence = form_match.with_context(output.text, splitter(item.target_lang))
        paper = form_match.paper_sentence(output.text, item.expected, item.target_lang)
    if item.expected:
        verdict = generative(item.id, sentence, form_match.hits(sentence, item.expected, item.target_lang, paper))
    else:
        verdict = chosen(item, sentence.strip(), antecedent=candidate_match.antecedent_used(item, context))
    return msgspec.structs.replace(verdict, truncated=True) if output.truncated else verdict
