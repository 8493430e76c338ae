"""What the demo does: its samples and its steps."""

from __future__ import annotations

import shlex
from pathlib import Path

from referee.demo.plan import SAMPLES, STEPS, Sample


def test_every_step_has_its_samples() -> None:
    named = [name for step in STEPS.values() for name in step.samples]
    assert set(named) == set(SAMPLES)
    assert all(name == step.name for name, step in STEPS.items())


def test_a_small_share_still_has_some() -> None:
    assert len(list(Sample("de/gender", ("gender",), 180).items(0.0001))) == 3


def test_a_sample_names_its_language_and_file() -> None:
    sample = Sample("fr/overlap", ("verb-overlap", "object-overlap"), 6)
    assert (sample.language, sample.file) == ("fr", "fr-overlap")
    items = list(sample.items(1.0))
    assert {item.target_lang for item in items} == {"fr"}
    assert {item.label for item in items} == {"verb-overlap", "object-overlap"}
    # So many groups of each template, the same ones every time.
    assert len({item.group_id for item in items}) == 12
    assert items == list(sample.items(1.0))


def test_a_step_is_a_command_that_can_be_typed() -> None:
    step = STEPS["de-attacks"]
    command = step.command(Path("my demo"))
    assert command[:4] == ["referee", "eval", "pocket", "my demo/sets/de-gender.jsonl"]
    assert command[command.index("--context") + 1] == "1"
    assert [command[index + 1] for index, word in enumerate(command) if word == "--perturb"] == list(step.attacks)
    assert shlex.split(step.shell(Path("my demo"))) == command
