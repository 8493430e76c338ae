"""Does your model know what "it" refers to, and for the right reasons? That is what referee answers.

>>> import referee
>>> items = referee.templates("de", "gender")
>>> run = referee.score(items, translations=[item.candidates[item.gold].text for item in items])
>>> run.findings[0].overall.accuracy
1.0

Every name below is loaded when it is first used, so that importing the package costs nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:  # noqa: ANN401 whatever is public
    if name not in _MODULES:
        raise AttributeError(f"module 'referee' has no attribute '{name}'")
    public = getattr(_import_module(f"referee.{_MODULES[name]}"), name)
    globals()[name] = public
    return public


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
