"""Whether a model's scores and its translations choose the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from referee.analysis.bias.preferences import OTHER, TIED
from referee.items import Item
from referee.stats.agreement import cohen_kappa
from referee.stats.groups import index_groups
from referee.stats.proportions import Proportion, proportion
from referee.verdicts import Verdict


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Two verdicts on the same items, the first by scores, the second by translations.

    `same` is how often both chose the same alternative; where translations were only looked through for expected
    forms, how often both were right or both wrong. `kappa` is Cohen's, null where chance alone explains everything.
    The last four count items with a right answer.
    """

    items: int
    same: Proportion
    kappa: float | None
    both_right: int
    only_scores: int
    only_translations: int
    both_wrong: int


def agreement(judged: Iterable[tuple[Item, Verdict, Verdict]]) -> Agreement | None:
    """None where no item was judged in both ways."""
    groups: list[str] = []
    choices: list[tuple[str, str]] = []
    right: Counter[tuple[bool, bool]] = Counter()
    for item, scored, translated in judged:
        if scored.dropped is not None or translated.dropped is not None:
            continue
        groups.append(item.group_id)
        choices.append(_choices(item, scored, translated))
        if scored.correct is not None and translated.correct is not None:
            right[scored.correct, translated.correct] += 1
    if not choices:
        return None
    index = index_groups([choice for both in zip(*choices, strict=True) for choice in both])
    first, second = index.reshape(2, -1)
    return Agreement(
        items=len(choices),
        same=proportion(first == second, index_groups(groups)),
        kappa=cohen_kappa(first, second),
        both_right=right[True, True],
        only_scores=right[True, False],
        only_translations=right[False, True],
        both_wrong=right[False, False],
    )


def _choices(item: Item, scored: Verdict, translated: Verdict) -> tuple[str, str]:
    if translated.found:
        return str(scored.correct), str(translated.correct)
    # A tie and a translation that holds nothing known are different ways of not choosing: they never agree.
    return _value(item, scored, TIED), _value(item, translated, OTHER)


def _value(item: Item, verdict: Verdict, otherwise: str) -> str:
    if verdict.choice is None:
        return otherwise
    # By gender where there is one: in some sets the right alternative always comes first.
    return item.candidates[verdict.choice].features.get("gender", str(verdict.choice))
