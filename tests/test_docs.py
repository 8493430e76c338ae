from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from referee.cli.main import app
from referee.data.sources import all_sources
from referee.errors import InputError
from referee.sets import decode
from referee.suites import suites

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])

_FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?P<target>[^()\s]+)\)")
_HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)
_COMMAND = re.compile(r"(?:^|`|\$ )referee (?P<rest>[^`\n]+)", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_ROW = re.compile(r"^\| `(?P<option>--[a-z-]+)", re.MULTILINE)
_SECTION = re.compile(r"^## `referee (?P<name>[a-z ]+)`\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_COUNT = re.compile(r"^\| \[`[^|]*\) \| (?P<count>\d+) \|", re.MULTILINE)
_HELP = {"--help"}

Options = dict[str, set[str]]
"""The long options of each command, by its name without `referee`; those of `referee` itself under the empty name."""


def real_options() -> Options:
    return dict(_walk(typer.main.get_command(app), ()))


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, set[str]]]:
    yield " ".join(path), {name for parameter in command.params for name in parameter.opts if name.startswith("--")}
    for name, inner in getattr(command, "commands", {}).items():
        yield from _walk(inner, (*path, name))


def dead_links(page: Path) -> list[str]:
    """Relative links of a page that lead to no file, or to no heading of one."""
    dead = []
    for match in _LINK.finditer(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        name, _, anchor = match["target"].partition("#")
        if ":" in name:
            continue
        target = page.parent / name if name else page
        if not target.is_file() or (anchor and anchor not in _anchors(target)):
            dead.append(match["target"])
    return dead


def _anchors(page: Path) -> set[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = [match["title"].lower().replace("`", "") for match in _HEADING.finditer(text)]
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in titles}


def wrong_commands(text: str, real: Options) -> list[str]:
    """Command lines that name a verb which does not exist, or an option which that verb does not have."""
    wrong = []
    for match in _COMMAND.finditer(text):
        words = [word for word in match["rest"].split() if not word.startswith("-")]
        two, one = " ".join(words[:2]), " ".join(words[:1])
        verb = two if two in real else one
        unfinished = any(name.startswith(f"{verb} ") for name in real)
        if verb not in real or (unfinished and len(words) > 1):
            wrong.append(match[0].strip())
        wrong += [option for option in _OPTION.findall(match["rest"]) if option not in real.get(verb, set()) | _HELP]
    return wrong


def unknown_options(text: str, real: Options) -> set[str]:
    """Options named anywhere that no command has."""
    return set(_OPTION.findall(text)) - set().union(*real.values()) - _HELP


def documented(text: str) -> Options:
    """The options in the table of each command's section; before the first section, those of `referee` itself."""
    found = {match["name"]: set(_ROW.findall(match["body"])) for match in _SECTION.finditer(text)}
    return found | {"": set(_ROW.findall(text.partition("\n## ")[0]))}


def missing_options(text: str, real: Options) -> dict[str, set[str]]:
    """What the tables lack, and what they have too much of, by command."""
    told = documented(text)
    verbs = [name for name in real if not any(other.startswith(f"{name} ") for other in real) or real[name]]
    difference = {name: told.get(name, set()) ^ real[name] for name in verbs}
    absent = {name: {"(no section)"} for name in verbs if name not in told}
    return {name: options for name, options in difference.items() if options} | absent


def example_items(text: str) -> list[str]:
    """The JSON of every item that a page shows."""
    examples: list[str] = []
    for fence in _FENCE.finditer(text):
        if fence["kind"] == "jsonl":
            examples += fence["body"].splitlines()
        elif fence["kind"] == "json":
            value = json.loads(fence["body"])
            examples += [fence["body"]] if isinstance(value, dict) and "id" in value else []
    return examples


def unexplained(text: str, files: Iterable[str], published: Collection[str]) -> list[str]:
    """Files that cannot be fetched, and that the page does not name either."""
    return sorted({file for file in files if file not in published and f"`{file}`" not in text})


COMMANDS = (DOCS / "commands.md").read_text(encoding="utf-8")
ITEMS = [
    pytest.param(text, id=f"{page.stem}-{json.loads(text)['id']}")
    for page in (DOCS / "items.md", DOCS / "start.md")
    for text in example_items(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_are_shown_exist(page: Path) -> None:
    assert wrong_commands(page.read_text(encoding="utf-8"), real_options()) == []


def test_the_reference_names_no_option_that_does_not_exist() -> None:
    assert unknown_options(COMMANDS, real_options()) == set()


def test_the_reference_has_every_option_of_every_command() -> None:
    assert missing_options(COMMANDS, real_options()) == {}


@pytest.mark.parametrize("text", ITEMS)
def test_example_items_are_valid(text: str) -> None:
    assert decode(text.encode(), "docs", None).id


def test_every_task_has_an_example() -> None:
    page = (DOCS / "items.md").read_text(encoding="utf-8")
    tasks = {decode(text.encode(), "docs/items.md", None).task for text in example_items(page)}
    assert tasks == {"translate", "fill", "choose"}


def test_files_that_cannot_be_fetched_are_explained() -> None:
    # The message about such a file sends the reader to this page.
    text = (DOCS / "suites.md").read_text(encoding="utf-8")
    needed = [file for suite in suites().values() if suite.needs == "all" for file in suite.files]
    assert unexplained(text, needed, all_sources()) == []
    assert unexplained("`a/b`", ["a/b", "a/c", "a/d"], {"a/d"}) == ["a/c"]


def test_every_suite_is_counted() -> None:
    text = (DOCS / "suites.md").read_text(encoding="utf-8")
    counts = [int(count) for count in _COUNT.findall(text)]
    public = [name for name in suites() if not name.startswith("templates/")]
    assert sum(counts) == len(public)
    assert f"\n{len(public)} public sets" in text


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A `title`, or two\n\n```\n# no heading\n```\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](other.md#a-title-or-two) [c](https://example.org) [d](gone.md) [e](other.md#no-heading) "
        "[f](#nowhere)\n```\n[g](code.md)\n```\n",
        encoding="utf-8",
    )
    assert dead_links(page) == ["gone.md", "other.md#no-heading", "#nowhere"]


REAL: Options = {"": {"--version"}, "score": {"--json", "--by"}, "data": set(), "data get": {"--force"}}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("$ referee score a.jsonl --by label\n", []),
        ("`referee data get x --force` and `referee score --help`", []),
        ("`referee data`", []),
        ("`referee data get|put`", ["`referee data get|put"]),
        ("$ referee scor a.jsonl\n", ["$ referee scor a.jsonl"]),
        ("`referee data put x`", ["`referee data put x"]),
        ("$ referee score a.jsonl --force\n", ["--force"]),
    ],
)
def test_wrong_commands_are_found(text: str, wrong: list[str]) -> None:
    assert wrong_commands(text, REAL) == wrong


def test_missing_and_invented_options_are_found() -> None:
    page = "| `--version` | x |\n\n## `referee score`\n| `--json` | x |\n| `--wrong FILE` | x |\n"
    assert missing_options(page, REAL) == {"score": {"--by", "--wrong"}, "data get": {"(no section)"}}
    assert unknown_options("`--json` --wrong", REAL) == {"--wrong"}


def test_an_invalid_example_is_found() -> None:
    (text,) = example_items('```json\n{"id": "a", "task": "sing"}\n```\n```json\n{"no": "item"}\n```\n')
    with pytest.raises(InputError):
        decode(text.encode(), "docs", None)
