"""Whether a model's scores and its translations choose the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import msgspec

from referee.analysis.bias.preferences import OTHER, TIED
from referee.items import Item
from referee.stats.agreement import cohen_kappa
from referee.stats.groups import index_groups
from referee.stats.proportions import Proportion, proportion
from referee.verdicts import Verdict


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Two verdicts on the same items, the first by scores, the second by translations.

    `same` is how often both chose the same candidate; where translations were only looked through for expected
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


@dataclass
class Answers:
    """The results of one mode for the items of a set, in order."""

    groups: list[str] = field(default_factory=list)
    values: list[str | None] = field(default_factory=list)
    correct: list[bool | None] = field(default_factory=list)

    def add(self, item: Item, verdict: Verdict) -> None:
        """Take in the next item; one that was dropped or is not applicable has no value."""
        self.groups.append(item.group_id)
        self.correct.append(verdict.correct)
        undecided = verdict.dropped is not None or verdict.not_applicable
        self.values.append(None if undecided else _value(item, verdict))


def agreement(scored: Answers, translated: Answers) -> Agreement | None:
    """None if no item was evaluated in both modes."""
    judged = [
        index for index, values in enumerate(zip(scored.values, translated.values, strict=True)) if None not in values
    ]
    if not judged:
        return None
    choices = [_choices(scored, translated, index) for index in judged]
    pairs = [(scored.correct[index], translated.correct[index]) for index in judged]
    right = Counter(pair for pair in pairs if None not in pair)
    first, second = index_groups([choice for both in zip(*choices, strict=True) for choice in both]).reshape(2, -1)
    return Agreement(
        items=len(choices),
        same=proportion(first == second, index_groups([scored.groups[index] for index in judged])),
        kappa=cohen_kappa(first, second),
        both_right=right[True, True],
        only_scores=right[True, False],
        only_translations=right[False, True],
        both_wrong=right[False, False],
    )


def _choices(scored: Answers, translated: Answers, index: int) -> tuple[str, str]:
    """What both chose; where forms were looked for, whether both were right."""
    one, other = scored.values[index], translated.values[index]
    if other == _MATCHED:
        return str(scored.correct[index]), str(translated.correct[index])
    return str(one), str(other)


_MATCHED = "a form was looked for"


def _value(item: Item, verdict: Verdict) -> str:
    if verdict.found:
        return _MATCHED
    if verdict.choice is None:
        # A tie and a translation that holds nothing known are different ways of not choosing: they never agree.
        return TIED if verdict.kind == "contrastive" else OTHER
    # By gender where there is one: in some sets the right candidate always comes first.
    return item.candidates[verdict.choice].features.get("gender", str(verdict.choice))
