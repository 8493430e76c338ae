"""Every verdict word and sentence of referee, and no other place has any: typed outcomes in, text out."""

from referee.reports.wording.comparison import (
    DETECTABLE,
    conditions,
    detectable_sentence,
    difference_verdict,
    unpaired_sentence,
)
from referee.reports.wording.corpus import ambiguity, count_sentences, count_verdict
from referee.reports.wording.diagnosis import (
    NOTHING,
    artifact_verdict,
    bias_verdict,
    group_verdict,
    incomplete_sentence,
    kept_sentence,
    prior_verdict,
    robustness_verdict,
    salience_verdict,
)
from referee.reports.wording.scorecard import GRADES, HEADS, cell_verdict, headline, not_measured
from referee.reports.wording.vocabulary import KINDS, OUTCOMES, capital, name_of, suite_name
from referee.reports.wording.written import (
    UNDECIDED,
    change_verdict,
    contradicted_sentence,
    lemma_sentence,
    written_verdict,
)

__all__ = [
    "DETECTABLE",
    "GRADES",
    "HEADS",
    "KINDS",
    "NOTHING",
    "OUTCOMES",
    "UNDECIDED",
    "ambiguity",
    "artifact_verdict",
    "bias_verdict",
    "capital",
    "cell_verdict",
    "change_verdict",
    "conditions",
    "contradicted_sentence",
    "count_sentences",
    "count_verdict",
    "detectable_sentence",
    "difference_verdict",
    "group_verdict",
    "headline",
    "incomplete_sentence",
    "kept_sentence",
    "lemma_sentence",
    "name_of",
    "not_measured",
    "prior_verdict",
    "robustness_verdict",
    "salience_verdict",
    "suite_name",
    "unpaired_sentence",
    "written_verdict",
]
