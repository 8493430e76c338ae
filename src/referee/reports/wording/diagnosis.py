"""What each outcome of a diagnosis means, in one sentence."""

from __future__ import annotations

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias, Unassessed, ValueBias
from referee.analysis.bias.priors import Prior
from referee.analysis.generation_agreement import Agreement
from referee.analysis.group_consistency import GroupConsistency
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import Importance
from referee.perturbations import hidden_by
from referee.reports.format import interval, p_value, percentage, percentage_points
from referee.reports.wording import vocabulary as words
from referee.stats.chance import ALPHA
from referee.stats.effect_sizes import size_of_d
from referee.stats.hotelling import MIN_GROUPS
from referee.stats.proportions import Proportion

NOTHING = "Accuracy only: this set has no features, groups, baselines or perturbations."
_KEPT = "correct before and under every perturbation"

_TOO_FEW = f"{words.capital(words.INCONCLUSIVE)}: fewer than {MIN_GROUPS} informative groups."
_UNASSESSED: dict[Unassessed, str] = {
    "no_errors": f"{words.capital(words.CANNOT_BE_ASSESSED)}: the model made no errors.",
    "all_incorrect": f"{words.capital(words.CANNOT_BE_ASSESSED)}: every answer is incorrect.",
    "too_few_groups": _TOO_FEW,
}
_AS_MUCH_MORE = {"small": "slightly more", "medium": "more", "large": "much more"}


def bias_verdict(bias: Bias) -> str:
    """Whether choices are biased towards a value of a feature."""
    if bias.unassessed is not None:
        return _UNASSESSED[bias.unassessed]
    if bias.biased_towards is None:
        return f"Bias {words.NOT_SIGNIFICANT}{_p(bias.p)}."
    value = next(value for value in bias.values if value.value == bias.biased_towards)
    name = words.name_of(bias.feature, value.value)
    return f"{words.capital(words.BIASED_TOWARDS)} {name} ({bias.size} effect): {_chosen(value)}."


def _chosen(value: ValueBias) -> str:
    shares = f"chosen {percentage(value.chosen_share)}, correct {percentage(value.right_share)}"
    # In a balanced set the two are the same.
    if abs(value.expected_share - value.right_share) >= 0.005:
        shares += f", expected at this accuracy {percentage(value.expected_share)}"
    return shares


def prior_verdict(prior: Prior) -> str:
    """Whether one value is preferred where there is no correct answer."""
    if prior.p is None:
        return _TOO_FEW
    if prior.p >= ALPHA:
        return f"Prior {words.NOT_SIGNIFICANT}{_p(prior.p)}."
    name = words.name_of(prior.feature, prior.value)
    shares = f"chosen {percentage(prior.share)}, {percentage(prior.even)} in an even split"
    return f"{words.capital(words.BIASED_TOWARDS)} {name}: {shares}."


def artifact_verdict(artifact: Artifact) -> str:
    """Whether a model is above chance without what an item cannot be solved without."""
    removed = f"without {hidden_by(artifact.setup)}"
    full = "" if artifact.full is None else f"; {percentage(artifact.full)} on the full items"
    if artifact.difference_p is not None and artifact.difference_p >= ALPHA:
        full += f" (difference {words.NOT_SIGNIFICANT})"
    accuracy = percentage(artifact.accuracy)
    if artifact.above_chance is None or artifact.chance is None:
        return f"{accuracy} {removed}{full}; {words.NO_CHANCE_LEVEL}."
    if artifact.above_chance == "neither":
        return f"{accuracy} {removed}, {words.against(words.NOT_ABOVE_CHANCE, artifact.chance)}{full}."
    if artifact.above_chance == "items":
        return f"{words.capital(words.against(words.ABOVE_CHANCE, artifact.chance))} {removed}: {accuracy}{full}."
    group_chance, score = artifact.group_chance or 0.0, percentage(artifact.group_score or 0.0)
    return f"Group score {words.against(words.ABOVE_CHANCE, group_chance)} {removed}: {score}."


def robustness_verdict(robustness: Robustness) -> str:
    """Whether accuracy is lost under perturbation."""
    count, worst = len(robustness.attacks), robustness.worst.drop
    kept = f"{percentage(robustness.consistent.share)} {_KEPT}"
    if robustness.loses:
        which = "" if count == 1 else f" (worst of {count} perturbations)"
        return f"Loses {percentage_points(worst.difference)} under {worst.perturbation}{which}; {kept}."
    which = worst.perturbation if count == 1 else f"any of {count} perturbations"
    return f"Loss {words.NOT_SIGNIFICANT} under {which}; {kept}."


def kept_sentence(kept: Proportion, items: int) -> str:
    """How many of the perturbed items stay correct."""
    share = f"{percentage(kept.share)} (95% CI {interval(kept.wider)})"
    return f"{words.capital(_KEPT)}: {kept.count} of {items} items, {share}."


def group_verdict(groups: GroupConsistency) -> str:
    """Whether the group score is what independent errors leave."""
    score = f"Group score {percentage(groups.score)}"
    expected = f"the {percentage(groups.independent)} expected from independent errors"
    if groups.against == "below":
        return f"{score}, below {expected}: members of a group tend to get the same answer."
    if groups.against == "above":
        return f"{score}, above {expected}: errors cluster in the same groups."
    return f"{score}, difference to {expected} {words.NOT_SIGNIFICANT}."


def salience_verdict(importance: Importance) -> str:
    """Whether trigger words are more salient than other words."""
    if importance.effect == "inconclusive":
        return f"{words.capital(words.INCONCLUSIVE)}: too few items to tell whether trigger words are more salient."
    if importance.effect == "none" or importance.signed.d is None:
        return f"{words.capital(words.CANNOT_BE_ASSESSED)}: no word is salient."
    size = size_of_d(importance.signed.d)
    amount = {"negligible": "not more", "less": "less"}.get(importance.effect) or _AS_MUCH_MORE[size]
    return f"Trigger words are {amount} salient than other words ({size} effect)."


def agreement_verdict(agreement: Agreement, *, agrees: bool) -> str:
    """Whether a model generates what it scores best."""
    kappa = "" if agreement.kappa is None else f" (kappa {agreement.kappa:.2f})"
    return f"Generation {'agrees with' if agrees else 'often differs from'} scoring{kappa}."


def _p(p: float | None) -> str:
    return "" if p is None else f" ({p_value(p)})"
