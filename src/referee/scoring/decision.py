"""An answer to a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from referee.items import Item
from referee.languages.sentences import splitter
from referee.scoring import candidate_match, form_match
from referee.verdicts import Rule, Verdict


def contrastive(
    item: str,
    scores: Sequence[float],
    gold: int | None,
    *,
    higher: bool,
    token_scores: tuple[tuple[float, ...], ...] = (),
) -> Verdict:
    """The candidate with the best score wins; where the best score is shared nobody does, and that is wrong."""
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


def generative(item: str, output: str, found: dict[Rule, bool]) -> Verdict:
    """Right where the published rule found an expected form; what the other rule found is kept beside it."""
    return Verdict(item=item, kind="generative", correct=found["paper"], output=output, found=found)


def chosen(item: Item, sentence: str, *, antecedent: bool | None = None) -> Verdict:
    """The verdict on a translation that uses one of the alternatives; using none or several is wrong."""
    hits = candidate_match.choose(item, sentence)
    choice = hits[0] if len(hits) == 1 else None
    return Verdict(
        item=item.id,
        kind="generative",
        correct=None if item.gold is None else choice == item.gold,
        tied=len(hits) > 1,
        choice=choice,
        output=sentence,
        antecedent=antecedent,
    )


def can_match(item: Item) -> bool:
    """Whether a translation of the item can be judged: it names a form, or has alternatives to tell apart."""
    return bool(item.expected) or (item.task == "translate" and bool(item.candidates))


def matched(item: Item, output: str) -> Verdict:
    """The verdict on a translation, of which the last sentence counts."""
    if not can_match(item):
        return Verdict(item=item.id, kind="generative", dropped="no expected form")
    context, sentence = form_match.with_context(output, splitter(item.target_lang))
    if not item.expected:
        return chosen(item, sentence, antecedent=candidate_match.antecedent_used(item, context))
    return generative(item.id, sentence, form_match.found(sentence, item.expected, item.target_lang))
