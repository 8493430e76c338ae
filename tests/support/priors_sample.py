"""Counts of training data as Wino-X prints them (Table 14), for tests."""

from __future__ import annotations

from referee.analysis.bias.decisions import ChoiceRate, FeatureRates
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


def tendency(chosen: dict[str, int], right: dict[str, int], width: float = 0.02) -> list[FeatureRates]:
    """What a judge chose of items of which so many have each gender right."""
    items = sum(chosen.values())
    values = [
        ChoiceRate(
            gender,
            items,
            right[gender],
            chosen[gender],
            (difference := (chosen[gender] - right[gender]) / items),
            (difference - width, difference + width),
        )
        for gender in sorted(chosen)
    ]
    return [FeatureRates("gender", items, 0, values)]
