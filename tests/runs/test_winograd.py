"""Winograd sets through the whole command: masked models on WSC and Wino-X, the pocket translator on MT-Wino-X."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import pytest

from referee import evaluate, load, score
from referee.analysis.accuracy import Findings
from tests.conftest import Command
from tests.support import tiny_models as tiny
from tests.support.published import ROOT


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make("xlmr", tmp_path_factory.mktemp("model") / "xlmr")


def findings(referee: Command, *arguments: object) -> list[dict[str, Any]]:
    done = referee("eval", *arguments, "--no-cache", "--json")
    assert done.code == 0, done.err
    entries: list[dict[str, Any]] = json.loads(done.out)["findings"]
    return entries


@pytest.mark.parametrize("language", ["de", "fr", "ru"])
def test_english_stands_beside_each_language(
    masked: Path, synthetic_data: Path, referee: Command, language: str
) -> None:
    suite = f"wino-x/lm/en-{language}"
    # The small tokenizer makes many pieces: what is too long then is counted out.
    options = ("--data", synthetic_data, "--limit", 12, "--too-long", "drop")
    other, english = findings(referee, f"mlm:{masked}", suite, f"{suite}/english", *options)
    pair = other["english"]
    assert english["english"] is None
    assert pair["english"] == f"{suite}/english"
    assert 0 < pair["items"] <= 12
    counts = pair["both_right"], pair["only_english"], pair["only_own"], pair["both_wrong"]
    assert sum(counts) == pair["items"]
    assert pair["difference"] == pytest.approx((counts[2] - counts[1]) / pair["items"])
    if pair["unpaired"] == 0:
        assert other["overall"]["correct"] == counts[0] + counts[2]
        assert english["overall"]["correct"] == counts[0] + counts[1]


def test_english_is_shown(masked: Path, synthetic_data: Path, referee: Command) -> None:
    names = ("wino-x/lm/en-de", "wino-x/lm/en-de/english")
    options = ("--data", synthetic_data, "--limit", 4, "--too-long", "drop", "--no-cache")
    done = referee("eval", f"mlm:{masked}", *names, *options)
    assert "wino-x/lm/en-de: next to English (" in done.out
    assert "wino-x/lm/en-de: chosen against correct" in done.out
    assert "only English" in done.out


def test_wsc_gives_the_same_whatever_the_batch_size(masked: Path, synthetic_data: Path, referee: Command) -> None:
    options = ("--data", synthetic_data, "--limit", 16, "--too-long", "drop")
    small, large = (findings(referee, f"mlm:{masked},tokens={size}", "wsc", *options) for size in (100, 20_000))
    # Raw scores differ in their last digits; what is decided by them does not.
    for one, other in zip(*(found[0].pop("candidate_scores") for found in (small, large)), strict=True):
        assert (one["score"], one["mean"]) == pytest.approx((other["score"], other["mean"]), rel=1e-4)
    assert small == large
    assert small[0]["overall"]["items"] > 4


def test_datasets_and_baselines_make_one_table(
    masked: Path, synthetic_data: Path, tmp_path: Path, referee: Command
) -> None:
    sets = [f"square-one/{setup}/wsc" for setup in ("pairs", "no-cands", "part-sent", "zero-shot")]
    options = ("--data", synthetic_data, "--limit", 8, "--too-long", "drop", "--no-cache")
    done = referee("eval", f"mlm:{masked}", *sets, *options, "--out", tmp_path / "run")
    assert done.code == 0, done.err
    table = done.out.partition("datasets, baselines and zero-shot\n")[2]
    assert [line.split()[1] for line in table.splitlines()[1:4]] == ["original", "no-cands", "part-sent"]
    # Zero-shot items ask for one masked position; no special word is a single token of the small vocabulary.
    assert "dropped 4 not a single token" in done.out, done.out
    (suite,) = json.loads(referee("diagnose", tmp_path / "run", "--json").out)["suites"]
    assert suite["suite"] == "square-one/pairs/wsc"
    assert [baseline["setup"] for baseline in suite["artifacts"]] == ["no-cands", "part-sent"]


def test_the_pocket_translator_on_mt_wino_x(shared_data: Path, referee: Command) -> None:
    (entry,) = findings(referee, "pocket", "wino-x/mt/en-de", "--data", shared_data, "--limit", 60)
    assert entry["overall"]["items"] == 60
    assert entry["group"]["groups"] == 30
    assert entry["chance"]["level"] == 0.5
    assert entry["group"]["independent_chance"] == pytest.approx(0.25)
    features = {rates["feature"]: rates for rates in entry["tendencies"]}
    assert set(features) == {"gender", "position"}
    assert sum(rate["chosen"] for rate in features["gender"]["values"]) == 60
    assert {rate["value"] for rate in features["position"]["values"]} == {"first", "second"}


def test_one_run_gives_the_whole_table(masked: Path, synthetic_data: Path, referee: Command) -> None:
    """Original, artifact baselines and zero-shot, each single and by group, as in Tables 1 and 3."""
    names = ("no-cands", "part-sent", "mask-special-word")
    changes = [argument for name in names for argument in ("--perturb", name)]
    options = ("--data", synthetic_data, "--limit", 24, "--too-long", "drop", "--no-cache", *changes)
    done = referee("eval", f"mlm:{masked}", "wsc", *options)
    assert done.code == 0, done.err
    table = done.out.partition("datasets, baselines and zero-shot\n")[2].partition("\n\n")[0]
    for setup in ("original", "no-cands", "part-sent"):
        assert f"wsc      {setup}" in table, table
    by_suite = {entry["suite"]: entry for entry in findings(referee, f"mlm:{masked}", "wsc", *options)}
    # The small vocabulary has few of the special words as single tokens; what it has not is dropped.
    assert set(by_suite) == {"wsc", *(f"wsc+{name}" for name in names)}


PUBLISHED = {
    ("square-one/pairs/wsc", "original"): (272, 136),
    ("square-one/pairs/wsc", "no-cands"): (228, 114),
    ("square-one/pairs/wsc", "part-sent"): (242, 121),
    ("square-one/pairs/wsc", "zero-shot/single-token"): (184, 92),
    ("square-one/pairs/wsc_non_associative", "original"): (220, 110),
    ("square-one/pairs/wsc_non_associative", "no-cands"): (186, 93),
    ("square-one/pairs/wsc_non_associative", "part-sent"): (192, 96),
    ("square-one/pairs/wsc_non_associative", "zero-shot/single-token"): (146, 73),
    ("square-one/pairs/dev", "original"): (568, 284),
    ("square-one/pairs/dev", "no-cands"): (554, 277),
    # The paper counts the item that lost its twin as a group, its 282nd.
    ("square-one/pairs/dev", "part-sent"): (563, 281),
    ("square-one/pairs/dev", "zero-shot/single-token"): (288, 144),
}
"""Items and pairs of every dataset and setup of Tables 1 and 3 of "Back to Square One"."""
TABLE_1 = {
    ("square-one/pairs/wsc", "original"): ("89.71", "79.41"),
    ("square-one/pairs/wsc", "no-cands"): (None, "40.35"),
    ("square-one/pairs/wsc", "part-sent"): ("64.88", "33.88"),
    ("square-one/pairs/wsc_non_associative", "original"): (None, "79.09"),
    ("square-one/pairs/wsc_non_associative", "no-cands"): ("58.06", "34.41"),
    ("square-one/pairs/wsc_non_associative", "part-sent"): ("59.90", "25.00"),
    ("square-one/pairs/dev", "original"): (None, "58.45"),
    ("square-one/pairs/dev", "no-cands"): ("53.07", "31.05"),
    ("square-one/pairs/dev", "part-sent"): ("53.11", None),
}
"""Published accuracy and group score; None where no whole number of our items or pairs gives it (docs/winograd.md)."""
TABLE_3 = {
    "square-one/pairs/wsc": ("56.52 61.41 63.04 73.91 55.43 78.80", "15.22 23.91 27.17 47.83 13.04 57.61"),
    "square-one/pairs/wsc_non_associative": (
        "54.79 60.27 60.27 71.23 55.48 77.40",
        "12.33 21.92 21.92 42.47 12.33 54.79",
    ),
    "square-one/pairs/dev": ("53.12 55.56 56.25 54.86 52.78 58.68", "11.11 12.50 14.58 12.50 7.64 20.83"),
}
"""Accuracies and group scores of six models, without the random row."""


def shares_of(total: int) -> set[str]:
    return {f"{100 * count / total:.2f}" for count in range(total + 1)}


def test_published_figures_are_shares_of_these_items_and_pairs() -> None:
    for key, published in TABLE_1.items():
        for share, total in zip(published, PUBLISHED[key], strict=True):
            assert share is None or share in shares_of(total), (key, share)
    for dataset, columns in TABLE_3.items():
        for column, total in zip(columns, PUBLISHED[dataset, "zero-shot/single-token"], strict=True):
            assert set(column.split()) <= shares_of(total), dataset
    assert "22.34" in shares_of(282)


def chance_levels(findings: Findings) -> tuple[float | None, float | None, float | None]:
    """The chance level of accuracy, and those of the group score: guessing once per group, and item by item."""
    assert findings.chance is not None
    assert findings.group is not None
    return findings.chance.level, findings.group.chance, findings.group.independent_chance


def documented_commands() -> list[list[str]]:
    """The commands of docs/winograd.md that give Tables 1 and 3, without the program and the model."""
    page = (ROOT / "docs" / "winograd.md").read_text(encoding="utf-8")
    section = page.partition("## Tables 1 and 3\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("$ referee eval ")]
    return [shlex.split(line)[4:] for line in lines]


def test_documented_commands_give_the_sets_pairs_and_chance_levels_of_the_paper(shared_data: Path) -> None:
    sets = {}
    for arguments in documented_commands():
        changes = [name for option, name in pairwise(arguments) if option == "--perturb"]
        suites = list(takewhile(lambda argument: not argument.startswith("--"), arguments))
        run = evaluate(
            lambda source, candidates: [float(len(text)) for text in candidates],
            *suites,
            perturb=changes,
            paper="--paper" in arguments,
            data=shared_data,
        )
        for of_set in run.findings:
            origin = of_set.origin
            key = (origin.of, origin.change) if origin is not None else (of_set.suite, "original")
            assert of_set.overall is not None
            assert of_set.group is not None
            sets[key] = (of_set.overall.items, of_set.group.groups)
            assert chance_levels(of_set) == pytest.approx((0.5, 0.5, 0.25)), key
    assert sets == PUBLISHED


def test_single_items_of_winogrande_leave_the_group_score(shared_data: Path) -> None:
    """A model with 10 of 284 pairs and 377 of 699 single items: 3.5% of pairs, where all 983 groups gave 39.4%."""
    items = list(load("winogrande/dev", data=shared_data))
    sizes = Counter(item.group_id for item in items)
    pairs = {group: number for number, group in enumerate(g for g, size in sizes.items() if size == 2)}
    singles = {group: number for number, group in enumerate(g for g, size in sizes.items() if size == 1)}
    assert (len(pairs), len(singles)) == (284, 699)
    seen: set[str] = set()
    scores: list[float] = []
    for item in items:
        first = item.group_id not in seen
        seen.add(item.group_id)
        correct = pairs[item.group_id] < 10 or first if item.group_id in pairs else singles[item.group_id] < 377
        scores += [float((index == item.gold) == correct) for index in range(2)]
    (found,) = score("winogrande/dev", scores=scores, data=shared_data).findings
    assert found.overall is not None
    assert (found.overall.items, found.overall.correct) == (1267, 10 + 284 + 377)
    assert found.group is not None
    assert (found.group.groups, found.group.singles) == (284, 699)
    assert f"{100 * found.group.score:.1f}" == "3.5"
    assert chance_levels(found) == pytest.approx((0.5, 0.5, 0.25))
    paired, unpaired = found.by["paired"]
    assert (paired.key, paired.items, paired.correct) == ("paired", 568, 294)
    assert (unpaired.key, unpaired.items, unpaired.correct) == ("unpaired", 699, 377)
    assert [figure.groups for figure in found.candidate_scores] == [284, 284]
    # With every item a group of its own, as before, the same answers gave 39.4%.
    assert f"{100 * (10 + 377) / 983:.1f}" == "39.4"
