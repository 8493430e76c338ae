from __future__ import annotations

import re
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item, Origin, Span
from referee.languages.de.nouns import Nouns, installed_nouns, read_nouns
from referee.perturbations import Dropped
from referee.perturbations.synonyms import replaced
from referee.suites import load
from tests.support.items import item
from tests.support.nouns_table import write_nouns

SYNONYMS = {
    "Becher": ["Humpen", "Tasse", "Glas"],
    "Tasse": ["Becher"],
    "Glas": ["See", "Tasse"],
    "Humpen": ["Tasse"],
    "Bär": ["Bestie"],
    "Bestie": ["Bär"],
}
CANDIDATES = tuple(
    Candidate(f"{pronoun} ist alt.", {"gender": gender, "pronoun": pronoun})
    for gender, pronoun in (("m", "Er"), ("f", "Sie"), ("n", "Es"))
)


@pytest.fixture(scope="module")
def nouns(tmp_path_factory: pytest.TempPathFactory) -> Nouns:
    return read_nouns(write_nouns(tmp_path_factory.mktemp("nouns") / "nouns.csv"))


def made(text: str, gender: str, nouns: Nouns, **changes: Any) -> Item | Dropped:
    """What becomes of an item whose target context has the antecedent in brackets."""
    start, end = text.index("["), text.index("]") - 1
    fields: dict[str, Any] = {
        "source_context": ("There.",),
        "target_context": (text.replace("[", "").replace("]", ""),),
        "candidates": CANDIDATES,
        "gold": "mfn".index(gender),
        "spans": (Span("antecedent", "source_context", 0, 5), Span("antecedent", "target_context", start, end)),
    }
    return replaced(item(**(fields | changes)), lambda _, lemma: SYNONYMS.get(lemma, []), nouns)


@pytest.mark.parametrize(
    ("text", "gender", "after", "gold"),
    [
        ("[Der Becher] fiel.", "m", "Die Tasse fiel.", 1),
        ("Nimm [den alten Becher].", "m", "Nimm die alte Tasse.", 1),
        ("In [dem alten Becher].", "m", "In der alten Tasse.", 1),
        ("Statt [des Bechers].", "m", "Statt der Tasse.", 1),
        ("[Ein alter Becher] fiel.", "m", "Eine alte Tasse fiel.", 1),
        ("[Euer großer alter Becher] fiel.", "m", "Eure große alte Tasse fiel.", 1),
        ("In [unserer alten Tasse].", "f", None, None),
        ("[Dieses Glas] fiel.", "n", "Diese Tasse fiel.", 1),
        ("Ich sah [mein altes Glas].", "n", "Ich sah meine alte Tasse.", 1),
        ("Ich sah [den Bären].", "m", "Ich sah die Bestie.", 1),
        ("Mit [keinem Becher].", "m", "Mit keiner Tasse.", 1),
    ],
)
def test_determiner_adjectives_and_gold_agree(
    text: str, gender: str, after: str | None, gold: int | None, nouns: Nouns
) -> None:
    found = made(text, gender, nouns)
    if after is None:
        assert found == Dropped("the case of the antecedent is not certain")
    else:
        assert isinstance(found, Item)
        assert (found.target_context, found.gold) == ((after,), gold)


@pytest.mark.parametrize(
    ("text", "gender", "changes", "reason"),
    [
        ("[Die Tasse] fiel.", "f", {}, "the case of the antecedent is not certain"),
        ("[Der Humpen] fiel.", "m", {"candidates": CANDIDATES[::2], "gold": 0}, "no synonym has another gender"),
        ("[Der Krug] fiel.", "m", {}, "the antecedent is not in the list of nouns"),
        ("[Der See] fiel.", "m", {}, "no synonym is known"),
        ("[Der Becher], der fiel, ist alt.", "m", {}, "a relative clause follows the antecedent"),
        ("[Der Becher], in dem Tee ist, ist alt.", "m", {}, "a relative clause follows the antecedent"),
        ("[Der Becher Omega] fiel.", "m", {}, "the antecedent is a name"),
        ("[Becher] fielen.", "m", {}, "the antecedent has no known determiner"),
        ("[Der Becher] fiel.", "m", {"gold": None}, "the gender of the antecedent is not known"),
        (
            "[Der Becher] fiel.",
            "m",
            {"gold": None, "features": {"gender": "m"}},
            "the gender of the antecedent is not known",
        ),
        (
            "[Der Becher] fiel.",
            "m",
            {"candidates": tuple(Candidate(one.text) for one in CANDIDATES)},
            "the gender of the antecedent is not known",
        ),
        ("[Der Becher] fiel.", "m", {"target_lang": "nl"}, "not into German"),
        ("[Der Becher] fiel.", "m", {"spans": ()}, "no antecedent is marked on the source side"),
    ],
)
def test_what_does_not_fit_is_dropped(
    text: str, gender: str, changes: dict[str, Any], reason: str, nouns: Nouns
) -> None:
    assert made(text, gender, nouns, **changes) == Dropped(reason)


