"""Whether what was written is biased towards a value, whatever the outputs hold that show none.

Values are not equally easy to see: Spanish hides formality in verbs that are third person as well, so formal outputs
show no value more often than informal ones. Rates of the others alone would then find biases that do not exist. So
outputs that show no value count against every claim: for a bias towards a value they are taken to have left it where
it was expected, and not to have taken it elsewhere; to rule a bias out, the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.analysis.bias.bias import Bias, ValueBias, biases, outcome_of
from referee.analysis.bias.decisions import Decision
from referee.stats.groups import column_sums, index_groups
from referee.stats.lean import MIN_GROUPS, Errors, Lean, lean
from referee.stats.levels import MARGIN, fewest, further_groups


def written_biases(decisions: Sequence[Decision]) -> list[Bias]:
    """The bias in each feature, tested together; some decisions have no choice."""
    found = biases(decisions)
    return [
        _with_unknown(bias, [case for case in decisions if case.feature == bias.feature], len(found)) for bias in found
    ]


def _with_unknown(bias: Bias, decisions: Sequence[Decision], features: int) -> Bias:
    if not bias.undecided:
        return bias
    leans = [_lean(value, decisions, tests=features * len(bias.values)) for value in bias.values]
    outcome = outcome_of(leans)
    most = max(range(len(leans)), key=lambda index: (leans[index].is_found, leans[index].difference))
    return msgspec.structs.replace(
        bias,
        p=min(result.p for result in leans),
        outcome=outcome,
        biased_towards=bias.values[most].value if outcome == "biased" else None,
        more_groups=leans[most].more_groups if outcome == "inconclusive" else None,
        values=[
            msgspec.structs.replace(value, interval=result.interval, p=result.p)
            for value, result in zip(bias.values, leans, strict=True)
        ],
    )


def _lean(value: ValueBias, decisions: Sequence[Decision], tests: int) -> Lean:
    """The test of one value, with both ends of its interval as far out as unknown choices allow."""
    right = np.array([case.values[case.gold] == value.value for case in decisions])
    wrong = np.array([value.value in case.values for case in decisions]) & ~right
    taken = np.array([case.choice is not None and case.values[case.choice] == value.value for case in decisions])
    unknown = np.array([case.choice is None for case in decisions])
    others = np.array([len(case.values) - 1 for case in decisions])
    groups = index_groups([case.group for case in decisions])

    def test(took: NDArray[np.bool_]) -> Lean:
        rows = np.stack([wrong * took * others, wrong, right & ~took, right], axis=1).astype(np.float64)
        columns = column_sums(rows, groups).T
        return lean(Errors(*columns, most=int(others.max())), len(decisions), tests)

    least, most = test(taken), test(taken | unknown)
    return msgspec.structs.replace(
        least,
        taken=value.taken,
        left=value.left,
        difference=value.difference,
        interval=(min(least.interval[0], value.difference), max(most.interval[1], value.difference)),
        more_groups=_more_groups(least, most),
    )


def _more_groups(least: Lean, most: Lean) -> int | None:
    """About how many groups would decide; None where the outputs that show no value would still leave it open."""
    found = further_groups(least.groups, least.difference - least.interval[0], least.difference)
    half_width = max(least.difference - least.interval[0], most.interval[1] - most.difference)
    furthest = max(abs(least.difference), abs(most.difference))
    fewer = fewest(found, further_groups(least.groups, half_width, MARGIN - furthest))
    return None if fewer is None else max(MIN_GROUPS - least.groups, fewer)
