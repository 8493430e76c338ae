from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.io.files import text_lines
from referee.items import Item, Span
from referee.languages import language, languages
from referee.perturbations import Dropped, Perturbation, Tally, attacked, choose, perturbations
from referee.perturbations.edits import edited
from referee.perturbations.phrases import VARIANTS, add
from referee.suites import load
from tests.support.items import item
from tests.support.published import english_lines, german_lines

BY_NAME = {variant.name: variant for variant in VARIANTS}
PUBLISHED = {
    "true_separate": "phrase/it-is-true-apart",
    "and_it_true": "phrase/and-it-is-true",
    "he_said": "phrase/he-said",
}


def added(text: str, language: str, name: str) -> str:
    edits = add(text, language, BY_NAME[name])
    return f"({edits.reason})" if isinstance(edits, Dropped) else edited(text, edits)


@pytest.mark.parametrize(
    ("name", "code", "before", "after"),
    [
        ("he-said", "en", "where is the cup?", "He said: “Where is the cup?”"),
        ("he-said", "de", "Wo ist die Tasse?", "Er sagte: „Wo ist die Tasse?“"),
        ("she-said", "fr", "Où est la tasse ?", "Elle a dit\u00a0: «\u00a0Où est la tasse ?\u00a0»"),
        ("he-said", "ru", "Чашка упала.", "Он сказал: «Чашка упала»."),
        ("he-said", "ru", "Где чашка?", "Он сказал: «Где чашка?»"),
        ("he-said", "pl", "Kubek spadł", "On powiedział: „Kubek spadł”."),
        ("he-said", "es", "La taza...", "Él dijo: «La taza...»"),
        ("she-said", "ca", "La tassa ha caigut.", "Ella va dir: «La tassa ha caigut»."),
        ("it-is-true", "ca", "La tassa ha caigut.", "És veritat: la tassa ha caigut."),
        ("he-said", "en", "- The cup fell", "He said: “The cup fell.”"),
        ("he-said", "en", "The cup fell,", "He said: “The cup fell.”"),
        ("he-said", "en", 'A "cup" fell.', "(the preceding sentence has quotation marks)"),
        ("it-is-true-quoted", "en", "The cup fell.", "It is true: “The cup fell.”"),
        ("it-is-true", "en", "The cup fell.", "It is true: the cup fell."),
        ("it-is-true", "en", "A cup fell.", "It is true: a cup fell."),
        ("it-is-true", "en", "Anna fell.", "It is true: Anna fell."),
        ("it-is-true", "en", "I fell.", "It is true: I fell."),
        ("it-is-true", "en", "IT fell.", "It is true: IT fell."),
        ("it-is-true", "en", "I'm sure.", "It is true: I'm sure."),
        ("it-is-true", "de", "die Tasse fiel.", "Es ist wahr: Die Tasse fiel."),
        ("it-is-true", "ru", "Эта чашка упала.", "Это правда: эта чашка упала."),
        ("it-is-true", "pl", "Ten kubek spadł.", "To prawda: ten kubek spadł."),
        ("and-it-is-true", "en", "The cup fell.", "The cup fell and it is true."),
        ("and-it-is-true", "en", "The cup fell!", "The cup fell and it is true!"),
        ("and-it-is-true", "en", "The cup fell", "The cup fell and it is true."),
        ("and-it-is-true", "en", "Where is it?", "(the preceding sentence does not end as a statement)"),
        ("and-it-is-true", "en", "The cup...", "(the preceding sentence does not end as a statement)"),
        ("and-it-is-true", "en", "They said “no.”", "(the preceding sentence ends in a quotation or bracket)"),
        ("and-it-is-true", "it", "La tazza è caduta.", "La tazza è caduta ed è vero."),
        ("and-it-is-true", "ru", "Чашка упала.", "Чашка упала, и это правда."),
        ("it-is-true-apart", "en", "where is it?", "where is it? It is true."),
        ("it-is-true-apart", "en", "the cup fell", "the cup fell. It is true."),
        ("it-is-true-apart", "en", "the cup, ", "the cup. It is true."),
        ("it-is-true-apart", "en", "the cup --", "the cup. It is true."),
        ("it-is-true-apart", "en", "the cup...", "the cup... It is true."),
        ("it-is-true-apart", "en", "they said “no”", "they said “no”. It is true."),
        ("it-is-true-apart", "en", "they said “no.”", "they said “no.” It is true."),
        ("and-that-is-true", "de", "Die Tasse fiel.", "Die Tasse fiel und das ist wahr."),
        ("but-he-was-not-sure", "de", "Die Tasse fiel.", "Die Tasse fiel, aber er war sich nicht sicher."),
        ("but-he-was-not-sure-apart", "es", "La taza cayó.", "La taza cayó. Pero él no estaba seguro."),
        ("but-why", "en", "The cup fell.", "The cup fell, but why?"),
        ("but-why", "en", "The cup fell!", "The cup fell, but why?"),
        ("but-why-apart", "pt", "A xícara caiu.", "A xícara caiu. Mas por quê?"),
        ("but-why", "es", "La taza cayó.", "La taza cayó, pero ¿por qué?"),
        ("but-why-apart", "fr", "La tasse est tombée.", "La tasse est tombée. Mais pourquoi\u00a0?"),
        ("but-why", "de-CH", "Die Tasse fiel.", "Die Tasse fiel, aber warum?"),
        ("but-why", "tr", "Fincan düştü.", "(no phrases in the language 'tr')"),
        ("but-why", "en", "...", "(the preceding sentence has no words)"),
        ("but-why", "en", " ", "(no context)"),
    ],
)
def test_a_phrase_is_added_with_its_marks_and_capitals(name: str, code: str, before: str, after: str) -> None:
    assert added(before, code, name) == after


