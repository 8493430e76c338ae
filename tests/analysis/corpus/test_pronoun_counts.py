"""Counts in small corpora of our own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.analysis.corpus.frequencies import Priors
from referee.analysis.corpus.pronoun_counts import Question, count_priors
from referee.annotate.align.corpus import open_parallel
from referee.errors import InputError
from referee.languages.text import normalise_cyrillic
from tests.support.parallel_sample import GERMAN, sentences


def write(folder: Path, rows: Sequence[Sequence[str]]) -> list[Path]:
    paths = [folder / name for name in ("source", "target", "links")[: len(rows[0])]]
    for path, column in zip(paths, zip(*rows, strict=True), strict=True):
        path.write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
    return paths


def counted(
    folder: Path, rows: Sequence[Sequence[str]], language: str, word: str = "it", limit: int | None = None
) -> Priors:
    corpus = open_parallel(write(folder, rows), limit)
    return count_priors(corpus, Question("en", language, word), normalise=normalise_cyrillic)


def of(found: Priors, what: str) -> dict[str, int]:
    return {count.gender: getattr(count, what) for count in found.genders}


def test_with_links_from_elsewhere(tmp_path: Path) -> None:
    found = counted(tmp_path, GERMAN, "de")
    assert of(found, "translations") == {"m": 1, "f": 1, "n": 3}
    assert of(found, "absolute") == {"m": 4, "f": 2, "n": 4}
    assert (found.occurrences, found.other, found.several, found.unaligned, found.skipped) == (10, 2, 1, 2, 0)
    assert found.other_words == {"ihn": 1, "sie": 1}
    assert found.polite == 1
    assert found.aligner == "links from links"
    assert found.learned_from is None
    assert [file.name for file in found.corpus] == ["source", "target", "links"]


def test_shares_are_of_all_genders(tmp_path: Path) -> None:
    found = counted(tmp_path, GERMAN, "de")
    masculine, _, neuter = found.genders
    assert (masculine.share, neuter.share) == (0.2, 0.6)
    assert neuter.interval is not None
    assert 0 <= neuter.interval[0] < 0.6 < neuter.interval[1] <= 1
    # Of the text there are none in German: sie means too much.
    assert [count.absolute_share for count in found.genders] == [None, None, None]
    assert [count.ambiguous for count in found.genders] == [False, True, False]


def test_another_word_may_be_asked_for(tmp_path: Path) -> None:
    rows = [("She saw her .", "Sie sah sie .", "0-0 1-1 2-2"), ("He saw him .", "Er sah ihn .", "0-0 1-1 2-2")]
    found = counted(tmp_path, rows, "de", word="she")
    assert (of(found, "translations"), found.occurrences) == ({"m": 0, "f": 1, "n": 0}, 1)


def test_french_counts_the_impersonal_pronoun_too(tmp_path: Path) -> None:
    rows = [
        ("There is a cat .", "Il y a un chat .", "0-0"),
        ("It is warm .", "Il fait chaud .", "0-0"),
        ("The key ? It is here .", "La clé ? Elle est ici .", "3-3"),
        ("It is true .", "C' est vrai .", "0-0"),
    ]
    found = counted(tmp_path, rows, "fr")
    assert of(found, "absolute") == {"m": 2, "f": 1}
    assert of(found, "translations") == {"m": 1, "f": 1}
    assert [count.absolute_share for count in found.genders] == [2 / 3, 1 / 3]
    assert found.other_words == {"c'": 1}


def test_russian_letters_are_put_right_and_counted(tmp_path: Path) -> None:
    rows = [
        ("It shines .", "\u043eн\u043e светит .", "0-0"),
        ("It shines .", "o\u043d\u043e светит .", "0-0"),  # the first letter is Latin
        ("It shines .", "О\u043d\u043e светит .", "0-0"),
    ]
    found = counted(tmp_path, rows, "ru")
    assert (of(found, "absolute")["n"], of(found, "translations")["n"], found.mended) == (3, 3, 1)


def test_a_text_without_the_word_or_without_pronouns_has_no_shares(tmp_path: Path) -> None:
    found = counted(tmp_path, [("A dog .", "Ein Hund .", "0-0")], "fr")
    assert found.occurrences == 0
    assert {count.share for count in found.genders} == {None} == {count.interval for count in found.genders}
    assert {count.absolute_share for count in found.genders} == {None}


def test_only_the_first_lines(tmp_path: Path) -> None:
    assert counted(tmp_path, GERMAN, "de", limit=2).occurrences == 2


@pytest.mark.parametrize(
    ("links", "problem"),
    [
        ("0-0 9-1", r"links:2: '9-1' is out of range \(3 source and 2 target tokens\)"),
        ("0-0 x", r"links:2: 'x' is not a link such as 0-0"),
    ],
)
def test_links_that_do_not_fit_are_named_with_their_line(tmp_path: Path, links: str, problem: str) -> None:
    # Also where the line does not have the word.
    rows = [("A dog .", "Ein Hund .", "0-0"), ("A cat .", "Eine Katze", links)]
    with pytest.raises(InputError, match=problem):
        counted(tmp_path, rows, "de")


def test_with_our_own_aligner(tmp_path: Path) -> None:
    rows = sentences(2000)
    found = counted(tmp_path, rows, "de")
    wanted = {
        gender: sum("it" in source.split() and f" {form} " in target for source, target in rows)
        for gender, form in (("m", "er"), ("f", "sie"), ("n", "es"))
    }
    assert found.occurrences == sum(wanted.values())
    assert found.learned_from == 2000
    for gender, count in of(found, "translations").items():
        assert abs(count - wanted[gender]) <= 0.05 * wanted[gender], gender
    assert count_priors(open_parallel(write(tmp_path, rows)), Question("en", "de")) == found


def test_what_is_too_long_or_empty_is_skipped_and_counted(tmp_path: Path) -> None:
    rows = [*sentences(200), ("It " * 60 + "it.", "Es " * 120), ("It is gone.", ""), ("", "Es")]
    before = counted(tmp_path, rows[:200], "de")
    found = counted(tmp_path, rows, "de")
    assert found.occurrences == before.occurrences + 62
    assert found.skipped == 62
    assert found.skipped_lines == {"empty": 1, "longer than 100 tokens": 1}
    assert found.learned_from == 200
    # Their pronouns count in the text all the same.
    assert of(found, "absolute")["n"] == of(before, "absolute")["n"] + 121


def test_the_aligner_may_learn_from_a_part(tmp_path: Path) -> None:
    corpus = open_parallel(write(tmp_path, sentences(1000)))
    found = count_priors(corpus, Question("en", "de", learn_from=300))
    assert found.learned_from == 300
    assert found.occurrences == count_priors(corpus, Question("en", "de")).occurrences


def test_a_corpus_in_which_nothing_can_be_aligned(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="target: no line can be aligned"):
        counted(tmp_path, [("It is here.", ""), ("", "Es")], "de")


def test_skipped_lines_take_no_links_of_others(tmp_path: Path) -> None:
    rows = sentences(200)
    before = counted(tmp_path, rows, "de")
    found = counted(tmp_path, [("It " * 60 + "it.", "Es " * 120), *rows], "de")
    assert of(found, "translations") == of(before, "translations")
    assert found.other_words == before.other_words


def test_the_ten_most_frequent_other_words_are_kept(tmp_path: Path) -> None:
    """Twelve words: the last of the alphabet twice, so it comes first; of those met once, the first nine."""
    words = [f"wort{letter}" for letter in "abcdefghijkl"]
    rows = [("It fell .", f"{word} fiel .", "0-0 1-1 2-2") for word in [*words[::-1], words[-1]]]
    priors = counted(tmp_path, rows, "de")
    assert list(priors.other_words.items()) == [("wortl", 2), *((word, 1) for word in words[:9])]
    assert priors.other == 13
