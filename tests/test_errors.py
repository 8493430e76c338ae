"""Errors are two sentences behind a place: problem, fix."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee import errors
from referee.errors import InputError, RefereeError, UsageError


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RefereeError("is wrong", "correct it"), "is wrong. Correct it."),
        (RefereeError("is wrong", "correct it", Path("a.txt")), "a.txt: is wrong. Correct it."),
        (RefereeError("is wrong", "correct it", "a.txt", 3), "a.txt:3: is wrong. Correct it."),
        (RefereeError("is wrong", "correct it", "a.txt", 3, "gold"), "a.txt:3: field 'gold': is wrong. Correct it."),
        (RefereeError("is wrong", "correct it", field="gold"), "field 'gold': is wrong. Correct it."),
    ],
)
def test_the_sentence(error: RefereeError, sentence: str) -> None:
    assert str(error) == sentence


def test_an_error_is_placed_by_the_caller_who_knows_the_file() -> None:
    placed = InputError("is wrong", "correct it", field="gold").at("a.txt", 3)
    assert isinstance(placed, InputError)
    assert str(placed) == "a.txt:3: field 'gold': is wrong. Correct it."
    assert placed.at("b.txt").line is None


@pytest.mark.parametrize(("choices", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (("a", "b", "c"), "a, b or c")])
def test_choices_in_a_remedy(choices: Sequence[str], text: str) -> None:
    assert errors.either(choices) == text


def test_every_error_can_be_caught_and_only_misuse_has_code_two() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RefereeError)]
    assert len(kinds) == 7
    for kind in kinds:
        with pytest.raises(RefereeError):
            raise kind("is wrong", "correct it")
        assert kind.exit_code == (2 if kind is UsageError else 1)


ERRORS = {kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RefereeError)}
ERRORS |= {"ApiError", "ValueError"}
MAKERS = {"_wrong": 1, "_faulty": 1}
"""Functions that make an error, with the place of the problem among their arguments."""

REMEDIES = {"explained": 1, "read_toml": 1}
"""Functions that are given the remedy of the errors that they raise."""

FORBIDDEN = re.compile(
    r"\b(mend|beside|alternatives?|judge[sd]?|leans?|who|goes on|name another|not to be had|docs)\b|\bis no |\.md\b"
)
VERBS = re.compile(
    "(add|check|choose|compare|compute|convert|copy|correct|create|delete|download|drop|evaluate|fill|filter|fix|free|give|"
    "install|list|lower|make|measure|move|prepare|put|raise|remove|rename|repeat|replace|report|restore|return|run|save|"
    "score|set|start|store|train|try|type|use|wait|write) "
)


@dataclass
class Site:
    """A place that raises: what it says, as far as that can be read from the source."""

    where: str
    problems: list[str]
    remedies: list[str]


def sites() -> list[Site]:
    found = []
    for path in sorted(Path(errors.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if name in ERRORS | MAKERS.keys() | REMEDIES.keys():
                around = [scope for scope in scopes if scope.lineno <= call.lineno <= (scope.end_lineno or 0)]
                given = [texts(argument, [*around, tree]) for argument in call.args]
                at = MAKERS.get(name, 0)
                problems = [] if name in REMEDIES else given[at] if len(given) > at else []
                second = REMEDIES.get(name, 1)
                remedies = [] if name in (*MAKERS, "ValueError") or len(given) <= second else given[second]
                found.append(Site(f"{path.name}:{call.lineno}", problems, remedies))
    return found


def texts(node: ast.expr, scopes: Sequence[ast.AST]) -> list[str]:
    """What an argument can be: texts with `{}` where a value is put in; nothing where it is not known."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
        return ["".join(map(str, parts))]
    if isinstance(node, ast.IfExp):
        return texts(node.body, scopes) + texts(node.orelse, scopes)
    if isinstance(node, ast.Name):
        return [
            text
            for scope in scopes
            for assigned in ast.walk(scope)
            if isinstance(assigned, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == node.id for target in assigned.targets)
            for text in texts(assigned.value, scopes)
        ]
    return []


def test_errors_pass_from_one_process_to_another() -> None:
    error = InputError("is wrong", "correct it", field="gold").at("a.jsonl", 3)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (InputError, "a.jsonl:3: field 'gold': is wrong. Correct it.")


SITES = sites()


def test_all_sites_are_seen() -> None:
    assert len(SITES) > 300
    assert sum(bool(site.problems) for site in SITES) > 300
    assert sum(bool(site.remedies) for site in SITES) > 230


def test_a_problem_is_one_clause_in_plain_words() -> None:
    wrong = [
        (site.where, text)
        for site in SITES
        for text in site.problems
        if text.endswith(".") or "; " in text or FORBIDDEN.search(text)
    ]
    assert wrong == []


def test_a_remedy_starts_with_a_verb() -> None:
    wrong = [
        (site.where, text)
        for site in SITES
        for text in site.remedies
        if not VERBS.match(text) or text.endswith(".") or "; " in text or FORBIDDEN.search(text)
    ]
    assert wrong == []