@pytest.mark.parametrize("code", languages("attacks.toml"))
def test_every_language_has_every_phrase_and_every_owner(code: str) -> None:
    english, attacks = language("en").attacks, language(code).attacks
    assert english is not None and attacks is not None
    assert list(attacks.phrases) == list(english.phrases)
    assert list(attacks.owners) == list(english.owners)
    assert all(starter == starter.lower() for starter in attacks.starters)


@given(st.sampled_from(languages("attacks.toml")), st.sampled_from(VARIANTS), st.from_regex(r"\A[\w ',.?!:;-]{1,20}\Z"))
def test_marks_never_pile_up(code: str, variant: object, text: str) -> None:
    assume(not re.search(r"[?!.,;:][.,;:?!]", text))
    edits = add(text, code, variant)  # type: ignore[arg-type]
    if not isinstance(edits, Dropped):
        made = edited(text, edits)
        assert not re.search(r"[?!.,;:][.,;]", made), made
        assert made.rstrip("”“»\u00a0")[-1] in ".?!'"
        assert made.count("«") == made.count("»")
        assert made == made.rstrip()


def test_both_sides_change_and_spans_stay_on_their_words() -> None:
    original = item(
        source_context=("It rained.", "the cup fell."),
        target_context=("Es regnete.", "die Tasse fiel."),
        spans=(
            Span("antecedent", "source_context", 0, 7, 1),
            Span("antecedent", "target_context", 0, 9, 1),
            Span("other", "source_context", 0, 2, 0),
        ),
    )
    (made,) = attacked([original], choose(["phrase/she-said"])[0])
    assert made.source_context == ("It rained.", "She said: “The cup fell.”")
    assert made.target_context == ("Es regnete.", "Sie sagte: „Die Tasse fiel.“")
    covered = [
        (made.source_context if span.field == "source_context" else made.target_context)[span.index][
            span.start : span.end
        ]
        for span in made.spans
    ]
    assert covered == ["The cup", "Die Tasse", "It"]


@given(
    st.sampled_from(VARIANTS),
    st.lists(st.from_regex(r"\A[^\W\d_]{1,6}\Z"), min_size=1, max_size=5),
    st.sampled_from(["", ".", "!", "?", "...", ",", " -"]),
    st.sampled_from(["", "- ", " "]),
    st.data(),
)
def test_a_span_on_any_word_stays_on_it(
    variant: object, context: list[str], mark: str, opening: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(context) - 1))
    start = len(opening) + sum(len(word) + 1 for word in context[:place])
    span = Span("antecedent", "source_context", start, start + len(context[place]))
    one = item(source_context=(opening + " ".join(context) + mark,), spans=(span,))
    for made in attacked([one], choose([f"phrase/{variant.name}"])[0]):  # type: ignore[attr-defined]
        (moved,) = made.spans
        covered = made.source_context[0][moved.start : moved.end]
        # Only the first letter of the first word may have changed.
        assert covered[-len(context[place]) + 1 :] == context[place][1:] or len(context[place]) == 1
        assert covered.lower() == context[place].lower() or covered == context[place][0].upper() + context[place][1:]


def test_a_set_without_target_context_is_changed_on_the_source_side() -> None:
    (made,) = attacked([item(source_context=("The cup fell.",))], choose(["phrase/but-why"])[0])
    assert (made.source_context, made.target_context) == (("The cup fell, but why?",), ())


@pytest.mark.parametrize("context", [(), ("",)])
def test_an_empty_context_is_dropped_and_as_published_kept(context: tuple[str, ...]) -> None:
    (he_said,) = choose(["phrase/he-said"])
    tally = Tally(he_said.name)
    assert list(attacked([item(source_context=context)], he_said, tally)) == []
    assert tally.dropped == {"no context": 1}
    (paper,) = choose(["phrase/he-said"], paper=True)
    (made,) = attacked([item()], paper)
    assert made.source_context == ()


def test_published_lines_that_differ_within_a_group_do_not_stay_behind() -> None:
    lines = ["A cup. <SEP> It fell."] * 3
    original = item(source_context=("A cup.",), meta={"source_lines": lines, "note": 1})
    (made,) = attacked([original], choose(["phrase/but-why-apart"])[0])
    assert made.meta == {"note": 1}
    (made,) = attacked([original], choose(["phrase/but-why-apart"], paper=True)[0])
    assert made.meta["source_lines"] == ["A cup. but why. <SEP>  It fell."] * 3


