"""One sentence on the first step that fails."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from referee.analysis.steps import steps
from referee.reports.wording import headline
from referee.reports.wording.steps import part_verdict, phenomenon_name, step_sentence, step_sentences
from tests.analysis.test_steps import GOOD, made, outcome

ALL = {"markable": GOOD, "verb-overlap": GOOD, "gender": GOOD}
SENTENCES = [
    (ALL, "No step fails: markable detection, coreference and language translation are above chance."),
    (
        ALL | {"verb-overlap": (60, 200)},
        "First step that fails: coreference (overlap 30.0%, below chance).",
    ),
    (
        ALL | {"verb-overlap": (1000, 2000), "gender": (0, 200)},
        "First step that fails: coreference (overlap 50.0%, at chance).",
    ),
    (
        ALL | {"verb-overlap": (92, 200)},
        "First step that fails: coreference (overlap 46.0%, not above chance).",
    ),
    (ALL | {"markable": (60, 200)}, "First step that fails: markable detection (30.0%, below chance)."),
    (
        ALL | {"event": (100, 200)},
        "First step that fails: coreference (event 50.0%, worse than 'always masculine').",
    ),
    (
        ALL | {"markable": (12, 20)},
        "No step is shown to fail. Inconclusive: markable detection (60.0%, needs about 95 more groups).",
    ),
    (
        ALL | {"markable": (12, 20), "verb-overlap": (60, 200)},
        "First step that fails: coreference (overlap 30.0%, below chance). "
        "Inconclusive before it: markable detection (60.0%, needs about 95 more groups).",
    ),
    (
        {"verb-overlap": GOOD, "gender": GOOD},
        "No tested step fails: coreference and language translation are above chance. Not tested: markable detection.",
    ),
]


@pytest.mark.parametrize(("figures", "sentence"), SENTENCES)
def test_sentences(figures: Mapping[str, tuple[int, int]], sentence: str) -> None:
    assert step_sentence(outcome(figures)) == sentence


def test_several_languages_are_named() -> None:
    french = [made("markable", 60, 200, target_lang="fr"), made("gender", *GOOD, target_lang="fr")]
    german = [made(name, *figure) for name, figure in ALL.items()]
    assert step_sentences(steps([*german, *french])) == (
        f"de: {SENTENCES[0][1]} "
        "fr: First step that fails: markable detection (30.0%, below chance). Not tested: coreference."
    )


def test_the_headline_opens_with_the_step() -> None:
    assert headline([], [outcome(ALL)]) == SENTENCES[0][1]
    assert headline([]) == ""


def test_a_part_has_a_verdict() -> None:
    part = outcome(ALL | {"world-knowledge": (60, 200)}).parts[2]
    assert phenomenon_name(part) == "world knowledge"
    assert part_verdict(part) == "Below chance (50.0%)."
