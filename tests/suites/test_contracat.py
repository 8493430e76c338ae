from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from referee.io.files import text_lines
from referee.items import Candidate, Item, Origin, Span
from referee.suites.contracat import GENDERS, PHRASES, SUITES, TEMPLATES
from referee.suites.suite import Suite
from tests.support.published import (
    assert_names_its_command,
    english_lines,
    german_lines,
    in_both,
    marked,
    refusal,
    span_of,
)

BY_NAME = {suite.name.removeprefix("contracat/"): suite for suite in SUITES}
OVERLAPS = ("drink-eat-drink", "drink-eat-eat", "eat-drink-drink", "eat-drink-eat")

SYNTHETIC = {
    "position": 4,
    "role": 2,
    "verb": 2,
    "markable": 4,
    "world-knowledge": 2,
    **{f"verb-overlap/{order}": 2 for order in OVERLAPS},
    "contrapro": 6,
    **{f"phrase-addition/{name}": 6 for name in ("true_separate", "and_it_true", "he_said", "she_said")},
    "event/chaos": 2,
    "pleonastic/rain": 1,
    "subject-overlap/eat-drink-eat": 2,
    "gender": 2,
}
PUBLIC = {
    "position": 1656,
    "role": 1000,
    "verb": 700,
    "markable": 2560,
    "world-knowledge": 2500,
    **{f"verb-overlap/{order}": 560 for order in OVERLAPS},
    "contrapro": 12000,
    **{f"phrase-addition/{name}": 12000 for name in ("true_separate", "and_it_true", "he_said")},
}
# Published, but not in the public folder here.
ABSENT = {
    **{
        f"{kind}-overlap/{order}": None
        for kind in ("object", "object-verb", "subject", "subject-verb")
        for order in ("eat-drink-drink", "eat-drink-eat")
        if (kind, order) != ("object", "eat-drink-eat")
    },
    **{f"event/{name}": None for name in ("chaos", "happened", "situation", "surprise")},
    **{f"pleonastic/{name}": None for name in ("believe", "rain", "seem", "shame")},
    "gender": None,
    **{
        f"phrase-addition/{name}": None
        for name in ("she_said", "and_that_true", "but_sure", "but_sure_sep", "true", "true_quot")
    },
}


def test_every_suite_is_counted() -> None:
    assert set(BY_NAME) == {*PUBLIC, *ABSENT}
    assert set(SYNTHETIC) < set(BY_NAME)
    assert set(PUBLIC) < set(SYNTHETIC)


@pytest.mark.parametrize(("data", "name", "size"), in_both(SYNTHETIC, PUBLIC))
def test_published_files_come_back_line_by_line(data: Path, name: str, size: int) -> None:
    suite = BY_NAME[name]
    items = list(suite.open(data))
    assert len(items) == len({item.id for item in items}) == size
    assert list(english_lines(items)) == list(text_lines(data / suite.files[0]))
    assert list(german_lines(items)) == list(text_lines(data / suite.files[1]))
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("translate", "en", "de")}


@pytest.mark.parametrize(
    ("data", "name", "size"),
    [
        case
        for case in in_both(SYNTHETIC, PUBLIC)
        if case.values[1] in (*TEMPLATES, "") and not str(case.values[1]).startswith("event/")
    ],
)
def test_published_genders_come_back(data: Path, name: str, size: int) -> None:
    suite = BY_NAME[name]
    items = list(suite.open(data))
    assert len(items) == size
    golds = [item.features.get("genders", "") if item.gold is None else GENDERS[item.gold] for item in items]
    genders = (data / suite.files[1]).with_name("genders.txt")
    assert [gold for gold in golds for _ in range(3)] == list(text_lines(genders))
    assert [item.id for item in items] == [f"{name}-{number}" for number in range(len(items))]
    assert {item.label for item in items} == {name}
    assert all([candidate.features["gender"] for candidate in item.candidates] == [*GENDERS] for item in items)


@pytest.mark.parametrize("name", ["contrapro", *(name for name in PUBLIC if name.startswith("phrase-addition/"))])
def test_pronouns_are_found_in_every_candidate(name: str, published_data: Path) -> None:
    for item in islice(BY_NAME[name].open(published_data), 0, 2000):
        assert (item.gold, item.reference) == (0, item.candidates[0].text)
        assert item.label == {"m": "er", "f": "sie", "n": "es"}[item.candidates[0].features["gender"]]
        pronouns = [candidate.features["pronoun"] for candidate in item.candidates if "pronoun" in candidate.features]
        assert [words for *_, words in marked(item)] == pronouns
        assert {(role, field) for role, field, *_ in marked(item)} == {("pronoun", "candidate")}