@pytest.mark.parametrize(
    ("name", "english", "german"),
    [
        ("he-said", 'he said: "A cup."', 'er sagte: "Eine Tasse."'),
        ("she-said", 'she said: "A cup."', 'sie sagte: "Eine Tasse."'),
        ("it-is-true-quoted", 'it is true: "A cup."', 'es ist wahr: "Eine Tasse."'),
        ("it-is-true", "it is true: A cup.", "es ist wahr: Eine Tasse."),
        ("and-it-is-true", "A cup and it is true.", "Eine Tasse und es ist wahr."),
        ("it-is-true-apart", "A cup. it is true.", "Eine Tasse. es ist wahr."),
        ("and-that-is-true", "A cup and that is true.", "Eine Tasse und das ist wahr."),
        ("but-he-was-not-sure", "A cup but he wasn't sure.", "Eine Tasse, aber er war sich nicht sicher."),
        ("but-he-was-not-sure-apart", "A cup. but he wasn't sure.", "Eine Tasse. aber er war sich nicht sicher."),
        ("but-that-is-not-the-point", "A cup but that's not the point.", "Eine Tasse, aber darum geht es nicht."),
        ("but-there-is-a-catch", "A cup but there is a catch.", "Eine Tasse, aber es gibt einen Haken."),
        ("but-why", "A cup but why.", "Eine Tasse, aber warum."),
        ("but-why-apart", "A cup. but why.", "Eine Tasse. aber warum."),
    ],
)
def test_phrases_as_published(name: str, english: str, german: str) -> None:
    original = item(source_context=("A cup.",), target_context=("Eine Tasse.",))
    (made,) = attacked([original], choose([f"phrase/{name}"], paper=True)[0])
    assert (made.source_context, made.target_context) == ((english,), (german,))


SIZES = {
    "phrase/she-said": (3_740_627, 3_962_554),
    "phrase/it-is-true-quoted": (3_812_653, 4_034_580),
    "phrase/it-is-true": (3_740_627, 3_962_554),
    "phrase/and-that-is-true": (3_920_692, 4_106_606),
    "phrase/but-he-was-not-sure": (3_992_718, None),
    "phrase/but-he-was-not-sure-apart": (4_028_731, None),
}
"""Characters of the published files that are not in the data folder: `en.txt`, `de.txt` where it is known."""


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_sizes_of_the_other_published_files(name: str, size: tuple[int, int | None], shared_data: Path) -> None:
    made = list(attacked(load("contracat/contrapro", data=shared_data), choose([name], paper=True)[0]))
    sides = [sum(len(line) + 1 for line in lines) for lines in (english_lines(made), german_lines(made))]
    assert (sides[0], sides[1] if size[1] else None) == size


@pytest.fixture(scope="module")
def contrapro(published_data: Path) -> list[Item]:
    return list(load("contracat/contrapro", data=published_data))


@pytest.mark.parametrize(("folder", "name"), PUBLISHED.items())
def test_published_files_come_out_line_by_line(
    folder: str, name: str, contrapro: list[Item], published_data: Path
) -> None:
    (paper,) = choose([name], paper=True)
    made = list(attacked(contrapro, paper))
    path = published_data / "contracat/adversarial_ContraPro/phrase_addition" / folder
    english, german = list(english_lines(made)), list(german_lines(made))
    assert english == list(text_lines(path / "en.txt"))
    assert german == list(text_lines(path / "de.txt"))


OTHERS = {
    "she_said": "phrase/she-said",
    "true:": "phrase/it-is-true",
    "true:quot": "phrase/it-is-true-quoted",
    "and_that_true": "phrase/and-that-is-true",
    "but_sure": "phrase/but-he-was-not-sure",
    "but_sure_sep": "phrase/but-he-was-not-sure-apart",
}


@pytest.mark.parametrize(("folder", "name"), OTHERS.items())
def test_the_other_published_files_come_out_where_they_are_there(folder: str, name: str, shared_data: Path) -> None:
    path = shared_data / "contracat/adversarial_ContraPro/phrase_addition" / folder
    if not (path.is_dir() and any(path.iterdir())):
        pytest.skip(f"{folder} is published, but not in the shared folder")
    made = list(attacked(load("contracat/contrapro", data=shared_data), choose([name], paper=True)[0]))
    assert list(english_lines(made)) == list(text_lines(path / "en.txt"))
    assert list(german_lines(made)) == list(text_lines(path / "de.txt"))


def phrases() -> list[Perturbation]:
    return [each for each in perturbations().values() if each.name.startswith("phrase/")]


def test_spans_stay_on_their_words_in_all_of_contrapro(contrapro: list[Item]) -> None:
    for each in phrases():
        tally = Tally(each.name)
        for one in attacked(contrapro[:: 1 + len(contrapro) // 700], each, tally):
            for span in one.spans:
                assert one.candidates[span.index].text[span.start : span.end].lower() in ("er", "ihn", "sie", "es")
        # The synthetic set has few contexts, and odd ones.
        assert tally.changed > (0.75 if len(contrapro) > 100 else 0.5) * tally.items
