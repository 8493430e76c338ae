"""Prediction difference is what plain passes give, one for each token that is taken away, however it is batched."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.analysis.salience.triggers import words
from referee.errors import RefereeError, UsageError
from referee.models import open_model
from referee.protocols import ExplainRequest, Explains, Explanation, InGap, InTranslation, ScorePair, TokenSalience
from tests.support import tiny_models as tiny
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.models.explain.prediction_difference import (  # noqa: E402 (it needs torch)
    NOT_LOCATED,
    WORD_NOT_COVERED,
    taken_away,
)

CUP = "The cat put the cup into the box because it was too full."
BECHER = "Die Katze stellte den Becher in die Kiste, weil er zu voll war."
GIVEN = "Ich habe gestern eine rote Tasse gekauft. "


def asked(source: str, target: str, word: str, given: str = "", language: str = "de") -> InTranslation:
    (start,) = [place for place, _ in words(target) if target[place:].startswith(word)]
    return InTranslation(
        ScorePair(source, target, "en", language, given), start, start + len(word), tuple(words(source))
    )


QUESTIONS = [
    asked(CUP, BECHER, "er"),
    asked(CUP, BECHER, "Katze"),  # several tokens
    asked("I bought a red cup. It is very small.", "Sie ist sehr klein.", "Sie", GIVEN),
    asked("It was the “bird” – 猫.", "Der Vogel saß auf dem Zaun. Er sang.", "Er"),
    asked("Where is the spoon?", "Wo ist der Löffel?", "?"),
]
GAPS = [
    InGap("The dog did not eat the _ because it was not hungry.", "apple", ()),
    InGap("_ sat on the fence.", "The bird", ()),
    InGap("The cat put the cup into the box because the _'s box was too full.", "cup", ()),
]
GAPS = [replace(gap, words=tuple(place for place in words(gap.text) if gap.text[slice(*place)] != "_")) for gap in GAPS]

pytestmark = pytest.mark.usefixtures("random_state")
opened = functools.cache(open_model)


def explained(model: Any, questions: Sequence[ExplainRequest], tokens: int | None = None) -> list[Explanation]:
    assert isinstance(model, Explains)
    answers = dict(model.explain(questions, tokens=tokens))
    assert sorted(answers) == list(range(len(questions)))
    return [answers[number] for number in range(len(questions))]


def assert_same(one: Explanation, other: Explanation, relative: float = 1e-3) -> None:
    """To a thousandth of the probability: the words of these models count for more than that."""
    assert one.refused == other.refused == ""
    assert one.probability == pytest.approx(other.probability, rel=1e-4)
    assert one.values == pytest.approx(other.values, rel=relative, abs=relative * one.probability)
    assert [token.token for token in one.tokens] == [token.token for token in other.tokens]
    margin = relative * one.probability
    for mine, theirs in zip(one.tokens, other.tokens, strict=True):
        assert mine.value == pytest.approx(theirs.value, rel=relative, abs=margin)


def plain(model: Any, question: InTranslation) -> Explanation:
    """The same without what is under test: embeddings by hand, the whole model for each token, all of its logits."""
    network, pair = model.loaded.model, question.pair
    languages = (pair.source_lang, pair.target_lang)
    source = model.located([(pair.source, *languages)])[pair.source, *languages]
    target = model.located([(pair.given + pair.target, *languages)], "target")[pair.given + pair.target, *languages]
    encoder = network.get_encoder()
    ids = torch.tensor([source.tokens])
    vectors = encoder.get_input_embeddings()(ids).detach()
    if not torch.allclose(encoder(inputs_embeds=vectors)[0], encoder(input_ids=ids)[0], atol=1e-5):
        vectors = vectors * encoder.embed_scale  # some scale behind the embeddings, some within
    assert torch.allclose(encoder(inputs_embeds=vectors)[0], encoder(input_ids=ids)[0], atol=1e-5)
    inputs = torch.tensor([[network.config.decoder_start_token_id, *target.tokens[:-1]]])
    places = target.of(len(pair.given) + question.start, len(pair.given) + question.end)

    def probability(removed: int | None) -> float:
        changed = vectors.clone()
        if removed is not None:
            changed[0, removed] = 0.0
        with torch.inference_mode():
            encoded = encoder(inputs_embeds=changed)
            logits = network(encoder_outputs=encoded, decoder_input_ids=inputs).logits.double().log_softmax(-1)
        return math.exp(sum(float(logits[0, place, target.tokens[place]]) for place in places))

    whole = probability(None)
    values = []
    removed: dict[int, float] = {}
    for start, end in question.words:
        each = {token: whole - probability(token) for token in source.of(start, end)}
        removed |= each
        values.append(sum(each.values()) / len(each))
    last = len(source.tokens) - 1
    if source.tokens[last] == model.loaded.tokenizer.eos_token_id:
        removed[last] = whole - probability(last)
    spans = [span or (-1, -1) for span in source.characters]
    tokens = tuple(
        TokenSalience(source.tokens[index], spans[index][0], spans[index][1], removed[index])
        for index in sorted(removed)
    )
    return Explanation(whole, tuple(values), tokens=tokens)


@pytest.mark.parametrize("family", tiny.ENCODER_DECODER)
def test_translations_are_explained_as_by_plain_passes(folders: Folders, family: str) -> None:
    model = opened(f"hf:{folders(family)}")
    for question, found in zip(QUESTIONS, explained(model, QUESTIONS), strict=True):
        expected = plain(model, question)
        assert_same(found, expected)
        assert max(abs(value or 0) for value in expected.values) > 0.01 * expected.probability, "nothing was tested"


@pytest.mark.parametrize("family", ["marian", "mbart50", "t5"])
def test_the_size_of_batches_decides_nothing(folders: Folders, family: str) -> None:
    model = opened(f"hf:{folders(family)}")
    alone = [explained(model, [question], 1)[0] for question in QUESTIONS]
    for tokens in (1, 70, 300, 100_000):
        for one, other in zip(alone, explained(model, QUESTIONS, tokens), strict=True):
            assert one.probability == pytest.approx(other.probability, abs=1e-6)
            assert one.values == pytest.approx(other.values, abs=1e-6)
            assert_same(one, other)


def test_a_text_before_the_source_belongs_to_no_word(folders: Folders) -> None:
    prefix = "translate: "
    model = opened(f"hf:{folders('t5')},prefix={prefix}")
    bare = opened(f"hf:{folders('t5')}")
    for question, found in zip(QUESTIONS, explained(model, QUESTIONS), strict=True):
        moved = tuple((start + len(prefix), end + len(prefix)) for start, end in question.words)
        pair = replace(question.pair, source=prefix + question.pair.source)
        assert_same(found, plain(bare, replace(question, pair=pair, words=moved)))


def test_the_model_is_left_as_it_was(folders: Folders) -> None:
    model: Any = opened(f"hf:{folders('marian')}")
    before = [scores.logprobs for _, scores in sorted(model.score_pairs([QUESTIONS[0].pair]))]
    explained(model, QUESTIONS)
    assert [scores.logprobs for _, scores in sorted(model.score_pairs([QUESTIONS[0].pair]))] == before


def test_what_cannot_be_explained_says_why(folders: Folders) -> None:
    model = opened(f"hf:{folders('marian')}")
    long = asked("The cat. " * 60, BECHER, "er")
    questions: list[ExplainRequest] = [
        QUESTIONS[0],
        long,
        asked("The </s> cat.", BECHER, "er"),
        InTranslation(ScorePair(CUP, BECHER, "en", "de"), 200, 203, ()),
        GAPS[0],
    ]
    found = explained(model, questions)
    assert found[0].refused == ""
    assert found[1].refused.startswith("too long: ")
    assert [each.refused for each in found[2:]] == [NOT_LOCATED, WORD_NOT_COVERED, "another task"]


def test_a_word_without_tokens_has_no_salience(folders: Folders) -> None:
    question = replace(QUESTIONS[0], words=((0, 3), (500, 503)))
    (found,) = explained(opened(f"hf:{folders('marian')}"), [question])
    assert found.values[0] is not None
    assert found.values[1] is None


def plain_gap(model: Any, gap: InGap) -> Explanation:
    tokenizer, network = model.loaded.tokenizer, model.loaded.model
    text = gap.text.replace("_", gap.word)
    encoded = tokenizer(text, return_offsets_mapping=True)
    before = gap.text.index("_")
    holds = [
        end > start and start < before + len(gap.word) and before < end for start, end in encoded["offset_mapping"]
    ]
    places = [place for place, inside in enumerate(holds) if inside]
    ids = torch.tensor([encoded.input_ids])
    masked = ids.clone()
    masked[0, places] = tokenizer.mask_token_id

    def probability(removed: int | None) -> float:
        vectors = network.get_input_embeddings()(masked).detach().clone()
        if removed is not None:
            vectors[0, removed] = 0.0
        with torch.inference_mode():
            logits = network(inputs_embeds=vectors).logits.double().log_softmax(-1)
        return math.exp(sum(float(logits[0, place, ids[0, place]]) for place in places))

    whole = probability(None)
    longer = len(gap.word) - 1
    values = []
    for start, end in gap.words:
        shift = longer if start > before else 0
        tokens = [
            place
            for place, (first, last) in enumerate(encoded["offset_mapping"])
            if first < end + shift and start + shift < last and place not in places
        ]
        values.append(sum(whole - probability(token) for token in tokens) / len(tokens))
    return Explanation(whole, tuple(values))


@pytest.mark.parametrize("family", tiny.MASKED)
def test_gaps_are_explained_as_by_plain_passes(folders: Folders, family: str) -> None:
    model = opened(f"mlm:{folders(family)}")
    for tokens in (None, 1):
        for gap, found in zip(GAPS, explained(model, GAPS, tokens), strict=True):
            assert_same(found, plain_gap(model, gap))


def test_masked_models_explain_gaps_only(folders: Folders) -> None:
    found = explained(opened(f"mlm:{folders('bert')}"), [QUESTIONS[0], GAPS[0]])
    assert [each.refused for each in found] == ["another task", ""]


def test_pocket_is_explained_by_its_transformers_form() -> None:
    model: Any = opened("pocket,engine=hf")
    (found,) = explained(
        model, [asked("The dog ran because it was hungry.", "Der Hund lief, weil er Hunger hatte.", "er")]
    )
    told = ">>de<< The dog ran because it was hungry."
    question = asked(told, "Der Hund lief, weil er Hunger hatte.", "er")
    kept = tuple(place for place in question.words if place[0] >= len(">>de<< "))
    assert_same(found, plain(model.engine, replace(question, words=kept)))
    assert found.probability > 0.2


def test_what_ctranslate2_ran_is_explained_by_the_same_weights() -> None:
    request = asked("The dog ran because it was hungry.", "Der Hund lief, weil er Hunger hatte.", "er")
    (by_ct2,), (by_transformers,) = (explained(opened(text), [request]) for text in ("pocket", "pocket,engine=hf"))
    assert_same(by_ct2, by_transformers)


def test_other_models_do_not_explain(folders: Folders) -> None:
    assert not isinstance(opened(f"causal:{folders('gpt2')}"), Explains)
    with pytest.raises(
        UsageError, match=r"'difference' is not a method of salience. Choose prediction-difference, or inseq:NAME"
    ):
        explained_by_name: Any = opened(f"hf:{folders('marian')}")
        explained_by_name.explain(QUESTIONS, method="difference")


def test_nothing_is_taken_away_where_embeddings_are_not_read() -> None:
    with pytest.raises(RefereeError, match="reads its embeddings 0 times"), taken_away(torch.nn.Embedding(3, 2), [1]):
        pass


def test_no_question_no_answer(folders: Folders) -> None:
    assert explained(opened(f"hf:{folders('marian')}"), []) == []
    assert explained(opened(f"mlm:{folders('bert')}"), []) == []
