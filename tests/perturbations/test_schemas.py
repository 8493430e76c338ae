"""Changes of Winograd schemas: sentences by hand, and the published sets of "Back to Square One" line by line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.build.twins import as_published, non_associative
from referee.errors import InputError, UsageError
from referee.items import Candidate, Item, Origin, Span
from referee.perturbations import Perturbation, Tally, attacked, choose
from referee.sets import canonical, decode
from referee.suites import load
from tests.build.test_twins import pair_record
from tests.suites.test_square_one import published_twins
from tests.support.items import any_item
from tests.support.published import published_lines

WINOHARD = "winograd/winohard"
NAMES = ("no-cands", "part-sent", "swap", "mask-special-word")


def schema(source: str, *options: str, gold: int = 0, **changes: Any) -> Item:
    fields: dict[str, Any] = {"id": "a", "task": "fill", "source_lang": "en", "target_lang": "en", "source": source}
    return Item(**(fields | {"candidates": tuple(map(Candidate, options)), "gold": gold} | changes))


def replaced(one: Item, **changes: Any) -> Item:
    return msgspec.structs.replace(one, **changes)


def named(name: str, *, paper: bool = False) -> Perturbation:
    (found,) = choose([name], paper=paper)
    return found


def made(name: str, *items: Item, paper: bool = False) -> list[str]:
    """The sentences that come out, or why none does."""
    tally = Tally(name)
    return [one.source for one in attacked(items, named(name, paper=paper), tally)] or list(tally.dropped)


JUG = schema("The jug doesn't fit onto the old shelf because _ is too wide.", "the jug", "the shelf")
TWINS = (
    schema("Ann thanked Bea because _ was kind.", "Ann", "Bea", gold=1, id="t-1", group="t"),
    schema("Ann thanked Bea because _ was glad.", "Ann", "Bea", gold=0, id="t-2", group="t"),
)


@pytest.mark.parametrize(
    ("source", "options", "ours", "papers"),
    [
        (JUG.source, ("the jug", "the shelf"), "doesn't fit onto the old because _ is too wide.", None),
        ("Ann met Anne's son, and _ smiled.", ("Ann", "Anne"), "met son, and _ smiled.", "more than once"),
        ("The same Sam saw Al, so _ ran.", ("Sam", "Al"), "The same saw, so _ ran.", "The same saw , so _ ran."),
        ("Sam and Al sang until Al left, but _ stayed.", ("Sam", "Al"), "and sang until left, but _ stayed.", "more"),
        ("People like a dog if _ bark.", ("people", "the dog"), "like if _ bark.", "more"),
        ("Emma saw Emma's mother wave, and _ left.", ("Emma", "Emma's mother"), "saw wave, and _ left.", "more"),
        ("He saw a cat, and _ ran.", ("the dog", "the cat"), "a candidate is not in the sentence", "more"),
    ],
)
def test_no_cands(source: str, options: tuple[str, str], ours: str, papers: str | None) -> None:
    one = schema(source, *options)
    assert made("no-cands", one) == [ours]
    if papers is not None:
        missing = ["a candidate does not occur exactly once"]
        assert made("no-cands", one, paper=True) == (missing if papers.startswith("more") else [papers])


def test_published_no_cands_cuts_words_open_and_leaves_spaces() -> None:
    one = schema("Ian and Al talked at dinner.  Then _ left.", "Ian", "Al")
    assert made("no-cands", one, paper=True) == [" and talked at dinner. Then _ left."]
    # "art" is found in "started", and only there.
    cut = schema("It started in Rome, and _ was old.", "art", "Rome")
    assert made("no-cands", cut, paper=True) == ["It sted in , and _ was old."]
    assert made("no-cands", cut) == ["a candidate is not in the sentence"]
    # "The hen" is found in "The hens", so that the hen stays.
    articles = schema("The fox saw the hen as _ ran. The hens fled.", "the fox", "The hen")
    assert made("no-cands", articles, paper=True) == [" saw the hen as _ ran. s fled."]
    assert made("no-cands", articles) == ["saw as _ ran. The hens fled."]


@pytest.mark.parametrize(
    ("source", "ours", "papers"),
    [
        (JUG.source, "because _ is too wide.", "_ is too wide."),
        ("Ann hid, and Bea ran. Then _ fell.", "Then _ fell.", "Then _ fell."),
        ("Look! A cat! _ is wet.", "_ is wet.", "no"),
        ("Dr. Wu told Ann that _ was ill.", "no", "no"),
        ("It cost 20,000 when _ paid.", "no", "no"),
        ("So _ left because Ann came.", "no", "no"),
        ("Ann ran. But then _ fell.", "But then _ fell.", "But then _ fell."),
        ("Ann slept, even though _ was cold.", "even though _ was cold.", "_ was cold."),
        ("The so-called queen knew _ was late.", "no", "-called queen knew _ was late."),
        ("Ann and Bea ran; _ won.", "_ won.", "_ won."),
    ],
)
def test_part_sent(source: str, ours: str, papers: str) -> None:
    one = schema(source, "Ann", "Bea")
    assert made("part-sent", one) == ["no connective and no mark before the gap" if ours == "no" else ours]
    assert made("part-sent", one, paper=True) == ["no marker before the gap" if papers == "no" else papers]


@pytest.mark.parametrize(
    ("language", "source", "options", "part", "bare"),
    [
        ("de", "Die Vase kippt vom Regal, weil _ zu voll ist.", ("die Vase", "das Regal"), "weil _ zu voll ist.", None),
        ("fr", "L'ours a vu le loup parce qu'_ a bougé.", ("l'ours", "le loup"), "parce qu'_ a bougé.", "a vu parce"),
        ("ru", "Лиса видит волка, потому что _ рядом.", ("Лиса", "волка"), "потому что _ рядом.", "видит, потому"),
        ("fi", "Kettu näki karhun, koska _ liikkui.", ("Kettu", "karhun"), "no words in the language 'fi'", "no words"),
    ],
)
def test_other_languages(language: str, source: str, options: tuple[str, str], part: str, bare: str | None) -> None:
    one = schema(source, *options, source_lang=language, target_lang=language)
    assert made("part-sent", one) == [part]
    assert made("no-cands", one)[0].startswith(bare or "kippt vom, weil")
    assert made("swap", one) == [f"no words in the language '{language}'"]


@pytest.mark.parametrize(
    ("source", "options", "ours"),
    [
        (JUG.source, ("the jug", "the shelf"), "The shelf doesn't fit onto the old jug because _ is too wide."),
        ("Sam told Al that Sam's son saw _ .", ("Sam", "Al"), "Al told Sam that Al's son saw _ ."),
        ("Dogs chase cats, so _ run.", ("dogs", "cats"), "Cats chase dogs, so _ run."),
        ("A fox ate an owl, as _ was slow.", ("the fox", "the owl"), "An owl ate a fox, as _ was slow."),
        ("Sam saw the dog, so _ ran.", ("Sam", "the dog"), "one candidate has an article, the other has none"),
        ("Sam ran from him, so _ fell.", ("Sam", "Al"), "a candidate is not in the sentence"),
    ],
)
def test_swap(source: str, options: tuple[str, str], ours: str) -> None:
    assert made("swap", schema(source, *options)) == [ours]


def test_swapping_exchanges_the_answer_and_who_came_first() -> None:
    options = (Candidate("Sam", {"position": "first", "gender": "m"}), Candidate("Al", {"position": "second"}))
    source = "Sam told Al that _ won."
    one = schema(source, candidates=options, spans=(Span("trigger", "source", 19, 22),))
    (swapped,) = attacked([one], named("swap"))
    assert (swapped.gold, swapped.id, swapped.meta) == (1, "a+swap", {})
    assert [each.features.get("position") for each in swapped.candidates] == ["second", "first"]
    assert swapped.candidates[0].features["gender"] == "m"
    assert swapped.origin == Origin("a", "swap", "attack")
    assert swapped.features == {"swapped": "names"}
    (again,) = attacked([swapped], named("swap"))
    assert (again.source, again.gold) == (one.source, one.gold)
    (things,) = attacked([JUG], named("swap"))
    assert things.features["swapped"] == "things"
    assert made("swap", schema(source, "Sam", "Al", features={"switchable": "0"})) == ["is marked as not switchable"]
    with pytest.raises(UsageError, match="'swap' has no published form"):
        choose(["swap"], paper=True)


def test_triggers_stay_on_their_words() -> None:
    one = schema("Sam told Al, and _ won.", "Sam", "Al", spans=(Span("trigger", "source", 19, 22),))
    for name in ("no-cands", "part-sent", "swap"):
        for paper in (False, True)[: 1 if name == "swap" else 2]:
            (changed,) = attacked([one], named(name, paper=paper))
            assert [changed.source[span.start : span.end] for span in changed.spans] == ["won"]


def test_twins_stay_together_and_in_their_group() -> None:
    gone = replaced(TWINS[1], source="Ann thanked her because _ was glad.")
    for name in ("no-cands", "swap"):
        assert {one.group for one in attacked(TWINS, named(name))} == {"t"}
        tally = Tally(name)
        assert list(attacked([TWINS[0], gone], named(name), tally)) == []
        assert tally.dropped == {"its twin cannot be changed": 1, "a candidate is not in the sentence": 1}
    uncut = replaced(TWINS[1], source="Ann thanked Bea when _ was glad.")
    assert len(made("part-sent", TWINS[0], uncut)) == 2  # the reasons: both are gone
    assert made("part-sent", TWINS[0], uncut, paper=True) == ["_ was kind."]


def test_the_special_word_is_asked_for() -> None:
    first, second = attacked(TWINS, named("mask-special-word"))
    assert (first.source, second.source) == ("Ann thanked Bea because Bea was _.", "Ann thanked Bea because Ann was _.")
    assert [each.text for each in first.candidates] == ["glad", "kind"] == [each.text for each in second.candidates]
    assert (first.gold, second.gold, first.group) == (1, 0, "t")
    assert first.filled(first.candidates[first.gold or 0]) == "Ann thanked Bea because Bea was kind."
    assert made("mask-special-word", TWINS[0]) == ["has no twin"]


@pytest.mark.parametrize(
    ("sources", "options", "pronoun", "ours", "papers"),
    [
        # A capital article within the sentence; an owner; a full stop that only one twin has.
        (
            ("The man put the boy on _ lap", "The man put the boy on _ bed."),
            ("The man", "The boy"),
            "his",
            ["The man put the boy on the man's _.", "The man put the boy on the boy's _."],
            ["The man put the boy on The man _.", "The man put the boy on The boy _."],
        ),
        (
            ("The hen saw the fox. _ was in.", "The hen saw the fox. _ was out."),
            ("the hen", "the fox"),
            "it",
            ["The hen saw the fox. The hen was _.", "The hen saw the fox. The fox was _."],
            ["The hen saw the fox. the hen was _.", "The hen saw the fox. the fox was _."],
        ),
        # The published form asks for "bunk", though the twins differ in two words.
        (
            ("Ann saw Bea on _ lap.", "Ann saw Bea on _ bunk bed."),
            ("Ann", "Bea"),
            "her",
            ["the twins do not differ in exactly one word"],
            ["Ann saw Bea on Ann _.", "Ann saw Bea on Bea _ bed."],
        ),
        # A word that occurs twice, or in another, is masked where it stands.
        (
            ("Ann is in, so let _ in, too.", "Ann is in, so let _ out, too."),
            ("Ann", "Bea"),
            "her",
            ["Ann is in, so let Ann _, too.", "Ann is in, so let Bea _, too."],
            ["the word does not occur exactly once"],
        ),
        # "her" may own something or not, but not in one twin only.
        (
            ("Ann was near Bea, and saw _ run.", "Ann was near Bea, and saw _ to run."),
            ("Ann", "Bea"),
            "her",
            ["the twins do not differ in exactly one word"],
            ["Ann was near Bea, and saw Ann _.", "Ann was near Bea, and saw Bea _ run."],
        ),
        # Marks belong to the published word.
        (
            ("Ann saw Bea at once, as _ was near, too.", "Ann saw Bea at once, as _ was far, too."),
            ("Ann", "Bea"),
            "she",
            ["Ann saw Bea at once, as Ann was _, too.", "Ann saw Bea at once, as Bea was _, too."],
            ["Ann saw Bea at once, as Ann was _ too.", "Ann saw Bea at once, as Bea was _ too."],
        ),
    ],
)
def test_special_words(
    sources: tuple[str, str], options: tuple[str, str], pronoun: str, ours: list[str], papers: list[str]
) -> None:
    twins = [
        schema(source, *options, gold=gold, id=f"t-{gold}", group="t", features={"pronoun": pronoun})
        for gold, source in enumerate(sources)
    ]
    assert made("mask-special-word", *twins) == ours
    assert made("mask-special-word", *twins, paper=True) == papers


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"gold": 0}, "the twins do not have different answers"),
        ({"gold": None}, "the twins do not have different answers"),
        ({"candidates": (Candidate("Ann"), Candidate("Cy"))}, "the twins have different candidates"),
        ({"candidates": ()}, "does not have two candidates"),
        ({"source_lang": "de"}, "no words in the language 'en'"),
        ({"task": "choose"}, "has no gap"),
    ],
)
def test_what_are_no_twins(change: dict[str, Any], reason: str) -> None:
    other = replaced(TWINS[0], **({"gold": None} | change if change.get("candidates") == () else change))
    assert made("mask-special-word", TWINS[1], other) == [reason]


def test_three_are_no_twins() -> None:
    third = replaced(TWINS[0], id="t-3", source="Ann thanked Bea because _ was old.")
    assert made("mask-special-word", *TWINS, third) == ["has more than one twin"]


_words = st.sampled_from(["Ann", "Bea", "the", "The", "and", "so", ".", ",", "ran", "Anna", "a", "Dr.", "“", "'s", ""])


@st.composite
def _schemas(draw: st.DrawFn) -> list[Item]:
    """Twins of words in any order, of which some are candidates."""
    before, after = (draw(st.lists(_words, max_size=6)) for _ in range(2))
    options = draw(st.sampled_from([("Ann", "Bea"), ("the Ann", "the Bea"), ("Ann", "Ann and Bea"), ("a", "the")]))
    specials = draw(st.sampled_from([("kind", "glad"), ("in", "ran"), ("kind.", "glad"), ("", "ran")]))
    return [
        schema(" ".join([*before, "_", *after, special]), *options, gold=gold, id=f"t-{gold}", group="t")
        for gold, special in enumerate(specials)
    ]


@given(st.one_of(_schemas(), st.lists(any_item(), max_size=3, unique_by=lambda one: one.id)))
def test_whatever_comes_out_is_valid_and_whole(items: list[Item]) -> None:
    for name in NAMES:
        for paper in (False, True)[: 1 if name == "swap" else 2]:
            results = list(attacked(items, named(name, paper=paper)))
            known = {one.id: one for one in items}
            for one in results:
                assert decode(canonical(one), "here", None) == one
                assert one.origin is not None
                original = known[one.origin.item]
                assert (one.id, one.group) == (f"{original.id}+{name}", original.group_id)
                assert one.gold == (1 - (original.gold or 0) if name == "swap" else original.gold)
            if not paper:
                counts = {group: sum(one.group_id == group for one in items) for group in known_groups(items)}
                assert all(sum(one.group == group for one in results) in (0, n) for group, n in counts.items())


def known_groups(items: Sequence[Item]) -> set[str]:
    return {one.group_id for one in items}


def test_no_cands_leaves_no_candidate(published_data: Path) -> None:
    for suite in ("wsc", "winogrande/dev"):
        for one in attacked(load(suite, data=published_data), named("no-cands")):
            assert not {each.text for each in one.candidates} & set(one.source.replace(",", "").split())


@cache
def pairs(data: Path, name: str) -> tuple[Item, ...]:
    """The published pairs."""
    if name == "wsc-na":
        return tuple(non_associative(as_published(load("wsc", data=data))))
    return tuple(as_published(load(name, data=data)))


def record(one: Item) -> dict[str, Any]:
    assert one.origin is not None
    return pair_record(replaced(one, id=one.origin.item, origin=None))


@pytest.mark.parametrize(("name", "file"), [("no-cands", "no_cands"), ("part-sent", "truncated")])
def test_every_published_line_comes_out(published_data: Path, name: str, file: str) -> None:
    found = [record(one) for one in attacked(pairs(published_data, "wsc"), named(name, paper=True))]
    assert found == published_lines(published_data / WINOHARD / file / "wsc.jsonl")


SIZES = {
    "wsc-na": (31_903, 26_059, 20_790),
    "winogrande/dev": (121_609, 91_711, 46_840),
    "winogrande/train_xs": (34_550, 25_211, 13_983),
    "winogrande/train_s": (133_774, 100_666, 55_650),
    "winogrande/train_m": (546_391, 405_948, 223_195),
    "winogrande/train_l": (2_200_948, 1_621_156, 872_464),
}
"""Characters of published files that are not in the data folder: `no_cands`, `truncated`, `zero_shot`."""


@pytest.mark.parametrize("suite", SIZES)
def test_sizes_of_the_other_published_files(shared_data: Path, suite: str) -> None:
    found = [
        [record(one) for one in attacked(pairs(shared_data, suite), named(name, paper=True))]
        for name in ("no-cands", "part-sent")
    ]
    characters = [sum(len(json.dumps(line)) + 1 for line in lines) for lines in (*found, zero_shot(shared_data, suite))]
    assert tuple(characters) == SIZES[suite]


def zero_shot(data: Path, name: str) -> list[dict[str, str]]:
    found = list(attacked(pairs(data, name), named("mask-special-word", paper=True)))
    twins = (sorted(two, key=lambda one: one.gold or 0) for two in zip(found[::2], found[1::2], strict=True))
    return [published_twins(*two) for two in twins]


def test_every_published_special_word_comes_out(published_data: Path) -> None:
    folder = published_data / WINOHARD / "transformed/zero_shot"
    found = zero_shot(published_data, "wsc")
    assert found == published_lines(folder / "wsc.jsonl")
    # Which of them are single tokens depends on the models that were compared; nothing else was changed.
    of_models = published_lines(folder / "wsc_lms.jsonl")
    assert [twins for twins in found if twins in of_models] == of_models


@pytest.mark.parametrize(
    ("name", "no_cands", "part_sent", "special"),
    [
        ("wsc", (228, 114), (242, 121), (226, 113)),
        # Not published, but Tables 1 and 3 only come out with 93 and 96, 277 and 282 groups; the text says 180 and 354.
        ("wsc-na", (186, 93), (192, 96), (180, 90)),
        ("winogrande/dev", (554, 277), (563, 282), (354, 177)),
    ],
)
def test_the_sizes_of_the_paper(
    shared_data: Path, name: str, no_cands: tuple[int, int], part_sent: tuple[int, int], special: tuple[int, int]
) -> None:
    for perturbation, size in zip(
        ("no-cands", "part-sent", "mask-special-word"), (no_cands, part_sent, special), strict=True
    ):
        found = list(attacked(pairs(shared_data, name), named(perturbation, paper=True)))
        assert (len(found), len({one.group for one in found})) == size


def test_a_group_that_is_broken_is_named() -> None:
    broken = replace(named("swap"), apply_group=lambda items: [replaced(one, gold=7) for one in items])
    with pytest.raises(InputError, match=r"'swap' makes an invalid item of 't' \(gold: 7 is out of range"):
        list(attacked(TWINS, broken))


def test_swapped_names_of_kinds_keep_the_case_of_their_place() -> None:
    assert made("swap", schema("Then people saw dogs because _ ran.", "People", "Dogs")) == [
        "Then dogs saw people because _ ran."
    ]
