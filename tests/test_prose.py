"""Docs, help, messages and docstrings keep to plain English: the words that the house style rules out stay out.

Code in a text (blocks, `spans`, addresses) is not read: names of fields and options stay as they are.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from referee.cli.main import app
from referee.languages import languages
from referee.suites import suites

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "referee"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
PAGES += sorted(SOURCE.rglob("*.md"))
MODULES = sorted(SOURCE.rglob("*.py"))

ALLOWED = (
    # Titles of papers.
    "Choice of Plausible Alternatives",
    "When Choosing Plausible Alternatives",
    "When a Good Translation is Wrong in Context",
    # A prompt: other words would be another model.
    "Which is the right translation into",
)


class Rule(NamedTuple):
    """A pattern that plain text does not have, and what to write instead."""

    pattern: re.Pattern[str]
    instead: str


def _rule(pattern: str, instead: str) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), instead)


_ANSWER = "answer|candidate|alternative|pronoun|noun|form|verdict|choice|translation|output"
_PERSON = "".join(rf"(?<!\b{word} )" for word in ("user", "users", "reader", "readers", "anybody"))
_PART = "line|row|item|number|sentence|file|folder|entry|table|score|output"

RULES = (
    _rule(r"\bjudg(e|es|ed|ing|ements?)\b", "evaluate, score; the model"),
    _rule(r"\balternatives?\b", "candidates"),
    _rule(r"\bmend(s|ed|ing)?\b", "fix, correct"),
    _rule(r"\bbesides?\b", "next to, compared with"),
    _rule(rf"{_PERSON}\bwho(ever|m)?\b", "a model that; a reader who"),
    _rule(r"\blean(s|ed|ings?)?\b", "is biased towards"),
    _rule(r"\bhabits?\b", "heuristic"),
    _rule(r"\bgo(es)? along\b", "is included"),
    _rule(r"\b(goes|go|went) on (where|with|if|after)\b", "resumes, continues"),
    _rule(r"\bso (many|much) (?!that\b)", "N"),
    _rule(r"(?<!there )\b(is|are|was|were) no (?!longer\b|more\b|better\b|worse\b|fewer\b|less\b)", "is not a"),
    _rule(r"\bthere (is|are) none\b|\bnot to be (had|seen)\b|\bcan be had\b", "not available, cannot be computed"),
    _rule(r"\bleft aside\b|\bthrown off\b|\bsteady\b", "markable detection; loses N pp; robust"),
    _rule(r"\bcomes? again\b|\btak(es?|en) up\b", "lexical overlap, is repeated; refers to"),
    _rule(r"\bnought\b|\banew\b", "zero; again"),
    _rule(r"\bbeats? (chance|guessing)\b|\b(better|more) than guessing\b", "significantly above chance"),
    _rule(r"\bsentences? before\b", "preceding sentence, context"),
    _rule(r"\bcoded\b|(?<!-)\bcodings?\b", "value order"),
    _rule(rf"\b(right|wrong) ({_ANSWER})s?\b", "correct, incorrect"),
    _rule(r"\b(is|are|was|were|be|been) right (in|on|of|where|if|as|about|once)\b", "correct"),
    _rule(rf"\b(one|a) ({_PART}) an? (?!time\b|few\b|kind\b)[a-z]", "one line per item"),
    _rule(r"\d %(?!\w)", "44.4% without a space"),
    _rule(r"\bknowledge of the world\b|\bfall anywhere\b", "world knowledge; independent errors"),
)

_CODE = (
    re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL),
    re.compile(r"(?:(?<=\n\n)|\A)(?: {4}.*\n?)+"),
    re.compile(r"^\s*(>>>|\.\.\.) .*$", re.MULTILINE),
    re.compile(r"`[^`]*`"),
    re.compile(r"\]\([^)]*\)|https?://\S+|<[^>]+>"),
)


def plain(text: str) -> str:
    """The text without code and addresses, on one line."""
    for allowed in ALLOWED:
        text = text.replace(allowed, "")
    for code in _CODE:
        text = code.sub(" ", text)
    return re.sub(r"\s+", " ", text)


def breaches(text: str) -> list[str]:
    """What breaks a rule in a text, each with what to write instead."""
    prose = plain(text)
    return [
        f"...{prose[max(0, match.start() - 40) : match.end() + 30]}... (write: {rule.instead})"
        for rule in RULES
        for match in rule.pattern.finditer(prose)
    ]


def all_breaches(texts: Iterable[str]) -> list[str]:
    return [breach for text in texts for breach in breaches(text)]


def docstrings(tree: ast.Module) -> Iterator[str]:
    """The docstrings of a module: its own, and those of classes, functions and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def messages(tree: ast.Module) -> Iterator[str]:
    """All other texts of three words or more: help, errors, verdicts, headings."""
    told = set(docstrings(tree))
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in told:
            text = node.value
        if text.count(" ") > 1:
            yield text


def help_texts(command: Any) -> Iterator[str]:
    """The help of a command, of its options, and of the commands below it."""
    yield command.help or ""
    yield from (getattr(parameter, "help", None) or "" for parameter in command.params)
    for inner in getattr(command, "commands", {}).values():
        yield from help_texts(inner)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_plain(page: Path) -> None:
    assert breaches(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(SOURCE)))
def test_docstrings_and_messages_are_plain(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    assert all_breaches(docstrings(tree)) == []
    assert all_breaches(messages(tree)) == []


def test_help_is_plain() -> None:
    assert all_breaches(help_texts(typer.main.get_command(app))) == []


def test_descriptions_of_suites_are_plain() -> None:
    assert all_breaches(suite.about for suite in suites().values()) == []


def test_the_notebook_is_plain() -> None:
    cells = json.loads((ROOT / "docs" / "tour.ipynb").read_text(encoding="utf-8"))["cells"]
    assert all_breaches("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown") == []


def test_readme_opens_with_true_numbers() -> None:
    opening = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    public = [name for name in suites() if not name.startswith("templates/")]
    words = ("seven", "eight", "nine", "ten", "eleven", "twelve")
    assert f"It runs {len(public)} public challenge\nsets" in opening
    assert f"built from templates in {words[len(languages('templates.toml')) - 7]} languages" in opening


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("The model judges both alternatives.", ["evaluate, score; the model", "candidates"]),
        ("Who errs leans to *es*.", ["a model that; a reader who", "is biased towards"]),
        ("This is no run; there is none.", ["is not a", "not available, cannot be computed"]),
        (
            "It is right in 44.4 % of items, one line a suite.",
            ["correct", "one line per item", "44.4% without a space"],
        ),
        ("So many preceding sentences go along.", ["is included", "N"]),
        ("The same command goes on where it stopped.", ["resumes, continues"]),
        (
            "Which words come again, beside the sentence before?",
            ["next to, compared with", "lexical overlap", "preceding"],
        ),
        ("The right answer beats chance.", ["significantly above chance", "correct, incorrect"]),
    ],
)
def test_breaches_are_found(text: str, instead: list[str]) -> None:
    found = " ".join(breaches(text))
    assert all(word in found for word in instead)
    assert len(breaches(text)) == len(instead)


def test_code_and_plain_english_pass() -> None:
    text = (
        "A reader who wants no code: `is no judge`, [a page](who.md).\n\n    one line a suite\n\n"
        "```text\nwho leans\n```\n"
        ">>> alternatives\nThere is no correct answer, 44.4% is no longer at chance, for the right reasons.\n"
    )
    assert breaches(text) == []
