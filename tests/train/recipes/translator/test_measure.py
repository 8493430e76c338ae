"""The figures of a card: what is counted, on what, and how it is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from referee.build.templates import open_templates
from referee.errors import InputError, MissingError
from referee.protocols import Answers, Identity, ScorePair, TokenScores, TranslateDoc
from referee.train.recipes.translator import corpus, heldout, probes, tables
from referee.train.recipes.translator.corpus import Line, Split
from referee.train.recipes.translator.corpus import Pair as Example

KNOWN = "We have all seen this one sentence before."
ENGLISH = ("The lamp stands here.", "It is new.")
GERMAN = ("Die Lampe steht hier.", "Sie ist neu.")


class Echo:
    """Translates what it was told; with context it gets the expected form right."""

    def __init__(self, known: dict[str, str]) -> None:
        self.known = known

    def identity(self) -> Identity:
        return Identity("0" * 64)

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        for number, source in enumerate(sources):
            default = "Das tut er." if len(source.sentences) > 1 else "Nichts."
            yield number, self.known.get(" ".join(source.sentences), default)

    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        for number, pair in enumerate(pairs):
            yield number, TokenScores((-float(len(pair.target)),))


def line(
    number: int, english: tuple[str, ...], other: tuple[str, ...], corpus: str = "c", language: str = "de"
) -> Line:
    return Line(corpus, number, language, english, other, f"film {number}")


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    lines = [line(0, ENGLISH, GERMAN), line(1, ("Да?",), ("Oui.",))]
    (tmp_path / "test.jsonl").write_text("".join(json.dumps(asdict(one)) + "\n" for one in lines))
    assert heldout.read_test(tmp_path) == lines
    heldout.check(Split([], [], lines), lines, tmp_path)
    with pytest.raises(InputError, match="holds out 2 lines, but by the data as they are 1 others"):
        heldout.check(Split([], [], lines[:1]), lines, tmp_path)


def test_only_long_sentences_tell_that_something_was_seen() -> None:
    split = Split([line(0, (f"{KNOWN} Yes.",), ("Ja.",)), line(1, ("Short.", "A" * 40), ("Kurz.",))], [], [])
    found = heldout.seen(split, [Example("fr", "B" * 30, "C"), Example("fr", "B" * 29, "C")])
    assert found == {KNOWN, "A" * 40, "B" * 30}


def test_what_is_translated() -> None:
    lines = [
        line(0, ENGLISH, (" ".join(GERMAN),)),
        line(1, ("Who?",), ("Wer?",)),
        line(2, ("One. Two.",), ("Un.", "Deux."), language="fr"),
        line(3, ("Really?",), ("Echt?",), corpus="reference x"),
    ]
    documents = [text.item for text in heldout.documents(lines)]
    assert [(item.source, item.reference) for item in documents] == [
        (" ".join(ENGLISH), " ".join(GERMAN)),
        ("One. Two.", "Un. Deux."),
    ]
    sentences = [(text.item.source, text.item.reference) for text in heldout.single(lines)]
    assert sentences == [("It is new.", "Sie ist neu."), ("Two.", "Deux.")]
    assert [text.item.source for text in heldout.subtitles(lines)] == ["Really?"]


def test_quality_and_what_was_seen() -> None:
    texts = heldout.documents(
        [line(0, (*ENGLISH, KNOWN), GERMAN), line(1, (*ENGLISH, "But nobody has ever seen this one here."), GERMAN)]
    )
    model = Echo({text.item.source: " ".join(GERMAN) for text in texts})
    found = heldout.measured(model, texts, {KNOWN})["de"]
    assert [score["value"] for score in found["quality"]] == pytest.approx([100, 100])
    assert (found["texts"], found["passages"]) == (2, 2)
    assert (found["sentences"], found["sentences seen"], found["texts with nothing seen"]) == (2, 1, 1)
    assert found["texts of known films"] == 2


def test_how_far_text_alone_keeps_films_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two scenes of a film that share nothing: one is held out, by its hash, the other is not."""
    monkeypatch.setattr(corpus, "HELD_OUT", 0.5)
    scenes = [line(number, (f"Scene {number}.", "Yes."), GERMAN) for number in range(40)]
    lines = [replace(scene, document=f"film {scene.number // 2}") for scene in scenes]
    alone = line(40, ("Nobody knows.",), ("Niemand weiß es.",))
    found = heldout.joined_by_text([*lines, replace(alone, document=None)])
    assert (found["contexts"], found["with id"]) == (41, 40)
    held_out = {each.number for each in corpus.split([replace(each, document=None) for each in lines]).test}
    assert found["held out by text"] == len(held_out)
    assert found["of films in the rest"] == sum(number ^ 1 not in held_out for number in held_out) > 0


def write_sets(data: Path) -> list[Line]:
    """The sets with expected forms, two rows each; those of every second film are held out."""
    test = []
    for phenomenon, language, places in probes._SETS:
        for place in places:
            pair = f"en-{language}"
            if place == "paper":
                mini = "" if phenomenon == "auxiliary" else "mini."
                stem = f"{mini}{phenomenon}.opensubtitles.{pair}.test"
                records, inputs = f"paper/jsons/{stem}.json", f"paper/inputs/{stem}"
            else:
                stem = f"{phenomenon}.opensubtitles.{pair}.{place}"
                records, inputs = f"release/evalsets/{stem}.json", f"release/inputs/{stem}"
            rows = [
                {
                    "document id": f"de-en/2017/2017_{number}_{place}",
                    "segment id": 1,
                    "rule": "DO.ELL",
                    "expected": "tut",
                    "src segment": "He does.",
                    "ref segment": "Das tut er.",
                }
                for number in range(3)
            ]
            for name in (records, inputs):
                (data / "ctxpro" / name).parent.mkdir(parents=True, exist_ok=True)
            (data / "ctxpro" / records).write_text(json.dumps(rows))
            first = ["Who sings?", "Who dances?", KNOWN + " Or not."]
            (data / "ctxpro" / inputs).write_text("".join(f"{one}<eos> He does.\n" for one in first))
            test += [line(number, ("He does.",), ("Das tut er.",), corpus=f"reference {stem}") for number in (0, 2)]
    return test


