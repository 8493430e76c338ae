"""New challenge sets: from templates, as twins, without artifacts.

>>> from referee import build
>>> filled = build.fill_templates("fr", "gender")
>>> filled.tallies["gender"].items
752

Every name below is loaded when it is first used, like those of `referee` itself.
"""

from typing import TYPE_CHECKING

from referee.lazy import lazy as _lazy

if TYPE_CHECKING:
    from referee.build.aflite import AfliteResult, filter_aflite
    from referee.build.templates.fill import FilledTemplates, ListedTemplate, fill_templates, list_templates
    from referee.build.twins import Twins, couple_twins

__all__ = [
    "AfliteResult",
    "FilledTemplates",
    "ListedTemplate",
    "Twins",
    "couple_twins",
    "fill_templates",
    "filter_aflite",
    "list_templates",
]

_MODULES = {
    "AfliteResult": "aflite",
    "FilledTemplates": "templates.fill",
    "ListedTemplate": "templates.fill",
    "Twins": "twins",
    "couple_twins": "twins",
    "fill_templates": "templates.fill",
    "filter_aflite": "aflite",
    "list_templates": "templates.fill",
}

__getattr__, __dir__ = _lazy(__name__, _MODULES)
