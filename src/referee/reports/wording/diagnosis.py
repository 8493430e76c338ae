"""What each outcome of a diagnosis means, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias, ValueBias
from referee.analysis.bias.priors import Prior
from referee.analysis.group_consistency import GroupConsistency
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import EVEN, Importance
from referee.analysis.scorecard import SAME, Generation
from referee.perturbations import hidden_by
from referee.reports.format import interval, p_value, percentage, percentage_points
from referee.reports.wording import vocabulary as words
from referee.stats.effect_sizes import size_of_d
from referee.stats.levels import ALPHA, MARGIN
from referee.stats.proportions import Proportion

NOTHING = "Accuracy only: this set has no features, groups, baselines or perturbations."
_KEPT = "correct before and under every perturbation"
_AS_MUCH_MORE = {"negligible": "slightly more", "small": "slightly more", "medium": "more", "large": "much more"}


def bias_verdict(bias: Bias) -> str:
    """Whether choices are biased towards a value of a feature."""
    most = max(bias.values, key=lambda value: (value.value == bias.biased_towards, value.difference))
    name = words.name_of(bias.feature, most.value)
    match bias.outcome:
        case "unassessed":
            return f"{words.capital(words.CANNOT_BE_ASSESSED)}: one value is always correct."
        case "biased":
            return f"{words.capital(words.BIASED_TOWARDS)} {name} ({bias.size} effect): {_chosen(most)}."
        case "none":
            return f"No bias: more than {percentage_points(MARGIN)} towards any value is ruled out."
    # A value that is never or always correct has no interval of its own; those of the others bear on it.
    known = [value.interval for value in bias.values if value.taken is not None and value.left is not None]
    possible = f"a bias of up to {percentage_points(max(max(-low, high) for low, high in known))} is possible"
    return f"{words.capital(words.inconclusive(bias.more_groups))}: {possible}."


def _chosen(value: ValueBias) -> str:
    shares = f"chosen {percentage(value.chosen_share)}, correct {percentage(value.right_share)}"
    # In a balanced set the two are the same.
    if abs(value.expected_share - value.right_share) >= 0.005:
        shares += f", expected at these error rates {percentage(value.expected_share)}"
    return shares


def prior_verdict(prior: Prior) -> str:
    """Whether one value is preferred where there is no correct answer."""
    name = words.name_of(prior.feature, prior.value)
    shares = f"chosen {percentage(prior.share)}, {percentage(prior.even)} in an even split"
    match prior.outcome:
        case "biased":
            return f"{words.capital(words.BIASED_TOWARDS)} {name}: {shares}."
        case "none":
            return f"No prior: more than {percentage_points(MARGIN)} above an even split is ruled out for every value."
    return f"{words.capital(words.inconclusive(prior.more_groups))}: {name} {shares}."


def artifact_verdict(artifact: Artifact) -> str:
    """Whether a model is above chance without what an item cannot be solved without."""
    removed = f"without {hidden_by(artifact.setup)}"
    full = "" if artifact.full is None else f"; {percentage(artifact.full)} on the full items"
    accuracy = percentage(artifact.accuracy)
    if artifact.above_chance is None or artifact.chance is None:
        return f"{accuracy} {removed}{full}; {words.NO_CHANCE_LEVEL}."
    chance = words.chance_words(artifact.chance)
    level = f"({chance})"
    match artifact.above_chance:
        case "items":
            return f"{words.capital(words.ABOVE_CHANCE)} {level} {removed}: {accuracy}{full}."
        case "groups":
            score, group_level = percentage(artifact.group_score or 0.0), percentage(artifact.group_chance or 0.0)
            return f"Group score {words.ABOVE_CHANCE} ({group_level}) {removed}: {score}."
        case "none":
            return f"{accuracy} {removed}, not {words.ABOVE_CHANCE} {level}{full}."
    return f"{accuracy} {removed}, {words.inconclusive_against_chance(artifact.more_groups, chance)}{full}."


def robustness_verdict(robustness: Robustness) -> str:
    """Whether accuracy is lost under perturbation."""
    count, worst = len(robustness.attacks), robustness.worst.drop
    kept = f"{percentage(robustness.consistent.share)} {_KEPT}"
    which = worst.perturbation if count == 1 else f"any of {count} perturbations"
    match robustness.effect:
        case "loses":
            most = "" if count == 1 else f" (worst of {count} perturbations)"
            return f"Loses {percentage_points(worst.difference)} under {worst.perturbation}{most}; {kept}."
        case "robust":
            margin = f"a loss of {percentage_points(MARGIN)} or more is ruled out"
            return f"Robust under {which}: {margin}; {kept}."
    possible = f"a loss of up to {percentage_points(robustness.possible)} is possible"
    correct = round(worst.before * worst.pairs)
    broken = f"{worst.broken:,} of {correct:,} correct answers broke under {worst.perturbation}"
    if not correct:
        broken = f"no answer was correct before {worst.perturbation}"
    before = ""
    if worst.p < ALPHA <= robustness.worst.p_holm:
        before = f" ({p_value(worst.p)} under {worst.perturbation} before correction for {count} perturbations)"
    return f"{words.capital(words.inconclusive(robustness.more_groups))}: {possible}{before}; {broken}."


def kept_sentence(kept: Proportion, items: int) -> str:
    """How many of the perturbed items stay correct."""
    share = f"{percentage(kept.share)} (95% CI {interval(kept.interval)})"
    return f"{words.capital(_KEPT)}: {kept.count} of {items} items, {share}."


def incomplete_sentence(count: int, named: Sequence[str]) -> str:
    """Which groups have no group score, because a member of theirs was dropped or not applicable."""
    more = f" and {count - len(named):,} more" if count > len(named) else ""
    groups = "1 group has" if count == 1 else f"{count:,} groups have"
    return f"{groups} no group score, since a member was not evaluated: {', '.join(named)}{more}."


def group_verdict(groups: GroupConsistency) -> str:
    """Whether the group score is what independent errors leave."""
    score = f"Group score {percentage(groups.score)}"
    left = f"independent errors leave {percentage(groups.independent)} ({interval(groups.independent_range)})"
    match groups.errors:
        case "apart":
            return (
                f"{score}, while {left}: errors fall on one member per group, so members tend to get the same answer."
            )
        case "together":
            return f"{score}, while {left}: errors cluster in the same groups."
        case "none":
            return f"{score}: {words.CANNOT_BE_ASSESSED}, the model made no errors."
        case "all":
            return f"{score}: {words.CANNOT_BE_ASSESSED}, every answer is incorrect."
        case "inconclusive":
            return f"{score}; {left}: {words.inconclusive(groups.more_groups)}."
    return f"{score}; {left}: no departure from independent errors found ({p_value(groups.p)})."


def salience_verdict(importance: Importance) -> str:
    """Whether trigger words are more salient than other words."""
    rank = f"mean rank {percentage(importance.rank)}, {percentage(EVEN)} if equal"
    match importance.effect:
        case "none":
            return f"{words.capital(words.CANNOT_BE_ASSESSED)}: no word is salient."
        case "inconclusive":
            return f"{words.capital(words.inconclusive(importance.more_groups))}: {rank}."
        case "equal":
            return f"Trigger words are as salient as other words ({rank})."
        case "less":
            return f"Trigger words are less salient than other words ({rank})."
    size = size_of_d(importance.signed.d or 0.0)
    return f"Trigger words are {_AS_MUCH_MORE[size]} salient than other words ({rank}; {size} effect)."


def agreement_verdict(generation: Generation) -> str:
    """Whether a model generates what it scores best."""
    kappa = "" if generation.agreement.kappa is None else f" (kappa {generation.agreement.kappa:.2f})"
    match generation.agrees:
        case "agrees":
            return f"Generation agrees with scoring{kappa}."
        case "differs":
            return f"Generation often differs from scoring{kappa}."
    often = f"whether generation agrees with scoring in {percentage(SAME)} or more"
    return f"{words.capital(words.inconclusive(generation.more_groups))} {often}{kappa}."
