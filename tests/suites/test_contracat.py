from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from referee.errors import InputError
from referee.io.files import text_lines
from referee.items import Item, Origin
from referee.suites.contracat import GENDERS, PHRASES, SEPARATOR, SUITES, TEMPLATES, join
from referee.suites.suite import Suite

BY_NAME = {suite.name.removeprefix("contracat/"): suite for suite in SUITES}

COUNTS = {
    "position": 1656,
    "role": 1000,
    "verb": 700,
    "markable": 2560,
    "world-knowledge": 2500,
    "verb-overlap/drink-eat-drink": 560,
    "verb-overlap/drink-eat-eat": 560,
    "verb-overlap/eat-drink-drink": 560,
    "verb-overlap/eat-drink-eat": 560,
    "contrapro": 12000,
    **{f"phrase-addition/{name}": 12000 for name in PHRASES},
}


def english_lines(items: list[Item]) -> Iterator[str]:
    for item in items:
        if "source_lines" in item.meta:
            yield from item.meta["source_lines"]
        else:
            separator = item.meta.get("separators", [SEPARATOR])[0]
            yield from [join(item.source_context, item.source, separator)] * len(item.candidates)


def german_lines(items: list[Item]) -> Iterator[str]:
    for item in items:
        if "target_lines" in item.meta:
            yield from item.meta["target_lines"]
        else:
            separator = item.meta.get("separators", [SEPARATOR, SEPARATOR])[1]
            yield from (join(item.target_context, candidate.text, separator) for candidate in item.candidates)


@pytest.mark.parametrize("name", COUNTS)
def test_published_files_come_back_line_by_line(name: str, shared_data: Path) -> None:
    suite = BY_NAME[name]
    items = list(suite.open(shared_data))
    assert len(items) == COUNTS[name]
    assert len({item.id for item in items}) == len(items)
    assert list(english_lines(items)) == list(text_lines(shared_data / suite.files[0]))
    assert list(german_lines(items)) == list(text_lines(shared_data / suite.files[1]))


@pytest.mark.parametrize("name", TEMPLATES)
def test_published_genders_come_back(name: str, shared_data: Path) -> None:
    suite = BY_NAME[name]
    items = list(suite.open(shared_data))
    golds = [item.features.get("genders", "") if item.gold is None else GENDERS[item.gold] for item in items]
    assert [gold for gold in golds for _ in range(3)] == list(text_lines(shared_data / suite.files[2]))


def test_contrapro_is_balanced(shared_data: Path) -> None:
    items = list(BY_NAME["contrapro"].open(shared_data))
    assert Counter(len(item.candidates) for item in items) == {3: 11969, 4: 31}
    assert sum(len(item.candidates) for item in items) == 36031
    assert Counter(item.label for item in items) == {"er": 4000, "sie": 4000, "es": 4000}
    assert Counter(item.feature("gender") for item in items) == {"m": 4000, "f": 4000, "n": 4000}
    assert sum(not item.target_context for item in items) == 6


def test_attacked_items_keep_the_group_of_their_original(shared_data: Path) -> None:
    original = BY_NAME["contrapro"].open(shared_data)
    attacked = BY_NAME["phrase-addition/he_said"].open(shared_data)
    pairs = list(zip(original, attacked, strict=True))
    assert all(one.group == other.group for one, other in pairs)
    assert all(one.candidates[0].text == other.candidates[0].text for one, other in pairs)
    # An empty context stays empty.
    assert sum(one.source_context != other.source_context for one, other in pairs) == 12000 - 6


def test_attacked_items_say_what_attacked_them(shared_data: Path) -> None:
    attacked = next(iter(BY_NAME["phrase-addition/he_said"].open(shared_data)))
    assert attacked.id == "contrapro-0+phrase-addition/he_said"
    assert attacked.origin == Origin("contrapro-0", "phrase-addition/he_said", "attack")
    assert next(iter(BY_NAME["contrapro"].open(shared_data))).origin is None


