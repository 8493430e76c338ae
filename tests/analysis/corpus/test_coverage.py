from __future__ import annotations

import pytest

from referee.analysis.corpus.coverage import Compared, Coverage, compare, coverage
from referee.errors import UnknownNameError
from referee.verdicts import Judged, Verdict
from tests.support.items import item

LINES = [
    # translation, reference
    ("Er kam, und er ging.", "Er kam und ging."),  # one too many
    ("Sie kam.", "Sie kam."),
    ("Es kam.", "Sie kam."),  # another gender
    ("", "Es regnet, es schneit."),  # nothing
    ("Da kommen Sie.", "Da kommen Sie."),  # polite: none
    ("Ja.", "Nein."),
    ("Es regnet.", "Regen."),  # only the translation has it
]


def compared(lines: list[tuple[str, str]], language: str = "de") -> Coverage:
    return compare((Compared(ours, theirs, str(place)) for place, (ours, theirs) in enumerate(lines)), language)


def test_counts_and_lines() -> None:
    found = compared(LINES)
    assert (found.lines, found.left_out) == (7, 0)
    assert [
        (own.gender, own.reference, own.translations, own.coverage, own.lines, own.same, own.same_share)
        for own in found.genders
    ] == [
        ("m", 1, 2, 2.0, 1, 1, 1.0),
        ("f", 2, 1, 0.5, 2, 1, 0.5),
        ("n", 2, 2, 1.0, 1, 0, 0.0),
        ("all", 5, 5, 1.0, 4, 2, 0.5),
    ]
    assert [own.ambiguous for own in found.genders] == [False, True, False, True]


def test_intervals_hold_the_figures() -> None:
    for own in compared(LINES * 20).genders:
        assert own.coverage is not None
        assert own.same_share is not None
        assert own.interval is not None
        assert own.same_interval is not None
        assert own.interval[0] <= own.coverage <= own.interval[1]
        assert own.same_interval[0] <= own.same_share + 1e-9 <= own.same_interval[1] + 2e-9


def test_the_interval_of_many_lines_is_narrower_and_always_the_same() -> None:
    few, many = (compared(LINES * times).genders[3].interval for times in (10, 1000))
    assert few is not None
    assert many is not None
    assert many[1] - many[0] < (few[1] - few[0]) / 5
    assert compared(LINES) == compared(LINES)


def test_pronouns_that_are_not_there_have_no_figures() -> None:
    found = compared([("Ja.", "Nein.")])
    assert [(own.coverage, own.interval, own.same_share, own.same_interval) for own in found.genders] == [
        (None, None, None, None)
    ] * 4
    assert compared([]).genders[0].coverage is None


def test_lines_of_one_group_are_drawn_together() -> None:
    """With one group every draw is the same."""
    together = compare((Compared(ours, theirs, "g") for ours, theirs in LINES), "de")
    assert [row.interval for row in together.genders] == [(2.0, 2.0), (0.5, 0.5), (1.0, 1.0), (1.0, 1.0)]


def test_draws_without_a_pronoun_say_nothing() -> None:
    """Half of the groups have none: where only those are drawn, there is nothing to divide by."""
    masculine = compared([("Er kam, und er ging.", "Er kam."), ("Ja.", "Nein.")]).genders[0]
    assert masculine.interval == (2.0, 2.0)
    assert masculine.same_interval is not None
    assert masculine.same_interval[1] == 1.0


def test_perfect_translations_cover_everything() -> None:
    found = compared([(text, text) for _, text in LINES])
    assert [(own.coverage, own.same_share) for own in found.genders] == [(1.0, 1.0)] * 4
    assert all(own.interval == (1.0, 1.0) for own in found.genders)


def test_other_languages() -> None:
    french = compared([("Il y a elle.", "Il y a un chat. Elle dort.")], "fr")
    assert [(own.gender, own.reference, own.translations) for own in french.genders] == [
        ("m", 1, 1),
        ("f", 1, 1),
        ("all", 2, 2),
    ]
    # Accents may be written in two ways.
    assert compared([("e\u0301l", "él")], "es").genders[0].coverage == 1.0
    with pytest.raises(UnknownNameError):
        compared([("a", "b")], "xx")


def judged(*cases: tuple[str | None, str | None], language: str = "de") -> Judged:
    items = [
        item(id=str(place), target_lang=language, reference=reference, group="g" if place < 2 else None)
        for place, (_, reference) in enumerate(cases)
    ]
    verdicts = [
        Verdict(item=str(place), kind="generative", output=output, dropped=None if output else "too long")
        for place, (output, _) in enumerate(cases)
    ]
    return Judged("set", "generative", items, verdicts)


def test_of_a_run() -> None:
    found = coverage(judged(("Er kam.", "Er ging."), ("Es kam.", "Er kam."), (None, "Er."), ("Sie.", None)))
    assert found is not None
    assert (found.lines, found.left_out) == (2, 2)
    assert (found.genders[0].reference, found.genders[0].translations) == (2, 1)


def test_a_run_without_references_or_in_a_language_without_pronouns() -> None:
    assert coverage(judged(("Er kam.", None))) is None
    assert coverage(judged(("Er kam.", "Er ging."), language="zh")) is None
    assert coverage(judged()) is None


def test_a_run_in_two_languages_has_no_coverage() -> None:
    german, french = judged(("Er kam.", "Er ging.")), judged(("Il vint.", "Il vint."), language="fr")
    both = Judged("set", "generative", [*german.items, *french.items], [*german.verdicts, *french.verdicts])
    assert coverage(both) is None
