"""Winograd sets through the whole command: masked models on WSC and Wino-X, the pocket translator on MT-Wino-X."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command
from tests.support import tiny_models as tiny


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
    assert (entry["chance"], entry["group"]["chance"]) == (0.5, 0.25)
    assert 0 <= entry["p"] <= 1
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
