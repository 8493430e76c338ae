"""From items through questions to verdicts, with models that only pretend, so that every number is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from referee import sets
from referee.errors import InputError, UsageError
from referee.items import Candidate, Item, Task
from referee.protocols import (
    Answers,
    Blank,
    ChooseOption,
    Identity,
    Model,
    ScoreCandidates,
    ScorePair,
    ScoreText,
    TokenScores,
    TranslateDoc,
)
from referee.runs.job import carry_out
from referee.runs.store import read_info
from referee.scoring.cache import Cache, open_cache
from referee.scoring.dispatch import start_pass
from referee.scoring.from_model import ability_for
from referee.scoring.options import Norm, Part, ScoringOptions
from referee.scoring.survey import survey
from referee.verdicts import Verdict
from tests.support.items import item
from tests.support.jobs import job


@dataclass
class Base:
    """Knows what it answers to which text, and counts what it was asked."""

    answers: dict[str, tuple[float, ...] | str] = field(default_factory=dict)
    requests: list[object] = field(default_factory=list)

    def identity(self) -> Identity:
        return Identity("0" * 64)

    def look_up(self, texts: Sequence[tuple[object, str]]) -> Answers:
        for number, (request, text) in reversed(list(enumerate(texts))):
            self.requests.append(request)
            answer = self.answers[text]
            yield number, TokenScores(refused=answer) if isinstance(answer, str) else TokenScores(answer)


class Translator(Base):
    def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
        return self.look_up([(pair, pair.target) for pair in pairs])

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        for number, source in enumerate(sources):
            self.requests.append(source)
            yield number, str(self.answers[" ".join(source.sentences)])

    def refuses(self, source: TranslateDoc) -> str:
        return "too long: 9 tokens, the model takes 8" if "long" in source.sentences[-1] else ""


class Reader(Base):
    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        return self.look_up([(text, text.text[text.start :]) for text in texts])


class Masker(Reader):
    def fill_blanks(self, blanks: Sequence[Blank]) -> Answers:
        return self.look_up([(blank, blank.text) for blank in blanks])


class Chooser(Base):
    def choose(self, questions: Sequence[ChooseOption]) -> Answers:
        return self.look_up([(question, question.options[0]) for question in questions])


class Scorer(Base):
    def score_candidates(self, requests: Sequence[ScoreCandidates]) -> Answers:
        return self.look_up([(request, request.candidates[0]) for request in requests])


def evaluate(
    model: Model, items: Sequence[Item], options: ScoringOptions | None = None, cache: Cache | None = None
) -> list[Verdict]:
    surveyed = survey(sets.of_items("set", items))
    ticks: list[float] = []
    verdicts = start_pass(model, surveyed, options or ScoringOptions(), cache).evaluate(items, ticks.append)
    assert [verdict.item for verdict in verdicts] == [one.id for one in items]
    assert sum(ticks) == pytest.approx(len(items)), "every item counts once in the progress"
    return verdicts


ER, SIE, ES = (candidate.text for candidate in item().candidates)
SCORES: dict[str, tuple[float, ...] | str] = {ER: (-1.0, -2.0, -3.0), SIE: (-5.0,), ES: (-2.0, -2.0, -2.0, -2.0)}


@pytest.mark.parametrize(
    ("norm", "scores", "choice"),
    [
        ("ppl", (-2.0, -5.0, -2.0), None),
        ("sum", (-6.0, -5.0, -8.0), 1),
        ("char", (-6.0 / 15, -5.0 / 16, -8.0 / 15), 1),
    ],
)
def test_normalisations_by_hand(norm: Norm, scores: tuple[float, ...], choice: int | None) -> None:
    assert (len(ER), len(SIE), len(ES)) == (15, 16, 15)
    (verdict,) = evaluate(Translator(dict(SCORES)), [item()], ScoringOptions(norm=norm))
    assert verdict.scores == pytest.approx(scores)
    assert (verdict.choice, verdict.tied) == (choice, choice is None)
    assert verdict.correct is False
    assert verdict.token_scores == ((-1.0, -2.0, -3.0), (-5.0,), (-2.0, -2.0, -2.0, -2.0))


def test_ties_are_wrong_whoever_has_the_gold() -> None:
    for gold in (0, 1, 2):
        (verdict,) = evaluate(Translator(dict(SCORES)), [item(gold=gold)])
        assert (verdict.tied, verdict.correct, verdict.ranks) == (True, False, (1, 3, 1))


def test_characters_are_those_of_what_is_scored() -> None:
    """With `partial`, what follows the gap; else the whole filled sentence."""
    gap = item(task="fill", source="I saw _ run.", candidates=(Candidate("the cat"), Candidate("it")), gold=0)
    texts: dict[str, tuple[float, ...] | str] = {
        " run.": (-10.0,),
        "I saw the cat run.": (-18.0,),
        "I saw it run.": (-13.0,),
    }
    (whole,) = evaluate(Reader(texts), [gap], ScoringOptions(norm="char"))
    assert whole.scores == (-1.0, -1.0)
    (partial,) = evaluate(Reader(texts), [gap], ScoringOptions(norm="char", part="partial"))
    assert partial.scores == (-2.0, -2.0)


def test_partial_scoring_asks_for_what_follows() -> None:
    gap = item(task="fill", source="_ ran.", candidates=(Candidate("the cat"), Candidate("it")), gold=0)
    model = Reader({" ran.": (-1.0,)})
    evaluate(model, [gap], ScoringOptions(part="partial"))
    assert set(model.requests) == {ScoreText("the cat ran.", 7, lang="en"), ScoreText("it ran.", 2, lang="en")}


def test_a_single_masked_position() -> None:
    gap = item(task="fill", source="_ ran.", candidates=(Candidate("he"), Candidate("it")), gold=1)
    model = Masker({"_ ran.": (-3.0, -2.5)})
    (verdict,) = evaluate(model, [gap], ScoringOptions(part="mask"))
    assert model.requests == [Blank("_ ran.", ("he", "it"), lang="en")]
    assert (verdict.scores, verdict.choice, verdict.correct) == ((-3.0, -2.5), 1, True)


def test_an_item_may_say_that_it_compares_one_position() -> None:
    gap = item(task="fill", source="_ ran.", candidates=(Candidate("he"), Candidate("it")), features={"part": "mask"})
    masker = Masker({"_ ran.": (-3.0, -2.5)})
    (verdict,) = evaluate(masker, [gap], ScoringOptions())
    assert masker.requests == [Blank("_ ran.", ("he", "it"), lang="en")]
    assert verdict.choice == 1
    # A model without masks reads the sentences.
    reader = Reader({"he ran.": (-2.0,), "it ran.": (-3.0,)})
    (verdict,) = evaluate(reader, [gap], ScoringOptions())
    assert verdict.choice == 0


def test_words_of_several_tokens_are_dropped_and_counted() -> None:
    items = [
        item(id=text, task="fill", source=text, candidates=(Candidate("he"), Candidate("it")), gold=1)
        for text in ("_ ran.", "_ sat.")
    ]
    model = Masker({"_ ran.": (-3.0, -2.5), "_ sat.": "not a single token"})
    ran, sat = evaluate(model, items, ScoringOptions(part="mask"))
    assert ran.correct is True
    assert sat == Verdict(item="_ sat.", kind="contrastive", dropped="not a single token")


def test_items_without_candidates_are_dropped() -> None:
    model = Translator(dict(SCORES))
    verdicts = evaluate(model, [item(), item(id="bare", candidates=(), gold=None), item(id="last", gold=1)])
    assert [verdict.dropped for verdict in verdicts] == [None, "no candidates", None]


def test_a_choice_is_taken_as_it_is() -> None:
    model = Chooser({ER: (0.25, 0.5, 0.25)})
    (verdict,) = evaluate(model, [item(gold=1)])
    assert (verdict.scores, verdict.correct, verdict.token_scores) == ((0.25, 0.5, 0.25), True, ())


def test_candidates_are_scored_in_one_call() -> None:
    model = Scorer({ER: (0.25, -0.5, 0.75)})
    (verdict,) = evaluate(model, [item(gold=2)])
    assert (verdict.scores, verdict.correct, verdict.token_scores) == ((0.25, -0.5, 0.75), True, ())
    assert len(model.requests) == 1


LONG = "too long: 9 tokens, the model takes 8"


def test_what_is_too_long_stops_the_run_and_says_how_to_go_on() -> None:
    model = Translator(SCORES | {SIE: LONG})
    message = "the item a of set is too long for the model (9 tokens, the model takes 8). Lower --context, or drop"
    with pytest.raises(InputError, match=re.escape(message)):
        evaluate(model, [item()])


def test_or_is_dropped_whole_if_the_user_says_so() -> None:
    items = [item(), item(id="b", candidates=(Candidate(ER), Candidate("Das war lang.")))]
    model = Translator(SCORES | {"Das war lang.": LONG})
    first, second = evaluate(model, items, ScoringOptions(too_long="drop"))
    assert first.dropped is None
    assert second == Verdict(item="b", kind="contrastive", dropped="too long")


def test_a_run_counts_what_it_dropped(tmp_path: Path) -> None:
    items = [
        item(),
        item(id="b", candidates=(Candidate(ER), Candidate("Das war lang."))),
        item(id="c", candidates=(), gold=None),
        item(id="d", gold=1),
    ]
    model = Translator(SCORES | {"Das war lang.": LONG})
    request = job("x:y", model, [sets.of_items("set", items)], scoring=ScoringOptions(too_long="drop", norm="sum"))
    carry_out(request, tmp_path / "run")
    counts = read_info(tmp_path / "run").counts
    assert counts is not None
    assert (counts.items, counts.judged, counts.tied, counts.truncated) == (4, 2, 0, 0)
    assert counts.dropped == {"too long": 1, "no candidates": 1}


FILL = item(task="fill", source="_ ran.", candidates=(Candidate("he"), Candidate("it")))
CHOOSE = item(task="choose", question="cause", candidates=(Candidate("he"), Candidate("it")))
FORMS = item(candidates=(), gold=None, expected=("er",))
NO_TRANSLATOR = "cannot translate. Choose a translation model, or use --how contrastive"
MISFITS: dict[str, tuple[Callable[[], Model], Item, ScoringOptions, str]] = {
    "a reader and translations": (Reader, item(), ScoringOptions(), "cannot score 'translate' items. Use hf:, ct2: or"),
    "a masked model and translations": (Masker, item(), ScoringOptions(), "cannot score 'translate' items"),
    "a translator and gaps": (Translator, FILL, ScoringOptions(), "cannot score 'fill' items"),
    "a translator and choices": (Translator, CHOOSE, ScoringOptions(), "cannot score 'choose' items"),
    "a reader and masks": (Reader, FILL, ScoringOptions(part="mask"), "cannot score a masked position. Use mlm:"),
    "a chooser and masks": (Chooser, FILL, ScoringOptions(part="mask"), "cannot score a masked position. Use mlm:"),
    "a reader that is to translate": (Reader, FORMS, ScoringOptions(), NO_TRANSLATOR),
    "a reader that is to translate, said so": (
        Reader,
        item(expected=("er",)),
        ScoringOptions(how="generative"),
        NO_TRANSLATOR,
    ),
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_the_wrong_kind_of_model_leaves_nothing_behind(misfit: str, tmp_path: Path) -> None:
    make, misfit_item, options, problem = MISFITS[misfit]
    model = make()
    with pytest.raises(UsageError, match=re.escape(f"this kind of model {problem}")):
        carry_out(job("x:y", model, [sets.of_items("set", [misfit_item])], scoring=options), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("task", "model", "part", "ability"),
    [
        ("translate", Translator(), "whole", "pairs"),
        ("translate", Scorer(), "whole", "candidates"),
        ("translate", Chooser(), "mask", "choice"),
        ("fill", Reader(), "whole", "texts"),
        ("fill", Masker(), "whole", "texts"),
        ("fill", Masker(), "mask", "blanks"),
        ("fill", Scorer(), "whole", "candidates"),
        ("fill", Chooser(), "whole", "choice"),
        ("choose", Masker(), "mask", "texts"),
    ],
)
def test_what_a_model_is_asked_for(task: Task, model: Model, part: Part, ability: str) -> None:
    assert ability_for(task, model, ScoringOptions(part=part)) == ability


@pytest.mark.parametrize(
    ("misfit_item", "how"), [(FILL, "generative"), (item(candidates=(), gold=None), "auto"), (FORMS, "contrastive")]
)
def test_a_set_that_does_not_fit_the_way_leaves_nothing_behind(misfit_item: Item, how: str, tmp_path: Path) -> None:
    options = ScoringOptions(how=how)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no item of set"):
        carry_out(job("x:y", Translator(), [sets.of_items("set", [misfit_item])], scoring=options), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_one_misfit_among_good_items_is_found_before_anything_is_computed(tmp_path: Path) -> None:
    model = Translator(dict(SCORES))
    mixed = sets.of_items("set", [item(), item(id="b", task="fill", source="_ ran.")])
    with pytest.raises(UsageError, match="cannot score 'fill' items"):
        carry_out(job("x:y", model, [mixed]), tmp_path / "run")
    assert model.requests == []
    assert not (tmp_path / "run").exists()


def translated() -> list[Item]:
    return [
        item(id="right", source="It ran.", candidates=(), gold=None, expected=("er", "dieser")),
        item(id="wrong", source="It sat.", candidates=(), gold=None, expected=("er",)),
        item(id="none", source="It lay.", candidates=(), gold=None),
        item(
            id="context",
            source="It flew.",
            source_context=("The bird sang.",),
            candidates=(),
            gold=None,
            expected=("er",),
        ),
    ]


OUTPUTS: dict[str, tuple[float, ...] | str] = {
    "It ran.": "Dann lief er.",
    "It sat.": "Sie saß.",
    "It lay.": "Es lag.",
    "It flew.": "Es flog.",
    "The bird sang. It flew.": "Der Vogel sang, er sang. Dann flog er.",
}


def test_translations_are_looked_through(tmp_path: Path) -> None:
    model = Translator(dict(OUTPUTS))
    right, wrong, none, context = evaluate(model, translated())
    assert (right.kind, right.correct, right.output) == ("generative", True, "Dann lief er.")
    assert right.found == {"paper": True, "token": True}
    assert (wrong.correct, wrong.output) == (False, "Sie saß.")
    assert none.dropped == "no expected form"
    assert (context.correct, context.output) == (False, "Es flog.")


def test_of_a_document_the_last_sentence_counts() -> None:
    *_, context = evaluate(Translator(dict(OUTPUTS)), translated(), ScoringOptions(context=1))
    assert (context.correct, context.output) == (True, "Dann flog er.")


def test_translations_are_cached(tmp_path: Path) -> None:
    cache = open_cache(tmp_path / "c")
    first, second = Translator(dict(OUTPUTS)), Translator({})
    once = evaluate(first, translated(), cache=cache)
    assert evaluate(second, translated(), cache=cache) == once
    assert (len(first.requests), second.requests) == (4, [])
    cache.close()


def test_documents_that_are_too_long_are_refused_or_dropped() -> None:
    items = [*translated()[:1], item(id="l", source="A long one.", candidates=(), gold=None, expected=("er",))]
    model = Translator(dict(OUTPUTS))
    with pytest.raises(InputError, match="the item l of set is too long"):
        evaluate(model, items)
    right, dropped = evaluate(Translator(dict(OUTPUTS)), items, ScoringOptions(too_long="drop"))
    assert right.correct is True
    assert dropped == Verdict(item="l", kind="generative", dropped="too long")


def test_the_way_follows_from_the_set_unless_it_is_said() -> None:
    both = item(source="It ran.", expected=("er",))
    model = Translator(SCORES | OUTPUTS)
    assert evaluate(model, [both])[0].kind == "contrastive"
    assert evaluate(model, [both], ScoringOptions(how="contrastive"))[0].kind == "contrastive"
    assert evaluate(model, [both], ScoringOptions(how="generative"))[0].kind == "generative"


class OnlyTranslates(Base):
    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        return enumerate(str(self.answers[source.sentences[-1]]) for source in sources)


def test_a_model_that_can_only_translate_does_so() -> None:
    """A command or a file has no scores: its translations are looked through for the alternatives."""
    model = OnlyTranslates({"It was hungry.": "Sie hatte Hunger."})
    (verdict,) = evaluate(model, [item(gold=1)])
    assert (verdict.kind, verdict.choice, verdict.correct) == ("generative", 1, True)
    with pytest.raises(UsageError, match="cannot score 'translate' items"):
        evaluate(model, [item(gold=1)], ScoringOptions(how="contrastive"))


@pytest.mark.parametrize("part", ["whole", "partial"])
def test_scores_come_from_the_cache(part: Part, tmp_path: Path) -> None:
    cache = open_cache(tmp_path / "c")
    options = ScoringOptions(part=part)
    texts: dict[str, tuple[float, ...] | str] = {" ran.": (-1.0,), "he ran.": (-1.0, -2.0), "it ran.": (-1.0, -3.0)}
    first, second = Reader(texts), Reader()
    once = evaluate(first, [FILL], options, cache)
    assert evaluate(second, [FILL], options, cache) == once
    assert (len(first.requests), second.requests) == (2, [])
    cache.close()


def test_a_norm_needs_nothing_new(tmp_path: Path) -> None:
    """It is computed from the tokens' log-probabilities, which are kept."""
    cache = open_cache(tmp_path / "c")
    evaluate(Translator(dict(SCORES)), [item()], cache=cache)
    (verdict,) = evaluate(Translator(), [item()], ScoringOptions(norm="sum"), cache)
    assert verdict.choice == 1
    cache.close()