def test_pronouns_without_an_antecedent_are_neuter(tmp_path: Path, synthetic_data: Path) -> None:
    chaos, _ = BY_NAME["event/chaos"].open(synthetic_data)
    assert (chaos.feature("gender"), chaos.gold) == ("n", 2)
    assert chaos.features == {"step": "coreference", "function": "event"}
    (rain,) = BY_NAME["pleonastic/rain"].open(synthetic_data)
    assert (rain.feature("gender"), rain.features["function"]) == ("n", "pleonastic")
    # A gold file is believed where there is one.
    for file in BY_NAME["pleonastic/rain"].files:
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((synthetic_data / file).read_bytes())
    (rain,) = BY_NAME["pleonastic/rain"].open(tmp_path)
    assert rain.feature("gender") == "n"
    path.with_name("genders.txt").write_text("f\nf\nf\n")
    (rain,) = BY_NAME["pleonastic/rain"].open(tmp_path)
    assert rain.feature("gender") == "f"


def test_every_template_has_its_step(synthetic_data: Path) -> None:
    steps = {
        name: {item.features["step"] for item in BY_NAME[name].open(synthetic_data)}
        for name in ("markable", "subject-overlap/eat-drink-eat", "event/chaos", "gender")
    }
    assert [*steps.values()] == [{"markable"}, {"coreference"}, {"coreference"}, {"language"}]
    (vase, _) = BY_NAME["gender"].open(synthetic_data)
    assert (vase.source_context, vase.source, vase.feature("gender")) == (("I bought a vase.",), "It was small.", "f")


def test_a_folder_may_have_a_colon_in_its_name(tmp_path: Path, synthetic_data: Path) -> None:
    suite, twin = BY_NAME["phrase-addition/true_quot"], BY_NAME["phrase-addition/he_said"]
    assert PHRASES["true_quot"] == "true:quot"
    for file, original in zip(suite.files, twin.files, strict=True):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((synthetic_data / original).read_bytes())
    items = list(suite.open(tmp_path))
    assert items[0].origin == Origin("contrapro-0", "phrase-addition/true_quot", "attack")
    assert [item.source for item in items] == [item.source for item in twin.open(synthetic_data)]


def test_contrapro_is_balanced(shared_data: Path) -> None:
    items = list(BY_NAME["contrapro"].open(shared_data))
    assert Counter(len(item.candidates) for item in items) == {3: 11969, 4: 31}
    assert sum(len(item.candidates) for item in items) == 36031
    assert Counter(item.label for item in items) == {"er": 4000, "sie": 4000, "es": 4000}
    assert Counter(item.feature("gender") for item in items) == {"m": 4000, "f": 4000, "n": 4000}
    assert sum(not item.target_context for item in items) == 6


def test_the_synthetic_contrapro(synthetic_data: Path) -> None:
    items = list(BY_NAME["contrapro"].open(synthetic_data))
    assert [item.label for item in items] == ["er", "sie", "es", "er", "er", "er"]
    assert [len(item.candidates) for item in items] == [3, 4, 3, 3, 3, 3]
    source = ("the kettle whistled.",), "it was hot."
    target = ("der Kessel pfiff.",), ("Er war heiß.", "Sie war heiß.", "Es war heiß.")
    assert items[0] == Item(
        id="contrapro-0",
        group="contrapro-0",
        task="translate",
        source_lang="en",
        target_lang="de",
        source_context=source[0],
        source=source[1],
        target_context=target[0],
        candidates=tuple(
            Candidate(text, {"pronoun": text.split()[0], "gender": gender})
            for text, gender in zip(target[1], "mfn", strict=True)
        ),
        gold=0,
        reference="Er war heiß.",
        label="er",
        spans=tuple(span_of(text.split()[0], text, "pronoun", "candidate", n) for n, text in enumerate(target[1])),
    )


def test_lines_that_are_not_like_the_others_are_kept(synthetic_data: Path) -> None:
    lamp, boat, hat = list(BY_NAME["contrapro"].open(synthetic_data))[1:4]
    assert lamp.meta == {}
    # Only one of its two pronouns tells the last alternative from the reference.
    assert marked(lamp)[-1] == ("pronoun", "candidate", 3, "es")
    assert (boat.source_context, boat.target_context) == ((), ())
    assert boat.meta == {"separators": ["<SEP> ", "<SEP> "]}
    assert (hat.source_context, hat.source) == (('"where is the hat?',), 'its brim bent when it fell."')
    assert set(hat.meta) == {"source_lines", "target_lines"}
    # The possessive differs as well, and stands before the pronoun.
    assert [words for *_, words in marked(hat)] == ["er", "sie", "es"]


