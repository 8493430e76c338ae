"""Counts of training data as Wino-X prints them (Table 14), for tests."""

from __future__ import annotations

from referee.analysis.bias.bias import Bias, PublishedBias, ValueBias
from referee.analysis.corpus.frequencies import CorpusFile, GenderCount, Priors

TABLE_14 = {
    "de": {"m": ("er", 175_552, 1_757_265), "f": ("sie", 473_880, 0), "n": ("es", 2_113_923, 4_504_505)},
    "fr": {"m": ("il", 4_719_590, 21_715_292), "f": ("elle", 1_460_420, 6_026_101)},
    "ru": {"m": ("он", 236_422, 1_035_361), "f": ("она", 225_560, 508_117), "n": ("оно", 102_189, 165_369)},
}
"""By gender: the form, how often it translates `it`, how often it stands in all (not counted for sie)."""

PREFERRED = {
    "de": {"m": 982, "f": 985, "n": 1_807},
    "fr": {"m": 1_893, "f": 1_095},
    "ru": {"m": 1_674, "f": 311, "n": 124},
}


def priors(language: str) -> Priors:
    """The counts of Table 14 as if we had made them."""
    counts = TABLE_14[language]
    total = sum(translations for _, translations, _ in counts.values())
    absolute = sum(occurrences for _, _, occurrences in counts.values())
    clear = language != "de"
    return Priors(
        source_lang="en",
        target_lang=language,
        word="it",
        corpus=(CorpusFile("train.en", "0" * 64), CorpusFile(f"train.{language}", "1" * 64)),
        lines=10_000_000,
        genders=tuple(
            GenderCount(
                gender=gender,  # type: ignore[arg-type]
                forms=(form,),
                ambiguous=form == "sie",
                absolute=occurrences,
                absolute_share=occurrences / absolute if clear else None,
                absolute_interval=(occurrences / absolute, occurrences / absolute) if clear else None,
                translations=translations,
                share=translations / total,
                interval=(translations / total, translations / total),
            )
            for gender, (form, translations, occurrences) in counts.items()
        ),
        polite=12 if language == "de" else 0,
        occurrences=total + 100,
        other=60,
        several=1,
        unaligned=30,
        skipped=9,
        other_words={"das": 40, "ihn": 20} if language == "de" else {},
        skipped_lines={"longer than 100 tokens": 9},
        mended=3 if language == "ru" else 0,
        aligner="links from train.align",
        learned_from=None,
    )


def tendency(chosen: dict[str, int], right: dict[str, int], width: float = 0.02) -> list[Bias]:
    """The gender bias of a model that chose these, given how many items have each gender as the correct one."""
    items = sum(chosen.values())
    values = [_value(gender, chosen[gender], right[gender], items, width) for gender in sorted(chosen)]
    most = max(values, key=lambda value: value.difference)
    found = most.interval[0] > 0
    published = PublishedBias(
        coding=list(chosen), u=0.0, p=1.0, rbc=0.0, rbc_expected=0.0, thresholds={}, size="negligible"
    )
    return [
        Bias(
            feature="gender",
            items=items,
            undecided=0,
            groups=items,
            accuracy=0.5,
            published=published,
            cramers_v=0.0,
            beyond=0.0,
            size="negligible",
            p=0.001 if found else 0.5,
            outcome="biased" if found else "inconclusive",
            biased_towards=most.value if found else None,
            more_groups=None,
            values=values,
        )
    ]


def _value(gender: str, chosen: int, right: int, items: int, width: float) -> ValueBias:
    difference = (chosen - right) / items
    return ValueBias(
        value=gender,
        offered=items,
        right=right,
        chosen=chosen,
        right_share=right / items,
        chosen_share=chosen / items,
        expected_share=right / items,
        taken=None,
        left=None,
        difference=difference,
        interval=(difference - width, difference + width),
        p=0.5,
    )