def test_a_set_may_state_the_case(nouns: Nouns) -> None:
    for changes in (
        {"features": {"antecedent_case": "acc"}},
        {"meta": {"record": {"ref ante head morpho": "Fem|Acc|Sg"}}},
    ):
        found = made("Ich sah [die Tasse].", "f", nouns, **changes)
        assert isinstance(found, Item)
        assert found.target_context == ("Ich sah den Becher.",)


def test_everything_that_hangs_on_the_pronoun_moves_along(nouns: Nouns) -> None:
    found = made(
        "[Der Becher] fiel.",
        "m",
        nouns,
        reference="Er ist alt.",
        expected=("Er",),
        label="er",
        features={"gender": "m"},
    )
    assert isinstance(found, Item)
    assert (found.gold, found.reference, found.expected, found.label) == (1, "Sie ist alt.", ("Sie",), "sie")
    assert found.origin == Origin("a", "synonym", "attack")
    assert found.features == {"gender": "f"}
    assert found.meta["synonym"] == "Tasse"
    assert found.candidates == CANDIDATES


def test_an_antecedent_in_the_same_sentence_changes_in_every_candidate(nouns: Nouns) -> None:
    candidates = tuple(
        Candidate(f"Der alte Becher war leer, also war {pronoun} leicht.", {"gender": gender})
        for gender, pronoun in (("m", "er"), ("f", "sie"), ("n", "es"))
    )
    spans = (
        Span("antecedent", "source", 0, 2),
        *(Span("antecedent", "candidate", 0, 15, index) for index in range(3)),
    )
    original = item(candidates=candidates, gold=0, spans=spans, reference=candidates[0].text)
    found = replaced(original, lambda _, lemma: SYNONYMS.get(lemma, []), nouns)
    assert isinstance(found, Item)
    assert [candidate.text for candidate in found.candidates] == [
        f"Die alte Tasse war leer, also war {pronoun} leicht." for pronoun in ("er", "sie", "es")
    ]
    assert (found.gold, found.reference) == (1, "Die alte Tasse war leer, also war sie leicht.")
    covered = [found.candidates[s.index].text[s.start : s.end] for s in found.spans if s.field == "candidate"]
    assert covered == ["Die alte Tasse"] * 3


def published_noun(before: str, after: str) -> str | None:
    """The noun that the published text has in the place of the antecedent's."""
    old, new = (re.findall(r"\w[\w-]*", text) for text in (before, after))
    if len(old) != len(new):
        return None
    nouns = [word for was, word in zip(old, new, strict=True) if was != word and word[0].isupper()]
    return nouns[-1] if nouns else None


@pytest.mark.skipif(find_spec("german_nouns") is None, reason="german-nouns is not installed")
def test_handed_the_published_words_most_of_the_published_texts_come_out(shared_data: Path) -> None:
    """docs/attacks.md gives these figures, and what the rest is."""
    annotated = load("contracat/contrapro/annotated", data=shared_data)
    originals = [one for one in annotated if "synonyms" in one.meta["subsets"]]
    published = list(load("contracat/synonyms", data=shared_data))
    nouns = installed_nouns()
    counts: Counter[str] = Counter()
    for original, other in zip(originals, published, strict=True):
        gender = other.feature("gender")
        assert gender is not None
        place = next(n for n, each in enumerate(original.candidates) if each.features.get("gender") == gender)
        before = original.candidates[place].text if original.distance == 0 else original.target_context[-1]
        after = other.candidates[0].text if original.distance == 0 else other.target_context[-1]
        word = published_noun(before, after)
        lemmas = [noun.lemma for noun in nouns.by_form.get(word or "", []) if noun.gender == gender] or [word or ""]
        found = replaced(original, lambda _, __, lemmas=lemmas: lemmas, nouns)  # type: ignore[misc]
        if isinstance(found, Dropped):
            counts["dropped"] += 1
            continue
        assert found.gold == place
        text = found.candidates[place].text if original.distance == 0 else found.target_context[-1]
        counts["same" if text.strip('"').lower() == after.strip('"').lower() else "other"] += 1
    assert counts.total() == 1531
    # Another version of the list of nouns may know a few more or less.
    assert counts["same"] > 900
    assert counts["other"] < 100