def test_attacked_items_keep_the_group_of_their_original(published_data: Path) -> None:
    original = BY_NAME["contrapro"].open(published_data)
    attacked = BY_NAME["phrase-addition/he_said"].open(published_data)
    pairs = list(zip(original, attacked, strict=True))
    assert all(one.group == other.group for one, other in pairs)
    assert all(one.candidates[0].text == other.candidates[0].text for one, other in pairs)
    # An empty context stays empty.
    unchanged = [one for one, other in pairs if one.source_context == other.source_context]
    assert unchanged
    assert not any(one.source_context for one in unchanged)


@pytest.mark.parametrize("name", ["true_separate", "and_it_true", "he_said"])
def test_attacked_items_say_what_attacked_them(name: str, published_data: Path) -> None:
    attacked = next(iter(BY_NAME[f"phrase-addition/{name}"].open(published_data)))
    assert attacked.id == f"contrapro-0+phrase-addition/{name}"
    assert attacked.origin == Origin("contrapro-0", f"phrase-addition/{name}", "attack")
    assert attacked.meta == {"separators": [" <SEP>  ", " <SEP>  "]}
    assert next(iter(BY_NAME["contrapro"].open(published_data))).origin is None


def test_priors_say_which_noun_an_alternative_takes_up(published_data: Path) -> None:
    role = next(iter(BY_NAME["role"].open(published_data)))
    assert role.features == {"step": "priors", "genders": "mf"}
    noun = [tuple(map(candidate.features.get, ("referent", "position"))) for candidate in role.candidates]
    assert noun == [("subject", "first"), ("object", "second"), (None, None)]
    position = list(islice(BY_NAME["position"].open(published_data), 2))
    assert [[candidate.features.get("position") for candidate in item.candidates] for item in position] == [
        ["first", "second", None],
        ["second", "first", None],
    ]
    assert all("referent" not in candidate.features for item in position for candidate in item.candidates)
    verb = next(iter(BY_NAME["verb"].open(published_data)))
    assert (verb.gold, verb.features) == (None, {"step": "priors"})
    assert [set(candidate.features) for candidate in verb.candidates] == [{"pronoun", "gender"}] * 3


def test_nouns_of_any_two_genders_are_told_apart(synthetic_data: Path) -> None:
    foal = list(BY_NAME["role"].open(synthetic_data))[1]
    assert foal.features == {"step": "priors", "genders": "nm"}
    assert [candidate.features.get("referent") for candidate in foal.candidates] == ["object", None, "subject"]
    items = BY_NAME["position"].open(synthetic_data)
    positions = [[candidate.features.get("position") for candidate in item.candidates] for item in items]
    assert positions[2:] == [[None, "second", "first"], [None, "first", "second"]]


GROUPS = {"position": (828, 2), "markable": (1280, 2), "role": (1000, 1), "world-knowledge": (2500, 1)}
SMALL_GROUPS = {
    "position": (2, 2),
    "markable": (2, 2),
    "role": (2, 1),
    "world-knowledge": (2, 1),
    "verb-overlap/eat-drink-eat": (1, 2),
}


@pytest.mark.parametrize(("data", "name", "groups"), in_both(SMALL_GROUPS, GROUPS))
def test_the_same_words_in_another_order_make_a_group(data: Path, name: str, groups: tuple[int, int]) -> None:
    members = Counter(item.group_id for item in BY_NAME[name].open(data))
    assert (len(members), set(members.values())) == (groups[0], {groups[1]})
    assert f"{name}-0" in members


@pytest.mark.parametrize(
    ("order", "clause"),
    [
        ("eat-drink-eat", "first"),
        ("drink-eat-drink", "first"),
        ("eat-drink-drink", "second"),
        ("drink-eat-eat", "second"),
    ],
)
def test_overlaps_say_which_clause_comes_again(order: str, clause: str, published_data: Path) -> None:
    items = list(BY_NAME[f"verb-overlap/{order}"].open(published_data))
    assert all(item.features == {"step": "coreference", "clause": clause} for item in items)
    context, sentence = items[0].source_context[0], items[0].source
    verb = sentence.split()[1]
    assert (context.index(verb) < len(context) / 2) is (clause == "first"), (context, sentence)