def test_priors_say_which_noun_an_alternative_takes_up(shared_data: Path) -> None:
    role = next(iter(BY_NAME["role"].open(shared_data)))
    assert role.features == {"genders": "mf"}
    noun = [tuple(map(candidate.features.get, ("referent", "position"))) for candidate in role.candidates]
    assert noun == [("subject", "first"), ("object", "second"), (None, None)]
    position = list(islice(BY_NAME["position"].open(shared_data), 2))
    assert [[candidate.features.get("position") for candidate in item.candidates] for item in position] == [
        ["first", "second", None],
        ["second", "first", None],
    ]
    assert all("position" not in c.features for c in next(iter(BY_NAME["verb"].open(shared_data))).candidates)


@pytest.mark.parametrize(
    ("name", "groups", "size"),
    [("position", 828, 2), ("markable", 1280, 2), ("role", 1000, 1), ("world-knowledge", 2500, 1)],
)
def test_the_same_words_in_another_order_make_a_group(name: str, groups: int, size: int, shared_data: Path) -> None:
    found = Counter(item.group_id for item in BY_NAME[name].open(shared_data))
    assert (len(found), set(found.values())) == (groups, {size})


@pytest.mark.parametrize(
    ("order", "clause"),
    [
        ("eat-drink-eat", "first"),
        ("drink-eat-drink", "first"),
        ("eat-drink-drink", "second"),
        ("drink-eat-eat", "second"),
    ],
)
def test_overlaps_say_which_clause_comes_again(order: str, clause: str, shared_data: Path) -> None:
    items = list(BY_NAME[f"verb-overlap/{order}"].open(shared_data))
    assert {item.features["clause"] for item in items} == {clause}
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
    assert (item.source_context, item.source) == (("The cup fell.",), "It broke.")
    assert [(c.text, c.features["gender"], c.features["pronoun"]) for c in item.candidates] == [
        ("Er zerbrach.", "m", "Er"),
        ("Sie zerbrach.", "f", "Sie"),
        ("Es zerbrach.", "n", "Es"),
    ]
    assert (item.gold, item.feature("gender"), item.label) == (1, "f", "markable")
    assert [item.candidates[span.index].text[span.start : span.end] for span in item.spans] == ["Er", "Sie", "Es"]


@pytest.mark.parametrize(
    ("english", "german", "genders", "message"),
    [
        (ENGLISH, GERMAN[:2], ["f"] * 2, "de.txt: has 2 lines and genders.txt 2; both must be the same multiple of 3"),
        (ENGLISH[:2], GERMAN, ["f"] * 3, "de.txt: has 3 lines, but en.txt has 2"),
        (ENGLISH, GERMAN, ["f", "f", "m"], "genders.txt:1: the three lines of one item must name one gender"),
        (ENGLISH, [*GERMAN[:2], "Es zerbrach."], ["f"] * 3, "de.txt:3: has no <SEP> between context and sentence"),
    ],
)
def test_bad_triples_are_refused(
    folder: Path, english: list[str], german: list[str], genders: list[str], message: str
) -> None:
    write(template(folder), english, german, genders)
    with pytest.raises(InputError) as error:
        list(markable().open(folder))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("0\n3\n", None),
        ("0\n2\n3\n", "de.txt:3: field 'candidates': one alternative"),
        ("0\n4\n", "sentence_groups.txt: runs from 0 to 4, but de.txt has 3 lines"),
        ("1\n3\n", "sentence_groups.txt: runs from 1 to 3"),
        ("0\n0\n3\n", "sentence_groups.txt:2: '0' is not a growing line number"),
        ("0\nx\n", "sentence_groups.txt:2: 'x' is not a growing line number"),
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
        with pytest.raises(InputError) as error:
            list(suite.open(tmp_path))
        assert message in str(error.value)
