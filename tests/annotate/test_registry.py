from __future__ import annotations

import pytest

from referee.annotate.protocols import SourceText
from referee.annotate.registry import ANNOTATORS, Choice, Package, Tool, open_aligner, open_annotator, open_resolver
from referee.errors import MissingError, RefereeError, UnknownNameError, UsageError


@pytest.mark.usefixtures("tiny")
def test_a_plug_in_is_opened_by_name() -> None:
    annotator = open_annotator("tiny", language="en")
    [document] = annotator.annotate([SourceText("d", "It rains")], "en")
    assert document.annotator == "tiny 1.0"
    assert open_annotator("tiny:large").name == "tiny:large"


@pytest.mark.usefixtures("tiny")
def test_the_best_one_that_is_installed() -> None:
    assert open_annotator(language="qq-XX").name == "tiny", "the better one needs a package that is not there"
    assert open_annotator(language="zz").name == "tiny:large", "the best of its models"
    assert open_annotator("tinier", language="zz").name == "tiny:large"
    assert open_annotator("tinier:small", language="zz").name == "tiny:small"
    assert open_resolver(language="qq").name == "tiny"
    assert open_aligner(source="en", target="de").name == "tiny"


def test_the_bundled_annotator_is_best_for_its_languages() -> None:
    tool, argument = ANNOTATORS.best(["de"])
    assert (tool.name, argument) == ("pocket", "")


@pytest.mark.usefixtures("tiny")
def test_nothing_installed_for_a_language() -> None:
    with pytest.raises(
        MissingError, match=r"no annotator for 'yy' is installed\. Install one \(`referee list annotators` shows how\)"
    ):
        open_annotator(language="yy")
    with pytest.raises(MissingError, match=r"'tinier' has nothing installed for 'yy'\. Write tinier:NAME"):
        open_annotator("tinier", language="yy")
    with pytest.raises(UsageError, match=r"'tiny' does not support 'yy' \(it supports qq, en\)"):
        open_annotator("tiny", language="yy")


@pytest.mark.usefixtures("tiny")
def test_a_missing_package_is_an_error_with_its_command() -> None:
    with pytest.raises(MissingError, match=r"needs the package not-there, .* Install it with `pip install not-there`"):
        open_annotator("absent")


@pytest.mark.usefixtures("tiny")
def test_what_is_not_an_annotator() -> None:
    with pytest.raises(RefereeError, match="opened None, which is not an annotator"):
        open_annotator("broken")


def test_typing_errors() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown annotator 'pokcet' \(did you mean pocket\?\)"):
        open_annotator("pokcet")
    with pytest.raises(UsageError, match="'spacy:' has nothing after the colon"):
        open_annotator("spacy:")


def test_an_import_that_fails_inside_an_opener() -> None:
    def fails(argument: str) -> object:
        import not_there_at_all  # type: ignore[import-not-found]  # noqa: F401

        return argument

    tool = Tool("x", "x", "", fails, get="pip install x")
    with pytest.raises(MissingError, match=r"'x' needs a package that is not installed .* `pip install x`"):
        tool.opened("")


def test_packages() -> None:
    assert Package("numpy", "numpy").installed
    assert Package("numpy", "numpy").version
    assert (Package("not_there_at_all", "x").installed, Package("not_there_at_all", "x-y-z").version) == (False, "")


def test_what_is_to_be_installed_next() -> None:
    models: list[Choice] = []
    needs = (Package("numpy", "numpy"),)
    tool = Tool("x", "x:NAME", "", lambda argument: argument, needs, (), None, lambda language: models, "", "a", "b")
    assert (tool.state(), tool.next_step()) == (needs[0].version, "b")
    models.append(Choice(1, "m"))
    assert (tool.state(), tool.next_step()) == (f"{needs[0].version} with m", "")
    absent = Tool("x", "x", "", lambda argument: argument, (Package("not_there_at_all", "x"),), get="a")
    assert (absent.state(), absent.next_step()) == ("no", "a")
