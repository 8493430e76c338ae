"""Findings as charts: SVG from matplotlib that takes its colours and font from the page around it.

A chart compares what it gets by name: runs on one suite, or suites of one run. Each function returns None if there is
nothing to draw.
"""

from referee.reports.charts.accuracy import accuracy_by, accuracy_by_language, group_scores
from referee.reports.charts.diagnosis import choice_rates, perturbation_effects, trigger_salience
from referee.reports.charts.opening import most_rows, opening_chart
from referee.reports.charts.trends import distance_curve, learning_curve

__all__ = [
    "accuracy_by",
    "accuracy_by_language",
    "choice_rates",
    "distance_curve",
    "group_scores",
    "learning_curve",
    "most_rows",
    "opening_chart",
    "perturbation_effects",
    "trigger_salience",
]
