"""Charts of accuracy: every mark where its figure is."""

from __future__ import annotations

import msgspec

from referee.reports.charts import accuracy_by, accuracy_by_language, group_scores
from referee.stats.worst_group import clopper_pearson
from tests.support.pictures import near, picture
from tests.support.planted import findings_from, judged, labelled, paired

TEMPLATES = {"verb": (20, 5), "object": (10, 9), "subject": (40, 20)}


def percent(bounds: tuple[float, float]) -> tuple[float, float]:
    return bounds[0] * 100, bounds[1] * 100


def test_labels_from_the_most_often_right_to_the_least() -> None:
    chart = accuracy_by({"run": labelled(TEMPLATES)})
    seen = picture(chart)
    rows = sorted((y, words) for words, _, y in seen.texts if words in (*TEMPLATES, "all items"))
    assert [words for _, words in rows] == ["all items", "object", "subject", "verb"]
    assert seen.dots("c1") == near([34 / 70 * 100, 90, 50, 25])
    sure = [clopper_pearson(*counts) for counts in ((34, 70), (9, 10), (20, 40), (5, 20))]
    assert [end for ends in seen.spans("c1") for end in ends] == near([end for one in sure for end in percent(one)])
    assert [words for words in seen.words if "." in words and "chance" not in words] == ["48.6", "90.0", "50.0", "25.0"]
    assert chart is not None
    assert chart.title == "suite: accuracy by label"
    assert chart.about == (
        "Accuracy by label with 95% CI: highest 90.0% (object), lowest 25.0% (verb). "
        "The dashed line is the chance level, 100.0%."
    )


def test_the_line_of_chance() -> None:
    own = labelled(TEMPLATES)
    # Of the planted items one gender is always correct.
    assert own.chance is not None
    own = msgspec.structs.replace(own, chance=msgspec.structs.replace(own.chance, level=1 / 3))
    seen = picture(accuracy_by({"run": own}))
    assert seen.uprights("soft") == near([100 / 3])
    assert "chance 33.3%" in seen.words
    assert [seen.value(seen.position("chance 33.3%")[0])] == near([100 / 3])


def test_runs_side_by_side() -> None:
    other = labelled({"verb": (20, 20), "object": (10, 0), "new": (4, 1)})
    seen = picture(accuracy_by({"first": labelled(TEMPLATES), "second": other}))
    # By the mean of both: verb 62.5, subject 50, object 45, new 25.
    assert seen.dots("c1") == near([34 / 70 * 100, 25, 50, 90])
    assert seen.dots("c2") == near([21 / 34 * 100, 100, 0, 25])
    assert {"first", "second"} <= set(seen.words)


def test_the_interval_is_that_of_the_figure() -> None:
    own = paired([(True, True), (True, False), (False, False), (True, False)])
    assert own.overall is not None
    own = msgspec.structs.replace(own, by={"label": [msgspec.structs.replace(own.overall, key="twins")]})
    assert own.overall is not None
    assert picture(accuracy_by({"run": own})).spans("c1")[0] == near(percent(own.overall.interval))


def test_one_label_is_all_items() -> None:
    seen = picture(accuracy_by({"run": labelled({"verb": (4, 1)})}))
    assert "all items" not in seen.words
    assert seen.dots("c1") == near([25])


def test_numbers_stay_in_order() -> None:
    chart = accuracy_by({"run": labelled({"10": (4, 4), "9": (4, 0), "2": (4, 2)})})
    assert picture(chart).dots("c1") == near([50, 50, 0, 100])


