"""Names and plug-ins: installed packages add suites and model kinds, a typo gets a good answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee import sets
from referee.errors import RefereeError, UnknownNameError
from referee.models import ModelKind, model_kinds, open_model
from referee.models.files import ScoreFile
from referee.registry import lookup, plugins
from referee.suites import Suite, load, suites
from tests.conftest import Command, Install
from tests.support.items import item

SUITE = """
from referee.items import Candidate, Item
from referee.suites import Suite

def read(data):
    words = (data / "ours.txt").read_text().split()
    for word in words:
        candidates = (Candidate("er " + word), Candidate("sie " + word))
        yield Item(id=word, task="translate", source_lang="en", target_lang="de", source="it", candidates=candidates,
                   gold=0)

SUITES = [Suite("ours/test", "a suite of ours", ("ours.txt",), read, "none", "CC0")]
"""

MODEL = """
from pathlib import Path
from referee.models import ModelKind
from referee.models.files import ScoreFile

KIND = ModelKind("lowest", "lowest:FILE", "costs", lambda spec: ScoreFile(Path(spec.name), "lower"))
"""


def test_a_suite_from_a_plug_in(install: Install, tmp_path: Path, referee: Command) -> None:
    assert "ours/test" not in suites()
    install("referee_ours", "[referee.suites]\nours = referee_ours:SUITES\n", SUITE)
    (tmp_path / "ours.txt").write_text("ging kam")
    assert suites()["ours/test"].about == "a suite of ours"
    assert [found.id for found in load("ours/test", data=tmp_path)] == ["ging", "kam"]
    listed = json.loads(referee("list", "suites", "--data", tmp_path, "--json").out)["suites"]
    assert [suite["there"] for suite in listed if suite["name"] == "ours/test"] == ["yes"]
    (tmp_path / "scores").write_text("1\n2\n4\n3\n")
    outcome = referee("eval", f"scores:{tmp_path}/scores", "ours/test", "--data", tmp_path, "--json")
    assert json.loads(outcome.out)["findings"][0]["overall"]["correct"] == 1


def test_a_model_kind_from_a_plug_in(install: Install, tmp_path: Path, referee: Command) -> None:
    install("referee_lowest", "[referee.models]\nlowest = referee_lowest:KIND\n", MODEL)
    assert set(model_kinds()) >= {"scores", "translations", "lowest"}
    (tmp_path / "costs").write_text("3\n1\n2\n")
    assert open_model(f"lowest:{tmp_path}/costs") == ScoreFile(tmp_path / "costs", "lower")
    sets.save([item(gold=1)], tmp_path / "x.jsonl")
    outcome = referee("eval", f"lowest:{tmp_path}/costs", tmp_path / "x.jsonl", "--json")
    assert json.loads(outcome.out)["findings"][0]["overall"]["correct"] == 1
    assert "lowest:FILE" in referee("list", "models").out


def test_plug_ins_are_found_by_their_group_only(install: Install) -> None:
    install("referee_lowest", "[referee.models]\nlowest = referee_lowest:KIND\n", MODEL)
    assert list(plugins("referee.suites", Suite)) == []
    assert [kind.name for kind in plugins("referee.models", ModelKind)] == ["lowest"]


def test_a_plug_in_of_the_wrong_type(install: Install) -> None:
    install("referee_wrong", "[referee.suites]\nwrong = referee_wrong:SUITES\n", "SUITES = [7]")
    with pytest.raises(RefereeError, match=r"offers 7, which is not a Suite. Fix or uninstall its package"):
        suites()


def test_a_plug_in_cannot_take_a_name_that_is_taken(install: Install) -> None:
    taken = MODEL.replace('"lowest"', '"scores"')
    assert taken != MODEL
    install("referee_taken", "[referee.models]\ntaken = referee_taken:KIND\n", taken)
    with pytest.raises(RefereeError, match=r"the name 'scores' is used twice. Rename the one that the plug-in adds"):
        model_kinds()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import a_package_that_is_not_there", "No module named 'a_package_that_is_not_there'"),
        ("1 / 0", "division by zero"),
        ("", "has no attribute 'SUITES'"),
        ("def (", "invalid syntax"),
    ],
)
def test_a_plug_in_that_does_not_load(code: str, reason: str, install: Install, referee: Command) -> None:
    install("referee_broken", "[referee.suites]\nbroken = referee_broken:SUITES\n", code)
    with pytest.raises(RefereeError) as raised:
        suites()
    assert reason in str(raised.value)
    assert raised.value.__cause__ is not None
    outcome = referee("list", "suites")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert "the plug-in 'referee_broken:SUITES' (referee.suites) does not load (" in outcome.err
    assert ". Fix or uninstall its package." in outcome.err


def test_a_broken_suite_does_not_stop_a_command_that_needs_none(
    install: Install, tmp_path: Path, referee: Command
) -> None:
    install("referee_broken", "[referee.suites]\nbroken = referee_broken:SUITES\n", "1 / 0")
    sets.save([item()], tmp_path / "x.jsonl")
    assert referee("stats", "dataset", tmp_path / "x.jsonl").code == 0
    assert referee("list", "models").code == 0


def test_lookup() -> None:
    known = {"alpha": 1, "beta": 2}
    assert lookup("letter", "beta", known) == 2
    with pytest.raises(UnknownNameError) as raised:
        lookup("letter", "alpa", known)
    assert str(raised.value) == "unknown letter 'alpa' (did you mean alpha?). Choose one of alpha, beta."


def test_lookup_without_a_near_one_only_lists() -> None:
    with pytest.raises(UnknownNameError) as raised:
        lookup("letter", "zzz", {"beta": 1, "alpha": 2})
    assert str(raised.value) == "unknown letter 'zzz'. Choose one of alpha, beta."


def test_lookup_names_the_three_nearest() -> None:
    with pytest.raises(UnknownNameError) as raised:
        lookup("x", "aaaa", dict.fromkeys(["aaab", "aaac", "aaad", "aaae"], 0))
    assert raised.value.problem == "unknown x 'aaaa' (did you mean aaae, aaad or aaac?)"


def test_a_long_list_is_shortened() -> None:
    names = ["alone", *(f"few/{number}" for number in range(2)), *(f"many/{number}" for number in range(40))]
    with pytest.raises(UnknownNameError) as raised:
        lookup("x", "?", dict.fromkeys(names, 0))
    assert raised.value.remedy == "choose one of alone, few/... (2), many/... (40)"
