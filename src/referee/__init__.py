"""Test whether an MT system or language model resolves pronouns and commonsense for the right reasons.

>>> import referee
>>> items = referee.templates("de", "gender")
>>> run = referee.score(items, translations=[item.candidates[item.gold].text for item in items])
>>> run.findings[0].overall.accuracy
1.0

Every name is loaded on first use, so importing the package is fast.
"""

from typing import TYPE_CHECKING

from referee.lazy import lazy as _lazy

if TYPE_CHECKING:
    from referee.build.templates import templates
    from referee.errors import RefereeError
    from referee.items import Candidate, Item
    from referee.models import open_model
    from referee.perturbations import perturb
    from referee.reports.page.assemble import report
    from referee.runs.comparison import compare
    from referee.runs.diagnosis import diagnose
    from referee.runs.evaluate import evaluate, score
    from referee.runs.run import Run, read_run
    from referee.sets import ItemSet
    from referee.suites import list_suites, load

__version__ = "0.1.0"

__all__ = [
    "Candidate",
    "Item",
    "ItemSet",
    "RefereeError",
    "Run",
    "compare",
    "diagnose",
    "evaluate",
    "list_suites",
    "load",
    "open_model",
    "perturb",
    "read_run",
    "report",
    "score",
    "templates",
]

_MODULES = {
    "Candidate": "items",
    "Item": "items",
    "ItemSet": "sets",
    "RefereeError": "errors",
    "Run": "runs.run",
    "compare": "runs.comparison",
    "diagnose": "runs.diagnosis",
    "evaluate": "runs.evaluate",
    "list_suites": "suites",
    "load": "suites",
    "open_model": "models",
    "perturb": "perturbations",
    "read_run": "runs.run",
    "report": "reports.page.assemble",
    "score": "runs.evaluate",
    "templates": "build.templates",
}

__getattr__, __dir__ = _lazy(__name__, _MODULES)
