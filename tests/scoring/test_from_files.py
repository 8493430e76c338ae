"""From answers to verdicts: strictly the best one wins, ties are wrong, numbers are numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import sets
from referee.errors import InputError
from referee.items import Item, Origin, Span
from referee.models.files import ScoreFile, TranslationFile
from referee.scoring.decision import contrastive, generative
from referee.scoring.dispatch import start_pass
from referee.scoring.options import ScoringOptions
from referee.scoring.survey import survey
from referee.verdicts import Rule, Verdict
from tests.support.items import item


@pytest.mark.parametrize(
    ("scores", "gold", "higher", "correct", "choice", "ranks"),
    [
        ([3.0, 2.0, 1.0], 0, True, True, 0, (1, 2, 3)),
        ([3.0, 2.0, 1.0], 0, False, False, 2, (3, 2, 1)),
        ([3.0, 2.0, 1.0], 2, False, True, 2, (3, 2, 1)),
        ([3.0, 2.0, 1.0], 1, True, False, 0, (1, 2, 3)),
        ([-5.0, -4.0], 1, True, True, 1, (2, 1)),
        ([-5.0, -4.0], 1, False, False, 0, (1, 2)),
        ([10.2, 9.1], 0, True, True, 0, (1, 2)),  # as text, "9.1" would be the greater
        ([10.2, 9.1], 1, False, True, 1, (2, 1)),
        ([1.0, 1.0 + 1e-15], 1, True, True, 1, (2, 1)),
        ([1.0, 1.0, 0.0], 0, True, False, None, (1, 1, 3)),  # shared: wrong, whoever has the gold
        ([1.0, 1.0, 0.0], 1, True, False, None, (1, 1, 3)),
        ([1.0, 1.0, 0.0], 2, True, False, None, (1, 1, 3)),
        ([1.0, 0.0, 0.0], 0, True, True, 0, (1, 2, 2)),  # shared further down: no matter
        ([1.0, 1.0, 0.0], 2, False, True, 2, (2, 2, 1)),
        ([0.0, -0.0], 0, True, False, None, (1, 1)),
        ([2.0, 1.0], None, True, None, 0, (1, 2)),
        ([1.0, 1.0], None, True, None, None, (1, 1)),
    ],
)
def test_contrastive(
    scores: list[float],
    gold: int | None,
    higher: bool,
    correct: bool | None,
    choice: int | None,
    ranks: tuple[int, ...],
) -> None:
    verdict = contrastive("a", scores, gold, higher=higher)
    assert verdict == Verdict(
        item="a",
        kind="contrastive",
        correct=correct,
        tied=choice is None,
        choice=choice,
        scores=tuple(scores),
        ranks=ranks,
    )


@given(st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=5), st.data())
def test_higher_and_lower_mirror_each_other(scores: list[float], data: st.DataObject) -> None:
    gold = data.draw(st.integers(0, len(scores) - 1))
    one = contrastive("a", scores, gold, higher=True)
    other = contrastive("a", [-score for score in scores], gold, higher=False)
    assert (one.correct, one.choice, one.ranks, one.tied) == (other.correct, other.choice, other.ranks, other.tied)
    assert one.correct is all(scores[gold] > score for index, score in enumerate(scores) if index != gold)


@pytest.mark.parametrize("token", [True, False])
@pytest.mark.parametrize("paper", [True, False])
def test_generative(paper: bool, token: bool) -> None:
    """The published rule decides, and what both found is kept."""
    by_rule: dict[Rule, bool] = {"paper": paper, "token": token}
    verdict = generative("a", "Sie kam.", by_rule)
    assert verdict == Verdict(item="a", kind="generative", correct=paper, output="Sie kam.", found=by_rule)


def test_survey() -> None:
    items = [item(id="a", expected=("er",)), item(id="b"), item(id="c", candidates=(), gold=None)]
    challenge = sets.of_items("x", items)
    surveyed = survey(challenge)
    assert (surveyed.name, surveyed.fingerprint) == ("x", challenge.fingerprint())
    assert (surveyed.candidates, surveyed.contrastable, surveyed.matchable, surveyed.perturbed) == (6, 2, 2, 0)


def test_survey_of_attacked_items() -> None:
    items = [item(id="a"), item(id="b", origin=Origin("a", "p", "attack"))]
    assert survey(sets.of_items("x", items)).perturbed == 1


def test_only_translations_are_told_apart_by_their_words() -> None:
    fill = item(task="fill", source="I saw _ run.", candidates=item().candidates)
    assert survey(sets.of_items("x", [fill])).matchable == 0


def judged(items: list[Item], model: ScoreFile | TranslationFile) -> list[Verdict]:
    return start_pass(model, survey(sets.of_items("x", items)), ScoringOptions()).evaluate(items, lambda _: None)


def test_every_candidate_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("1\n2\n3\n9.1\n10.2\n")
    items = [
        item(id="a", gold=2),
        item(id="b", candidates=(), gold=None),
        item(id="c", candidates=item().candidates[:2]),
    ]
    high = judged(items, ScoreFile(tmp_path / "s"))
    assert [verdict.correct for verdict in high] == [True, None, False]
    assert [verdict.dropped for verdict in high] == [None, "no candidates", None]
    assert [verdict.scores for verdict in high] == [(1.0, 2.0, 3.0), (), (9.1, 10.2)]
    low = judged(items, ScoreFile(tmp_path / "s", "lower"))
    assert [verdict.correct for verdict in low] == [False, None, True]


def test_skipping_passes_over_the_lines_of_an_item(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("1\n2\n3\n4\n5\n6\n")
    items = [item(id="a"), item(id="b")]
    resumed = start_pass(ScoreFile(tmp_path / "s"), survey(sets.of_items("x", items)), ScoringOptions())
    resumed.skip(items[:1])
    assert [verdict.scores for verdict in resumed.evaluate(items[1:], lambda _: None)] == [(4.0, 5.0, 6.0)]


def test_outputs_are_cut_to_their_last_sentence_in_the_target_language(tmp_path: Path) -> None:
    outputs = ["Sie schlief. Er war müde.", "Er traf Dr. Weber.", "irgendwas", "M. Dupont t'attend."]
    (tmp_path / "o").write_text("\n".join(outputs) + "\n")
    items = [
        item(id="a", expected=("sie",)),
        item(id="b", expected=("er",)),
        item(id="c", candidates=(), gold=None),
        item(id="d", expected=("t'",), target_lang="fr"),
    ]
    verdicts = judged(items, TranslationFile(tmp_path / "o"))
    assert [verdict.output for verdict in verdicts] == ["Er war müde.", outputs[1], None, outputs[3]]
    assert [verdict.correct for verdict in verdicts] == [False, True, None, False]
    assert verdicts[2].dropped == "no expected form"
    assert [verdict.found.get("token") for verdict in verdicts] == [False, True, None, True]


def test_without_an_expected_form_the_alternatives_are_looked_for(tmp_path: Path) -> None:
    """The last sentence decides; what comes before says whether the expected noun was used."""
    outputs = [
        "Er schlief. Sie war hungrig.",
        "Der Hund lief. Er hatte Hunger.",
        "Der Köter lief. Er war hungrig.",
        "Hm.",
    ]
    (tmp_path / "o").write_text("\n".join(outputs) + "\n")
    spans = (Span("antecedent", "target_context", 4, 8),)
    items = [
        item(id="a", gold=1),
        *(item(id=name, target_context=("Der Hund rannte.",), spans=spans) for name in "bc"),
        item(id="d", gold=None),
    ]
    verdicts = judged(items, TranslationFile(tmp_path / "o"))
    assert [verdict.choice for verdict in verdicts] == [1, 0, 0, None]
    assert [verdict.correct for verdict in verdicts] == [True, True, True, None]
    assert [verdict.antecedent for verdict in verdicts] == [None, True, False, None]
    assert [verdict.output for verdict in verdicts] == [
        "Sie war hungrig.",
        "Er hatte Hunger.",
        "Er war hungrig.",
        "Hm.",
    ]


def test_what_cannot_be_judged_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("1\n")
    bare = survey(sets.of_items("bare", [item(candidates=(), gold=None)]))
    with pytest.raises(InputError, match=r"no item of bare has candidates to score. Use translations instead"):
        start_pass(ScoreFile(tmp_path / "f"), bare, ScoringOptions())
    with pytest.raises(InputError, match=r"no item of bare has expected forms to look for in a translation. Score its"):
        start_pass(TranslationFile(tmp_path / "f"), bare, ScoringOptions())
    plain = survey(sets.of_items("plain", [item(expected=("er",)), item(id="b")]))
    with pytest.raises(InputError, match="expected 6 scores, one per candidate, but found 1"):
        start_pass(ScoreFile(tmp_path / "f"), plain, ScoringOptions())
    with pytest.raises(InputError, match="expected 2 translations, one per item, but found 1"):
        start_pass(TranslationFile(tmp_path / "f"), plain, ScoringOptions())
