from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee import sets
from referee.items import Item, Span
from tests.conftest import Command
from tests.support.items import item


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three items: one with a context and an antecedent, one with a question before it, one without context."""
    spans = (Span("antecedent", "source_context", 0, 7), Span("antecedent", "target_context", 0, 10))
    items = [
        item(id="a", source_context=("The cup fell.",), target_context=("Der Becher fiel.",), spans=spans),
        item(id="b", source_context=("Where is it?",), target_context=("Wo ist er?",)),
        item(id="c"),
    ]
    sets.save(items, tmp_path / "x.jsonl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    return tmp_path


def made(path: Path) -> list[Item]:
    return list(sets.load(path))


def test_several_perturbations_go_into_one_file(referee: Command, folder: Path) -> None:
    outcome = referee("perturb", "x.jsonl", "phrase/but-why", "possessive/maria", "--out", "y.jsonl.gz")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[0] == "x.jsonl: 2 perturbed items written to y.jsonl.gz"
    assert outcome.out.splitlines()[2:4] == [
        "phrase/but-why        3          1  the preceding sentence does not end as a statement (1), no context (1)",
        "possessive/maria      3          1  no antecedent is marked on the source side (2)",
    ]
    items = made(folder / "y.jsonl.gz")
    assert [(one.id, one.group, one.origin and one.origin.change) for one in items] == [
        ("a+phrase/but-why", "a", "phrase/but-why"),
        ("a+possessive/maria", "a", "possessive/maria"),
    ]
    assert [one.target_context for one in items] == [("Der Becher fiel, aber warum?",), ("Marias Becher fiel.",)]


def test_json(referee: Command, folder: Path) -> None:
    outcome = referee("perturb", "x.jsonl", "phrase/he-said", "--out", "y.jsonl", "--json")
    assert json.loads(outcome.out) == {
        "file": "y.jsonl",
        "items": 2,
        "sha256": sets.load(folder / "y.jsonl").fingerprint().sha256,
        "perturbations": [
            {"perturbation": "phrase/he-said", "items": 3, "changed": 2, "dropped": {"no context": 1}},
        ],
    }


def test_as_published(referee: Command, folder: Path) -> None:
    assert referee("perturb", "x.jsonl", "phrase/and-it-is-true", "--paper", "--out", "y.jsonl").code == 0
    contexts = [one.source_context for one in made(folder / "y.jsonl")]
    assert contexts == [("The cup fell and it is true.",), ("Where is it and it is true?",), ()]


def test_the_same_command_gives_the_same_bytes(referee: Command, folder: Path) -> None:
    for name in ("y.jsonl", "z.jsonl"):
        assert referee("perturb", "x.jsonl", "phrase", "--out", name).code == 0
    assert (folder / "y.jsonl").read_bytes() == (folder / "z.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("x.jsonl", "phrase/but-wy"), 1, "unknown perturbation 'phrase/but-wy' (did you mean phrase/but-why"),
        (("nothing.jsonl", "phrase"), 1, "nothing.jsonl: does not exist"),
        (("wcs", "phrase"), 1, "unknown suite 'wcs'"),
        (("x.jsonl", "synonym"), 2, "the perturbation 'synonym' needs a thesaurus. Give one with --thesaurus"),
        (("x.jsonl", "synonym", "--wordnets", "en.xml"), 2, "--wordnets: 'en.xml' does not name two files"),
        (("x.jsonl", "synonym", "--wordnets", "en.xml,de.xml"), 1, "en.xml: does not exist"),
        (("x.jsonl", "synonym", "--wordnets", "a,b", "--thesaurus", "c"), 2, "exclude each other"),
        (("x.jsonl", "synonym", "--thesaurus", "no.dat"), 1, "no.dat: does not exist"),
        (("x.jsonl", "synonym", "--paper"), 2, "has no published form. Remove --paper"),
        (("x.jsonl", "possessive/maria", "--paper"), 1, "x.jsonl: no item can be changed (the antecedent is not annot"),
        (("x.jsonl",), 2, "Missing argument"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing_behind(
    referee: Command, folder: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    outcome = referee("perturb", *arguments, "--out", "y.jsonl")
    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert not list(folder.glob("y*"))


def test_an_unknown_ending_is_refused_before_any_work(referee: Command, folder: Path) -> None:
    outcome = referee("perturb", "x.jsonl", "phrase", "--out", "y.txt")
    assert (outcome.code, "y.txt: '.txt' is not a format of item files" in outcome.err) == (1, True)


def test_an_empty_set_is_told(referee: Command, folder: Path) -> None:
    (folder / "empty.jsonl").write_text("")
    outcome = referee("perturb", "empty.jsonl", "phrase", "--out", "y.jsonl")
    assert (outcome.code, outcome.err) == (1, "error: empty.jsonl: is empty. Use a file with at least one line.\n")


@pytest.fixture
def model(tmp_path: Path) -> str:
    tiny = pytest.importorskip("tests.support.tiny_models")
    tiny.make("marian", tmp_path / "model")
    return f"hf:{tmp_path / 'model'}"


def test_eval_judges_the_attacked_sets_beside_the_original(referee: Command, folder: Path, model: str) -> None:
    arguments = ("eval", model, "x.jsonl", "--perturb", "phrase/but-why", "--perturb", "possessive/maria")
    outcome = referee(*arguments, "--context", 1, "--no-cache", "--out", "run", "--json")
    assert outcome.code == 0, outcome.err
    suites = json.loads(outcome.out)["run"]["inputs"]["suites"]
    assert [(suite["name"], suite["items"]) for suite in suites] == [
        ("x.jsonl", 3),
        ("x.jsonl+phrase/but-why", 1),
        ("x.jsonl+possessive/maria", 1),
    ]
    assert "x.jsonl+possessive/maria: 1 of 3 items perturbed. Skipped: no antecedent" in outcome.err
    again = referee(*arguments, "--context", 1, "--no-cache", "--out", "run", "--json")
    assert "already contains this run" in again.err
    other = referee(*arguments, "--perturb", "phrase/he-said", "--context", 1, "--no-cache", "--out", "run")
    assert (other.code, "already contains a different run" in other.err) == (1, True)


def test_eval_leaves_out_what_changes_nothing_and_refuses_if_that_is_all(
    referee: Command, folder: Path, model: str
) -> None:
    sets.save([item(id="b", source_context=("Where is it?",))], folder / "question.jsonl")
    outcome = referee("eval", model, "question.jsonl", "--perturb", "phrase", "--no-cache", "--json")
    names = [suite["name"] for suite in json.loads(outcome.out)["run"]["inputs"]["suites"]]
    assert "question.jsonl+phrase/he-said" in names
    assert "question.jsonl+phrase/but-why" not in names
    outcome = referee("eval", model, "question.jsonl", "--perturb", "phrase/but-why", "--no-cache")
    assert (outcome.code, "question.jsonl: no item can be changed" in outcome.err) == (1, True)


def test_eval_of_a_file_judges_one_suite(referee: Command, folder: Path) -> None:
    (folder / "scores").write_text("1\n2\n3\n" * 3)
    outcome = referee("eval", "scores:scores", "x.jsonl", "--perturb", "phrase/he-said")
    assert (outcome.code, "belongs to one suite" in outcome.err) == (2, True)
