"""The public functions `evaluate` and `score`: names, files, lists and functions become a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

import referee
from referee import Candidate, Item
from referee.errors import InputError, MissingError, UnknownNameError, UsageError
from referee.protocols import Answers, Identity, ScorePair, TokenScores
from tests.support.items import item

ITEMS = [
    item(
        id=f"i{number}",
        group=f"g{number // 2}",
        gold=number % 3,
        label="even" if number % 2 == 0 else "odd",
        source=f"It was number {number}.",
        source_context=(f"The cup {number} stood there.",),
        target_context=(f"Die Tasse {number} stand da.",),
        reference="Er war hungrig.",
    )
    for number in range(30)
]


def knows(source: str, candidates: list[str], context: Sequence[str] = ()) -> list[float]:
    """Scores the correct candidate best: the number in the source says which it is."""
    gold = int(source.split()[-1].rstrip(".")) % 3
    return [float(index == gold) for index in range(len(candidates))]


def always_er(sentences: list[str]) -> list[str]:
    return ["Er war hungrig." for _ in sentences]


def accuracy(run: referee.Run, index: int = 0) -> float | None:
    row = run.findings[index].overall
    return None if row is None else row.accuracy


def test_a_function_that_scores() -> None:
    run = referee.evaluate(knows, ITEMS)
    assert accuracy(run) == 1.0
    assert run.model.endswith("knows")
    assert run.info.inputs.settings["how"] == "auto"
    (judged,) = run.sets
    assert (judged.suite, list(judged.items)) == ("items", ITEMS)


def test_a_function_that_translates() -> None:
    run = referee.evaluate(always_er, ITEMS, name="always er")
    assert run.findings[0].kind == "generative"
    assert accuracy(run) == pytest.approx(1 / 3)
    assert run.model == "always er"


def test_what_a_function_gets_with_context() -> None:
    calls: list[tuple[str, tuple[str, ...]]] = []

    def spy(source: str, candidates: list[str], context: Sequence[str]) -> list[float]:
        calls.append((source, tuple(context)))
        return [0.0] * len(candidates)

    referee.evaluate(spy, ITEMS[:2], context=1)
    assert {source for source, _ in calls} == {"It was number 0.", "It was number 1."}
    assert {context for _, context in calls} == {(f"The cup {number} stood there.",) for number in (0, 1)}


def test_several_sets_get_names_of_their_own(tmp_path: Path) -> None:
    referee.load("templates/de/gender").sample(6).save(tmp_path / "few.jsonl")
    run = referee.evaluate(knows_nothing, ITEMS, ITEMS[:4], tmp_path / "few.jsonl", "templates/fr/gender", limit=5)
    names = [suite.name for suite in run.info.inputs.suites]
    assert names == ["items", "items-2", str(tmp_path / "few.jsonl"), "templates/fr/gender"]
    assert [suite.items for suite in run.info.inputs.suites] == [5, 4, 5, 5]


def knows_nothing(source: str, candidates: list[str]) -> list[float]:
    return [float(len(text)) for text in candidates]


def test_perturbations_are_counted_by_reason() -> None:
    run = referee.evaluate(knows_nothing, ITEMS, perturb=["phrase/he-said", "possessive/maria"])
    assert [(count.suite, count.change, count.items) for count in run.info.perturbations] == [
        ("items", "phrase/he-said", 30),
        ("items", "possessive/maria", 30),
    ]
    assert run.info.perturbations[0].changed == 30
    assert sum(run.info.perturbations[1].dropped.values()) == 30 - run.info.perturbations[1].changed
    attacks = run.findings[0].attacks
    assert attacks is not None
    assert attacks.drops[0].perturbation == "phrase/he-said"


def test_perturbations_in_their_published_form() -> None:
    twins = [
        referee.Item(
            id=f"cup-{number}",
            task="fill",
            source_lang="en",
            target_lang="en",
            source=f"The cup does not fit into the bag because _ is too {word}.",
            candidates=(referee.Candidate("the cup"), referee.Candidate("the bag")),
            gold=number,
            group="cup",
        )
        for number, word in enumerate(("large", "small"))
    ]
    for paper, first in ((False, "because _ is too large."), (True, "_ is too large.")):
        run = referee.evaluate(knows_nothing, twins, perturb=["part-sent"], paper=paper)
        assert run.sets[1].items[0].source == first
    with pytest.raises(referee.RefereeError, match="'swap' has no published form"):
        referee.evaluate(knows_nothing, twins, perturb=["swap"], paper=True)


def test_breakdowns() -> None:
    run = referee.evaluate(knows, ITEMS, by=["label"])
    assert {name: [row.key for row in rows] for name, rows in run.findings[0].by.items()} == {"label": ["even", "odd"]}


def test_a_folder_is_resumed_with_the_same_function_only(tmp_path: Path) -> None:
    first = referee.evaluate(knows, ITEMS, out=tmp_path / "run")
    assert (first.reused, first.temporary) == (False, False)
    again = referee.evaluate(knows, ITEMS, out=tmp_path / "run")
    assert again.reused
    assert list(again.findings) == list(first.findings)
    with pytest.raises(referee.RefereeError, match="already contains a different run"):
        referee.evaluate(knows_nothing, ITEMS, out=tmp_path / "run")


def test_scores_from_a_list_and_from_a_file_are_one_run(tmp_path: Path) -> None:
    values = [float((7 * number) % 5) for number in range(90)]
    (tmp_path / "scores").write_text("".join(f"{value}\n" for value in values))
    listed, filed = referee.score(ITEMS, scores=values), referee.score(ITEMS, scores=tmp_path / "scores")
    assert list(listed.findings) == list(filed.findings)
    assert (listed.model, filed.model) == ("scores", f"scores:{tmp_path / 'scores'}")
    lower = referee.score(ITEMS, scores=[-value for value in values], lower_is_better=True)
    assert accuracy(lower) == accuracy(listed)


def test_translations_from_a_list_and_from_a_file(tmp_path: Path) -> None:
    lines = ["Er war hungrig." if number % 2 else "Sie war hungrig." for number in range(30)]
    (tmp_path / "out").write_text("".join(f"{line}\n" for line in lines))
    listed, filed = referee.score(ITEMS, translations=lines), referee.score(ITEMS, translations=tmp_path / "out")
    assert list(listed.findings) == list(filed.findings)
    assert listed.info.inputs.model_sha256 == filed.info.inputs.model_sha256


def test_items_need_not_be_a_list() -> None:
    run = referee.score((entry for entry in ITEMS), scores=[1.0, 0.0, 0.0] * 30)
    assert accuracy(run) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, UsageError, "expected either translations or scores"),
        ({"scores": [1.0], "translations": ["a"]}, UsageError, "expected either translations or scores"),
        ({"translations": ["a"] * 30, "lower_is_better": True}, UsageError, "has no effect on translations"),
        ({"scores": [1.0] * 89}, InputError, "expected 90 scores, one per candidate, but found 89"),
        ({"translations": ["a"] * 31}, InputError, "expected 30 translations, one per item, but found 31"),
        ({"scores": [float("inf")] * 90}, InputError, "the score at index 0 is inf"),
    ],
)
def test_what_cannot_be_scored(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        referee.score(ITEMS, **arguments)  # type: ignore[arg-type]


def test_items_with_a_score_of_nan_are_dropped_and_counted(tmp_path: Path) -> None:
    scores = [1.0, 0.0, 0.0] * 30
    scores[4] = scores[30] = math.nan
    lines = tmp_path / "scores.txt"
    lines.write_text("".join(f"{score}\n" for score in scores))
    for lower in (True, False):
        for given in (scores, lines):
            run = referee.score(ITEMS, scores=given, lower_is_better=lower)
            assert run.info.counts is not None
            assert run.info.counts.dropped == {"score is NaN": 2}
            assert run.info.counts.judged == 28


def test_a_function_that_returns_nan_decides_nothing() -> None:
    def broken(source: str, candidates: list[str]) -> list[float]:
        return [-1.0, *[math.nan] * (len(candidates) - 1)]

    run = referee.evaluate(broken, ITEMS)
    assert run.info.counts is not None
    assert run.info.counts.dropped == {"score is NaN": 30}
    assert run.findings[0].overall is None


def test_what_cannot_be_evaluated(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no set to evaluate on"):
        referee.evaluate(knows)
    with pytest.raises(UsageError, match=r"--how: 'loud' is not a valid mode. Choose auto, contrastive"):
        referee.evaluate(knows, ITEMS, how="loud")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="workers= needs a model spec"):
        referee.evaluate(knows, ITEMS, workers=2)
    with pytest.raises(UnknownNameError, match="unknown suite 'templates/de/gendre'"):
        referee.evaluate(knows, "templates/de/gendre")
    with pytest.raises(MissingError, match="does not exist"):
        referee.evaluate(knows, tmp_path / "nothing.jsonl")
    with pytest.raises(InputError, match="occurs twice"):
        referee.evaluate(knows, [ITEMS[0], ITEMS[0]])


def test_gaps_and_choices_can_be_scored_by_a_function() -> None:
    fill = Item(
        id="f",
        task="fill",
        source_lang="en",
        target_lang="en",
        source="The cup broke because _ was thin.",
        candidates=(Candidate("the cup"), Candidate("the table")),
        gold=0,
    )
    choose = Item(
        id="c",
        task="choose",
        source_lang="en",
        target_lang="en",
        source="The street was wet.",
        question="cause",
        candidates=(Candidate("It was noon."), Candidate("It rained.")),
        gold=1,
    )

    def sensible(source: str, candidates: list[str]) -> list[float]:
        return [float("cup" in text or "rained" in text) for text in candidates]

    assert accuracy(referee.evaluate(sensible, [fill, choose])) == 1.0


def test_a_callable_from_evaluation_to_the_page(tmp_path: Path) -> None:
    """One function through evaluate, diagnose, compare and report."""
    right, wrong = referee.evaluate(knows, ITEMS, name="knows"), referee.evaluate(knows_nothing, ITEMS, name="length")
    (row,) = right.diagnose().scorecard
    assert (row.suite, row.items) == ("items", 30)
    comparison = referee.compare(wrong, right, by=["label"])
    (pair,) = comparison.pairs
    items = pair.comparisons[0].items
    assert items is not None
    assert items.difference == pytest.approx(1 - (accuracy(wrong) or 0.0))
    page = referee.report(right, wrong, out=tmp_path / "page.html", title="Two functions")
    assert page.title == "Two functions"
    text = (tmp_path / "page.html").read_text()
    assert "knows" in text
    assert "length" in text


def test_how_it_was_called_is_kept() -> None:
    items = [msgspec.structs.replace(item, source_context=("A dog ran.",)) for item in ITEMS]
    run = referee.evaluate(
        lambda source, candidates: [0.0] * 3, items, command=["eval", "me"], context=1, separator="|"
    )
    assert run.info.command == ["eval", "me"]
    settings = run.info.inputs.settings
    assert [settings[name] for name in ("norm", "part", "context", "separator")] == ["ppl", "whole", "1", "|"]
    assert run.info.idle_settings == ["norm", "part"]
    assert "|context:1|how:auto|separator:||too_long:refuse|" in run.info.signature
    assert referee.score(ITEMS, scores=[1.0, 0.0, 0.0] * 30, command=["score"]).info.command == ["score"]


def test_only_the_first_items() -> None:
    run = referee.evaluate(knows, ITEMS, limit=4)
    assert run.info.counts is not None
    assert run.info.counts.items == 4


def test_the_thesaurus_is_that_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(referee.RefereeError, match=r"none\.dat"):
        referee.evaluate(knows, ITEMS, perturb=["synonym"], thesaurus=str(tmp_path / "none.dat"))


class Counting:
    """Prefers the first candidate, and counts what it scores."""

    def __init__(self) -> None:
        self.scored = 0

    def identity(self) -> Identity:
        return Identity("c" * 64)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        for number, pair in enumerate(pairs):
            self.scored += 1
            yield number, TokenScores((float(pair.target.startswith("Er")),))


def test_a_cache_answers_the_next_time(tmp_path: Path) -> None:
    first, second, third = Counting(), Counting(), Counting()
    run = referee.evaluate(first, ITEMS, cache=tmp_path / "cache")
    again = referee.evaluate(second, ITEMS, cache=str(tmp_path / "cache"))
    assert (first.scored, second.scored) == (90, 0)
    assert list(again.findings) == list(run.findings)
    assert accuracy(run) == pytest.approx(1 / 3)
    assert run.model == "Counting"
    referee.evaluate(third, ITEMS)
    assert third.scored == 90


def test_recorded_scores_need_no_cache_and_no_options(tmp_path: Path) -> None:
    (tmp_path / "scores").write_text("1\n0\n0\n" * 30)
    spec = f"scores:{tmp_path / 'scores'},better=lower"
    run = referee.evaluate(spec, ITEMS, cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
    assert (run.model, run.info.inputs.settings, run.info.inputs.chunk) == (spec, {"better": "lower"}, 1000)
    with pytest.raises(UsageError, match=r"have no effect on files. Remove them"):
        referee.evaluate(spec, ITEMS, norm="sum")


def test_options_of_a_spec_are_settings() -> None:
    run = referee.evaluate("command:cat,timeout=30", ITEMS[:3], too_long="drop")
    assert run.info.inputs.settings == {
        "timeout": "30",
        "command": "cat",
        "how": "auto",
        "norm": "ppl",
        "part": "whole",
        "context": "0",
        "separator": " ",
        "too_long": "drop",
    }
    assert (run.model, run.info.command) == ("command:cat,timeout=30", [])
    assert [verdict.output for verdict in run.sets[0].verdicts] == [entry.source for entry in ITEMS[:3]]
    assert "timeout" not in referee.evaluate(always_er, ITEMS[:3]).info.inputs.settings


def test_breakdowns_of_scores() -> None:
    run = referee.score(ITEMS, scores=[1.0, 0.0, 0.0] * 30, by=["label"])
    rows = {name: [(row.key, row.items, row.correct) for row in rows] for name, rows in run.findings[0].by.items()}
    assert rows == {"label": [("even", 15, 5), ("odd", 15, 5)]}
    assert list(referee.score(ITEMS, scores=[1.0, 0.0, 0.0] * 30, by=[]).findings[0].by) == []


def test_a_checkpoint_of_comet_must_be_there(tmp_path: Path) -> None:
    """Without one there is nothing to miss."""
    with pytest.raises(MissingError, match="nowhere: is not a COMET checkpoint"):
        referee.evaluate(always_er, ITEMS, comet=str(tmp_path / "nowhere"))
    with pytest.raises(MissingError, match="nowhere: is not a COMET checkpoint"):
        referee.score(ITEMS, translations=["Er war hungrig."] * 30, comet=tmp_path / "nowhere")
    run = referee.score(ITEMS, translations=["Er war hungrig."] * 30, comet=None)
    assert "comet" not in [score.name for score in run.findings[0].quality]


def test_scores_have_the_name_they_are_given(tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    run = referee.score(
        ITEMS,
        scores=[1.0, 0.0, 0.0] * 30,
        name="mine",
        out=str(tmp_path / "run"),
        progress=lambda done, total: told.append((done, total)),
    )
    assert (run.model, run.folder, run.temporary) == ("mine", tmp_path / "run", False)
    assert told[-1] == (30, 30)
