"""`referee list`: suites, models, perturbations, templates."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import Command
from tests.support.commands import answer


def test_list_suites(folder: Path, referee: Command) -> None:
    value = answer(referee("list", "suites", "--json"))
    assert value["folder"] == str(folder / "data")
    listed = value["suites"]
    assert {"name", "there", "about", "licence", "paper", "files"} == set(listed[0])
    by_name = {suite["name"]: suite for suite in listed}
    assert by_name["wsc"]["there"] == "no"
    outcome = referee("list", "suites")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"{len(listed)} suites (data folder: {folder / 'data'})\n")
    assert len(outcome.out.splitlines()) == 2 + len(listed) + 1


def test_list_some_suites(folder: Path, referee: Command) -> None:
    (folder / "data" / "winograd-multilingual" / "wino-x").mkdir(parents=True)
    (folder / "data" / "winograd-multilingual" / "wino-x" / "lm_wino_x.en-ru.jsonl").touch()
    family = answer(referee("list", "suites", "wino-x/", "--json"))["suites"]
    assert len(family) == 9
    assert all(suite["name"].startswith("wino-x/") for suite in family)
    there = [suite["name"] for suite in answer(referee("list", "suites", "--there", "--json"))["suites"]]
    # Templates need no file.
    assert "templates/de/gender" in there
    public = [name for name in there if not name.startswith("templates/")]
    assert public == ["wino-x/lm/en-ru", "wino-x/lm/en-ru/english"]
    assert answer(referee("list", "suites", "xcopa", "--there", "--json"))["suites"] == []


def test_list_suites_that_are_there(referee: Command, published_data: Path) -> None:
    listed = answer(referee("list", "suites", "--data", published_data, "--json"))["suites"]
    assert {suite["name"]: suite["there"] for suite in listed}["wino-x/lm/en-de"] == "yes"


def test_list_models(referee: Command) -> None:
    kinds = answer(referee("list", "models", "--json"))["models"]
    assert [re.split("[:[]", kind["usage"])[0] for kind in kinds] == [
        *("pocket", "hf", "mlm", "causal", "ct2", "api", "command", "scores", "translations")
    ]
    assert "translations:FILE" in referee("list", "models").out


def test_perturbations_are_listed(referee: Command) -> None:
    outcome = referee("list", "perturbations")
    assert outcome.out.startswith("39 perturbations\n")
    assert "The cup fell, but why?" in outcome.out
    listed = answer(referee("list", "perturbations", "possessive", "--json"))["perturbations"]
    assert len(listed) == 17
    assert {"de", "en", "fr", "ru"} <= set(listed[0].pop("languages"))
    assert listed[0] == {
        "name": "possessive/woman",
        "about": "add a possessor to the antecedent: 'the woman's'",
        "example": "The woman's cup fell.",
    }


def test_every_template_is_listed_with_an_example(referee: Command) -> None:
    listed = answer(referee("list", "templates", "--lang", "de", "--json"))["templates"]
    assert len(listed) == 13
    by_name = {template["name"]: template for template in listed}
    assert "Der Hund" in by_name["de/role-prior"]["example"]
    assert by_name["de/role-prior"]["step"] == "priors"