def test_what_context_gives(tmp_path: Path) -> None:
    test = write_sets(tmp_path)
    found = probes.context_gains(Echo({}), tmp_path, test, {KNOWN + " Or not."})
    assert [each["set"] for each in found][:2] == ["auxiliary en-de", "auxiliary en-es"]
    for each, (_, _, places) in zip(found, probes._SETS, strict=True):
        assert (each["items"], each["left out, seen"]) == (len(places), len(places))
        assert each["paper"] == {"alone": 0, "with context": 1, "difference": 1, "interval": (1, 1)}


def test_templates_and_priors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "ITEMS", 60)
    made = open_templates("fr")
    model = Echo({})
    gender, prior = (probes._template(model, "fr", list(made.items([name]))) for name in ("gender", "position-prior"))
    assert (gender["items"], gender["chance"]) == (60, 0.5)
    # The shorter of "il" and "elle", always.
    assert gender["chosen genders"] == prior["chosen genders"] == {"m": 1.0}
    assert 0 < gender["accuracy"] == gender["accuracy by sum"] < 1
    assert "accuracy" not in prior
    # Which noun that is depends on where the masculine one stands.
    assert sum(prior["chosen referent"].values()) == pytest.approx(1)
    again = probes._template(model, "fr", list(made.items(["gender"])))
    assert again == gender


FIGURES = {
    "films": {"contexts": 2000, "with id": 400, "held out by text": 40, "of films in the rest": 30},
    "documents": {
        "de": {
            "texts": 1000,
            "passages": 40,
            "quality": [{"value": 45.04, "interval": [44, 46]}, {"value": 60.0, "interval": [59, 61]}],
            "sentences": 200,
            "sentences seen": 11,
            "texts with nothing seen": 900,
            "quality with nothing seen": [{"value": 44.0, "interval": [43, 45]}],
            "texts of known films": 0,
            "quality of known films": [],
        }
    },
    "sentences": {"de": {"texts": 10, "quality": [{"value": 1.0}, {"value": 2.0}]}, "fr": {"texts": 1, "quality": []}},
    "subtitles": {"de": {"texts": 5, "quality": [{"value": 3.0}, {"value": 4.0}]}},
    "context": [
        {
            "set": "auxiliary en-de",
            "items": 230,
            "films": 12,
            "paper": {"alone": 0.04, "with context": 0.2, "difference": 0.16, "interval": [0.1, 0.2]},
            "token": {"alone": 0.04, "with context": 0.21},
        }
    ],
    "templates": {
        language: {
            "gender": {"items": 400, "chance": 0.5, "accuracy": 0.9, "interval": [0.88, 0.92]},
            "role-prior": {"items": 400, "chance": 0.5, "chosen genders": {"f": 0.25, "m": 0.75}},
        }
        for language in (*corpus.LANGUAGES, "de, published")
    },
}


def test_tables_show_the_figures() -> None:
    shown = tables.tables(FIGURES)
    for row in (
        "| de | 1,000 of 40 passages | 45.0 (44.0 to 46.0) | 60.0 | 5.5 % | 44.0 (900) |  |",
        "Of 2,000 contexts of CTXPRO 400 carry the id of their film.",
        "75 % of the 40 held out",
        "| de | 10 | 1.0 | 2.0 | 5 | 3.0 | 4.0 |",
        "| auxiliary en-de | 230 of 12 films | 4.0 | 20.0 | +16.0 (+10.0 to +20.0) | 4.0 / 21.0 |",
        "| gender | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 |",
        "(`--paper`): 90.0 (88.0 to 92.0, 400 items).",
    ):
        assert row in shown
    assert "| role-prior | f 25, m 75 |" in shown


def test_figures_of_another_translator_are_not_kept(tmp_path: Path) -> None:
    pytest.importorskip("ctranslate2")
    from referee.pocket.store import Translator
    from referee.train.recipes.translator.measure import _earlier

    path = tmp_path / "figures.json"
    path.write_text(json.dumps({"translator": "one", "templates": {}}))
    assert _earlier(path, Translator({}, b"", {}, "one"))["templates"] == {}
    with pytest.raises(InputError, match="figures of another translator; measure everything"):
        _earlier(path, Translator({}, b"", {}, "two"))
    with pytest.raises(MissingError):
        _earlier(tmp_path / "no.json", Translator({}, b"", {}, "one"))


def test_tables_take_their_place_in_a_card() -> None:
    card = f"# Card\n\n{tables.BEGIN}\nold\n{tables.END}\n\nend\n"
    once = tables.put_into(card, FIGURES)
    assert "old" not in once
    assert once.startswith("# Card\n") and once.endswith("\n\nend\n")
    assert tables.put_into(once, FIGURES) == once
    with pytest.raises(InputError, match="no place for tables"):
        tables.put_into("# Card\n", FIGURES)
