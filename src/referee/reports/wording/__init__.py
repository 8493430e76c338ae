"""Every verdict word and sentence of referee, and no other place has any: typed outcomes in, text out."""

from referee.reports.wording.diagnosis import (
    KEPT,
    NOTHING,
    artifact_verdict,
    bias_verdict,
    group_verdict,
    prior_verdict,
    robustness_verdict,
    salience_verdict,
)
from referee.reports.wording.scorecard import cell_verdict, headline
from referee.reports.wording.vocabulary import OUTCOMES, capital, name_of

__all__ = [
    "KEPT",
    "NOTHING",
    "OUTCOMES",
    "artifact_verdict",
    "bias_verdict",
    "capital",
    "cell_verdict",
    "group_verdict",
    "headline",
    "name_of",
    "prior_verdict",
    "robustness_verdict",
    "salience_verdict",
]