def test_the_largest_of_many_labels() -> None:
    chart = accuracy_by({"run": labelled({f"t{number:02}": (number + 1, number // 2) for number in range(50)})})
    seen = picture(chart)
    assert len(seen.dots("c1")) == 41
    assert "t10" in seen.words
    assert "t09" not in seen.words
    assert "Only the 40 of 50 with the most items are shown." in seen.words
    assert chart is not None
    assert len(chart.svg) < 25_000


def test_many_labels_of_many_runs_stay_readable() -> None:
    own = labelled({f"t{number:02}": (number + 1, number // 2) for number in range(50)})
    chart = accuracy_by({f"run {number}": own for number in range(8)})
    assert chart is not None
    assert len(chart.svg) < 25_000
    assert len(picture(chart).dots("c8")) == 21


def test_as_many_runs_as_colours() -> None:
    seen = picture(accuracy_by({f"run {number}": labelled(TEMPLATES) for number in range(10)}))
    assert "run 7" in seen.words
    assert "run 8" not in seen.words
    assert "Only the first 8 of 10 are shown." in seen.words


def test_another_breakdown() -> None:
    seen = picture(accuracy_by({"run": labelled(TEMPLATES)}, "gender"))
    assert seen.dots("c1") == near([34 / 70 * 100])
    assert "masculine" in seen.words


def test_no_labels_no_chart() -> None:
    assert accuracy_by({}) is None
    assert accuracy_by({"run": findings_from(judged("a", 3, 1))}) is None
    assert accuracy_by({"run": findings_from([])}) is None


LANGUAGES = {"copa/et": "Estonian", "copa/qu": "Quechua", "copa/th": "Thai"}


def test_languages_not_seen_are_hatched() -> None:
    rights = {"copa/et": 12, "copa/qu": 8, "other": 3}
    results = {"run": [findings_from(judged(suite, 20, right), suite) for suite, right in rights.items()]}
    chart = accuracy_by_language(results, LANGUAGES, {"Quechua", "Thai"})
    seen = picture(chart)
    assert seen.bars("c1") == near([60])
    assert seen.bars("url") == near([40])
    assert [words for words in seen.words if words in LANGUAGES.values()] == ["Estonian", "Quechua"]
    assert "not seen in training" in seen.words
    sure = percent(clopper_pearson(12, 20)), percent(clopper_pearson(8, 20))
    assert [end for ends in seen.spans("ink") for end in ends] == near([*sure[0], *sure[1]])
    assert chart is not None
    assert "<pattern" in chart.svg
    assert "Hatched, because not seen in training: Quechua." in chart.about


def test_languages_of_several_runs() -> None:
    results = {
        name: [findings_from(judged(suite, 20, right), suite) for suite, right in rights.items()]
        for name, rights in {"one": {"copa/et": 12, "copa/th": 4}, "two": {"copa/et": 20}}.items()
    }
    chart = accuracy_by_language(results, LANGUAGES)
    seen = picture(chart)
    assert seen.bars("c1") == near([60, 20])
    assert seen.bars("c2") == near([100])
    assert chart is not None
    assert "<pattern" not in chart.svg
    assert "not seen in training" not in seen.words


def test_two_suites_of_a_language_are_told_apart() -> None:
    results = {"run": [findings_from(judged(suite, 20, 10), suite) for suite in ("copa/et", "copa/et/val")]}
    seen = picture(accuracy_by_language(results, {"copa/et": "Estonian", "copa/et/val": "Estonian"}))
    assert {"Estonian (copa/et)", "Estonian (copa/et/val)"} <= set(seen.words)


def test_no_languages_no_chart() -> None:
    assert accuracy_by_language({}, LANGUAGES) is None
    assert accuracy_by_language({"run": [findings_from(judged("a", 3, 1), "other")]}, LANGUAGES) is None
    assert accuracy_by_language({"run": [findings_from([], "copa/et")]}, LANGUAGES) is None


HABIT = [(True, False)] * 6 + [(True, True)] * 2


def test_whole_groups_beside_what_independent_errors_give() -> None:
    seen = picture(group_scores({"habit": paired(HABIT)}))
    assert seen.dots("c1") == near([62.5])
    assert seen.dots("c2") == near([25])
    assert seen.uprights("ink") == near([62.5**2 / 100])
    assert seen.uprights("soft") == near([50])
    assert "chance 50.0%" in seen.words


def test_what_is_known_of_independent_errors_is_taken() -> None:
    seen = picture(group_scores({"habit": paired(HABIT)}, {"habit": 0.5}))
    assert seen.uprights("ink") == near([50])


def test_groups_with_different_chances() -> None:
    three = findings_from([case for place in range(4) for case in judged(str(place), 3, 2, group=str(place))])
    seen = picture(group_scores({"twins": paired(HABIT), "triplets": three}))
    assert seen.uprights("soft") == near([50, 100])
    assert "chance level of the group score" in seen.words
    assert not any(words.startswith("chance ") and "%" in words for words in seen.words)


def test_no_groups_no_chart() -> None:
    assert group_scores({"run": findings_from(judged("a", 3, 1))}) is None
    assert group_scores({}) is None
