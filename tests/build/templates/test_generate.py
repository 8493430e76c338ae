"""Every combination of words becomes an item that says all there is to say."""

from __future__ import annotations

from referee.build.templates.generate import NOT_DIFFERENT, NOT_SHOWN, Tally
from tests.support.generated import marked
from tests.support.language_folder import WriteFolder, items_of


def test_every_combination_that_is_allowed_is_made_once(folder: WriteFolder) -> None:
    tallies: dict[str, Tally] = {}
    items = items_of(folder(), "pair", tallies=tallies)
    pairs = {("dog", "goose"), ("goose", "dog"), ("hamster", "goose"), ("goose", "hamster")}
    assert {(item.meta["words"]["a"], item.meta["words"]["b"]) for item in items} == pairs
    assert len(items) == len({item.id for item in items}) == 8
    assert tallies["pair"].items == 8
    # dog and hamster in both orders and sizes; a word is not paired with itself, and that is no loss.
    assert tallies["pair"].left_out == {NOT_DIFFERENT: 4}


def test_an_item_says_all_there_is_to_say(folder: WriteFolder) -> None:
    item = items_of(folder(), "pair")[0]
    assert (item.source_context, item.source) == (("I spoke of the dog and the goose.",), "It was small.")
    assert item.target_context == ("Je parlais du chien et de l'oie.",)
    assert [candidate.text for candidate in item.candidates] == ["Il était petit.", "Elle était petite."]
    assert [candidate.features for candidate in item.candidates] == [
        {"gender": "m", "pronoun": "Il", "referent": "first", "position": "first"},
        {"gender": "f", "pronoun": "Elle", "referent": "second", "position": "second"},
    ]
    assert (item.gold, item.reference, item.label, item.distance) == (None, None, "pair", None)
    assert item.features == {"template": "pair", "step": "priors", "genders": "mf"}
    assert [(span.role, marked(item, span)) for span in item.spans] == [
        ("possible", "the dog"),
        ("possible", "the goose"),
        ("possible", "du chien"),
        ("possible", "l'oie"),
        ("pronoun", "It"),
        ("pronoun", "Il"),
        ("pronoun", "Elle"),
    ]


def test_both_orders_are_one_group(folder: WriteFolder) -> None:
    items = items_of(folder(), "pair")
    of = {(item.meta["words"]["a"], item.meta["words"]["b"], item.meta["words"]["size"]): item.group for item in items}
    assert of["dog", "goose", "small"] == of["goose", "dog", "small"] != of["hamster", "goose", "small"]
    assert of["dog", "goose", "small"] != of["dog", "goose", "huge"]


def test_gold_is_a_noun_or_a_gender_and_hidden_genders_are_left_out(folder: WriteFolder) -> None:
    tallies: dict[str, Tally] = {}
    items = items_of(folder(), "dropped", tallies=tallies)
    small = [item for item in items if item.features.get("form") == "small"]
    assert [(item.meta["words"]["a"], item.gold) for item in small] == [("dog", 0), ("goose", 1), ("hamster", 0)]
    assert {item.source for item in small} == {"However, it is smaller."}
    assert small[1].reference == "Mais était petite." == small[1].candidates[1].text
    assert small[1].features["clause"] == "first"
    assert small[1].candidates[1].features == {"gender": "f", "referent": "animal"}
    assert (small[0].distance, small[0].group) == (1, "dropped:dog/chien")
    assert small[1].source_context == ("There is a goose.",)
    # "énorme" is the same for both.
    assert tallies["dropped"].left_out == {NOT_SHOWN: 3}
    events = [item for item in items if item.features.get("form") == "event"]
    assert {(item.gold, item.reference, item.distance) for item in events} == {(0, "Il pleuvait.", None)}
    assert [item.candidates[0].features for item in events] == [{"gender": "m", "pronoun": "Il"}] * 6
    assert [item.candidates[1].features.get("referent") for item in events].count("animal") == 2
    assert {span.role for item in events for span in item.spans} == {"distractor", "pronoun"}