ENGLISH = ["The cup fell. <SEP> It broke."] * 3
GERMAN = [f"Die Tasse fiel. <SEP> {pronoun} zerbrach." for pronoun in ("Er", "Sie", "Es")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "contracat/templates/1_entity_step"
    path.mkdir(parents=True)
    write(path, ENGLISH, GERMAN, ["f", "f", "f"])
    return tmp_path


def write(path: Path, english: list[str], german: list[str], genders: list[str]) -> None:
    for name, lines in (("en", english), ("de", german), ("genders", genders)):
        (path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


def template(folder: Path) -> Path:
    return folder / "contracat/templates/1_entity_step"


def markable() -> Suite:
    return BY_NAME["markable"]


def test_a_triple_becomes_an_item(folder: Path) -> None:
    (item,) = markable().open(folder)
    assert item == Item(
        id="markable-0",
        group="markable-0",
        task="translate",
        source_lang="en",
        target_lang="de",
        source_context=("The cup fell.",),
        source="It broke.",
        target_context=("Die Tasse fiel.",),
        candidates=(
            Candidate("Er zerbrach.", {"pronoun": "Er", "gender": "m"}),
            Candidate("Sie zerbrach.", {"pronoun": "Sie", "gender": "f"}),
            Candidate("Es zerbrach.", {"pronoun": "Es", "gender": "n"}),
        ),
        gold=1,
        label="markable",
        features={"step": "markable"},
        spans=(
            Span("pronoun", "candidate", 0, 2, 0),
            Span("pronoun", "candidate", 0, 3, 1),
            Span("pronoun", "candidate", 0, 2, 2),
        ),
    )


def test_a_second_triple_is_counted_on(folder: Path) -> None:
    write(template(folder), ENGLISH * 2, [*GERMAN, *(line.replace("fiel", "sank") for line in GERMAN)], ["f"] * 6)
    assert [(item.id, item.group) for item in markable().open(folder)] == [
        ("markable-0", "markable-0"),
        ("markable-1", "markable-1"),
    ]


@pytest.mark.parametrize(
    ("english", "german", "genders", "message"),
    [
        (
            ENGLISH,
            GERMAN[:2],
            ["f"] * 2,
            "/de.txt: expected the same multiple of 3 lines here and in genders.txt, but found 2 and 2",
        ),
        (ENGLISH[:2], GERMAN, ["f"] * 3, "/de.txt: expected 2 lines, as many as en.txt has, but found 3"),
        (ENGLISH, GERMAN, ["f", "f", "m"], "/genders.txt:1: expected the same gender in the three lines"),
        (ENGLISH, [*GERMAN[:2], "Es zerbrach."], ["f"] * 3, "/de.txt:3: has no <SEP> between context and sentence"),
        ([*ENGLISH[:2], "It broke."], GERMAN, ["f"] * 3, "/en.txt:3: has no <SEP> between context and sentence"),
        (ENGLISH * 2, GERMAN * 2, [*"fff", *"mfm"], "/genders.txt:4: expected the same gender in the three lines"),
        (
            ENGLISH,
            GERMAN,
            ["f"] * 6,
            "/de.txt: expected the same multiple of 3 lines here and in genders.txt, but found 3 and 6",
        ),
    ],
)
def test_bad_triples_are_refused(
    folder: Path, english: list[str], german: list[str], genders: list[str], message: str
) -> None:
    write(template(folder), english, german, genders)
    assert message in refusal(markable(), folder)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("0\n3\n", None),
        ("0\n2\n3\n", "/de.txt:3: field 'candidates': has 1 candidate"),
        ("0\n4\n", "/sentence_groups.txt: expected groups from 0 to 3 (de.txt), but found 0 to 4"),
        ("1\n3\n", "/sentence_groups.txt: expected groups from 0 to 3 (de.txt), but found 1 to 3"),
        ("0\n0\n3\n", "/sentence_groups.txt:2: '0' is not a line number above the previous one"),
        ("0\nx\n", "/sentence_groups.txt:2: 'x' is not a line number above the previous one"),
    ],
)
def test_groups_must_fit_the_text(tmp_path: Path, groups: str, message: str | None) -> None:
    folder = tmp_path / "contracat/adversarial_ContraPro"
    folder.mkdir(parents=True)
    write(folder, ENGLISH, GERMAN, [])
    (folder / "sentence_groups.txt").write_text(groups)
    suite = BY_NAME["contrapro"]
    if message is None:
        (item,) = suite.open(tmp_path)
        assert (item.gold, item.label, item.id) == (0, "er", "contrapro-0")
    else:
        assert message in refusal(suite, tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
