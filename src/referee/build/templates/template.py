"""Templates as written in the file of a language, and their forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from referee.errors import InputError
from referee.io.decoding import explained
from referee.io.toml import read_toml
from referee.languages import Language

_REMEDY = "correct the template"
_SHARED = ("slots", "roles")

Step = Literal["priors", "markable", "coreference", "language"]
"""A step of translating a pronoun (ContraCAT, section 3 and Table 1); priors have no correct answer."""


class TemplateForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One complete form of a template: context and text in English and the target language, with their properties."""

    name: str
    context: tuple[str, str]
    text: tuple[str, str]
    slots: dict[str, str] = {}
    roles: dict[str, str] = {}
    differ: tuple[str, ...] = ()
    gold: str | None = None
    clause: Literal["first", "second"] | None = None
    every: dict[str, int] = {}
    group: tuple[str, ...] | None = None
    order: tuple[str, ...] = ()
    """All slots, the one whose words change least often first; as in `slots` if empty."""
    swap: bool = False
    """Whether each combination is followed by the one in which the two slots that differ exchange their words."""

    def __post_init__(self) -> None:
        for field, names in (
            ("roles", self.roles),
            ("differ", self.differ),
            ("every", self.every),
            ("group", self.group or ()),
            ("order", self.order),
        ):
            if unknown := [name for name in names if name not in self.slots]:
                raise ValueError(f"{field}: '{unknown[0]}' is not a slot (expected one of {', '.join(self.slots)})")
        if any(step < 1 for step in self.every.values()):
            raise ValueError("every: expected numbers of 1 or more")
        if self.order and sorted(self.order) != sorted(self.slots):
            raise ValueError(f"order: expected each slot once ({', '.join(self.slots)})")
        if self.swap and (len(self.differ) != 2 or len({self.slots[slot] for slot in self.differ}) != 1):
            raise ValueError("swap: expected two slots of one set in 'differ'")


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A template: its name, the step of pronoun translation that it tests, what it asks, and its forms."""

    name: str
    step: Step
    about: str
    shapes: tuple[TemplateForm, ...]


def read_templates(language: Language, file: str) -> dict[str, Template]:
    """The templates of a language by name."""
    path = Path(language.folder, file)
    content = read_toml(path, _REMEDY)
    if set(content) != {"template"} or not isinstance(content["template"], list):
        raise InputError("expected only tables [[template]]", _REMEDY, path)
    templates: dict[str, Template] = {}
    for raw in content["template"]:
        template = _template(raw, path)
        if templates.setdefault(template.name, template) is not template:
            raise InputError(f"two templates have the name '{template.name}'", "rename one of them", path)
        _check_gold(template, language, path)
    return templates


def _template(raw: dict[str, Any], path: Path) -> Template:
    rest = dict(raw)
    heading = {key: rest.pop(key) for key in ("name", "step", "about") if key in rest}
    forms = rest.pop("forms", [{}])
    where = f"template '{heading.get('name', '?')}'"
    try:
        shapes = tuple(msgspec.convert(_merged(rest, form), TemplateForm) for form in forms)
        return msgspec.convert(heading | {"shapes": shapes}, Template)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        problem = explained(error, _REMEDY)
        raise InputError(f"{where}: {problem.problem}", problem.remedy, path, field=problem.field) from None


def _merged(template: dict[str, Any], form: dict[str, Any]) -> dict[str, Any]:
    """The form, completed by the values of its template."""
    together = {key: {**template.get(key, {}), **form.get(key, {})} for key in _SHARED}
    return {"name": "", **template, **form, **together}


def _check_gold(template: Template, language: Language, path: Path) -> None:
    for shape in template.shapes:
        if shape.gold is not None and shape.gold not in (*shape.slots, *language.genders):
            problem = f"template '{template.name}': '{shape.gold}' is neither a slot nor a gender"
            raise InputError(problem, _REMEDY, path, field="gold")
