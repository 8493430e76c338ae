"""What context gives a translator, and what it does with templates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.build.templates import open_templates
from referee.train.recipes.translator import probes
from referee.train.recipes.translator.corpus import Line
from tests.support.held_out import KNOWN, Echo, line


def write_sets(data: Path) -> list[Line]:
    """The sets with expected forms, two rows each; those of every second film are held out."""
    test = []
    for phenomenon, language, places in probes._SETS:
        for place in places:
            pair = f"en-{language}"
            if place == "paper":
                mini = "" if phenomenon == "auxiliary" else "mini."
                stem = f"{mini}{phenomenon}.opensubtitles.{pair}.test"
                records, inputs = f"paper/jsons/{stem}.json", f"paper/inputs/{stem}"
            else:
                stem = f"{phenomenon}.opensubtitles.{pair}.{place}"
                records, inputs = f"release/evalsets/{stem}.json", f"release/inputs/{stem}"
            rows = [
                {
                    "document id": f"de-en/2017/2017_{number}_{place}",
                    "segment id": 1,
                    "rule": "DO.ELL",
                    "expected": "tut",
                    "src segment": "He does.",
                    "ref segment": "Das tut er.",
                }
                for number in range(3)
            ]
            for name in (records, inputs):
                (data / "ctxpro" / name).parent.mkdir(parents=True, exist_ok=True)
            (data / "ctxpro" / records).write_text(json.dumps(rows))
            first = ["Who sings?", "Who dances?", KNOWN + " Or not."]
            (data / "ctxpro" / inputs).write_text("".join(f"{one}<eos> He does.\n" for one in first))
            test += [line(number, ("He does.",), ("Das tut er.",), corpus=f"reference {stem}") for number in (0, 2)]
    return test


def test_what_context_gives(tmp_path: Path) -> None:
    test = write_sets(tmp_path)
    found = probes.context_gains(Echo({}), tmp_path, test, {KNOWN + " Or not."})
    assert [each["set"] for each in found][:2] == ["auxiliary en-de", "auxiliary en-es"]
    for each, (_, _, places) in zip(found, probes._SETS, strict=True):
        assert (each["items"], each["left out, seen"]) == (len(places), len(places))
        # One group that gains is no certainty: another as large might lose, with a weight between 0 and 1.
        low = 1 - 2 * 0.975
        assert each["paper"] == {
            "alone": 0,
            "with context": 1,
            "difference": 1,
            "interval": pytest.approx((low, 1)),
        }


def test_templates_and_priors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "ITEMS", 60)
    made = open_templates("fr")
    model = Echo({})
    gender, prior = (probes._template(model, "fr", list(made.items([name]))) for name in ("gender", "position-prior"))
    assert (gender["items"], gender["chance"]) == (60, 0.5)
    # The shorter of "il" and "elle", always.
    assert gender["chosen genders"] == prior["chosen genders"] == {"m": 1.0}
    assert 0 < gender["accuracy"] == gender["accuracy by sum"] < 1
    assert "accuracy" not in prior
    # Which noun that is depends on where the masculine one stands.
    assert sum(prior["chosen referent"].values()) == pytest.approx(1)
    again = probes._template(model, "fr", list(made.items(["gender"])))
    assert again == gender
