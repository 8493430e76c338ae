"""Findings as charts, drawn ahead by matplotlib as SVG that takes colours and font from the page it stands in.

What stands side by side in a chart is given by name: runs on one suite, or suites of one run. Where there is nothing to
draw, there is no chart.
"""

from referee.reports.charts.accuracy import accuracy_by, accuracy_by_language, group_against_single
from referee.reports.charts.diagnosis import attack_drops, chosen_against_right, trigger_importance
from referee.reports.charts.trends import distance_curve, learning_curve

__all__ = [
    "accuracy_by",
    "accuracy_by_language",
    "attack_drops",
    "chosen_against_right",
    "distance_curve",
    "group_against_single",
    "learning_curve",
    "trigger_importance",
]
