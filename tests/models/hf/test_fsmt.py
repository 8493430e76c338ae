"""FSMT models: two vocabularies, no codes; scores, translations and salience against plain passes of transformers."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.errors import UsageError
from referee.items import Candidate
from referee.models import open_model
from referee.models.hf.fsmt import fsmt_encoder, fsmt_locator
from referee.models.hf.seq2seq import Seq2Seq
from referee.protocols import InTranslation, ScorePair, TranslateDoc
from tests.support import tiny_fsmt
from tests.support import tiny_models as tiny
from tests.support.answers import assert_equal, in_order
from tests.support.items import item

torch = tiny.torch
PAIRS = [
    ScorePair(source, target, "en", "de", origin=str(number))
    for number, (source, german) in enumerate(zip(tiny.CORPUS["en"], tiny.CORPUS["de"], strict=True))
    for target in (german, german.replace(" er ", " sie "), german.replace(" er ", " es "))
]
SOURCES = [TranslateDoc((sentence,), "en", "de") for sentence in tiny.CORPUS["en"][:4]]
TRICKY = ["Er's & „sie“ – <pad> Nord-Süd…", "It's [a] “dog-like” cat | & so on…  twice", "x", ""]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_fsmt.make(tmp_path_factory.mktemp("fsmt") / "en-de")


@pytest.fixture(scope="module")
def opened(folder: Path) -> Callable[[str], Seq2Seq]:
    def open_(options: str = "") -> Seq2Seq:
        model = open_model(f"hf:{folder}{options}")
        assert isinstance(model, Seq2Seq)
        return model

    return open_


def target_tokens(tokenizer: Any, text: str) -> list[int]:
    """By Moses, BPE and the target's own file, without our code."""
    words = tokenizer.moses_tokenize(tokenizer.moses_pipeline(text, lang="de"), lang="de")
    numbers = {piece: number for number, piece in tokenizer.decoder.items()}
    pieces = [piece for word in words for piece in tokenizer.bpe(word).split(" ")]
    return [*(numbers.get(piece, numbers["<unk>"]) for piece in pieces), numbers["</s>"]]


def plain(model: Seq2Seq, pair: ScorePair) -> list[float]:
    """One forward pass over one pair."""
    tokenizer, network = model.loaded.tokenizer, model.loaded.model
    labels = target_tokens(tokenizer, pair.given + pair.target)
    with torch.no_grad():
        logits = network(
            input_ids=torch.tensor([tokenizer(pair.source).input_ids]),
            decoder_input_ids=torch.tensor([[network.config.decoder_start_token_id, *labels[:-1]]]),
            use_cache=False,
        ).logits
    return [float(logits[0].log_softmax(-1)[index, label]) for index, label in enumerate(labels)]


def test_the_vocabularies_differ(opened: Callable[[str], Seq2Seq]) -> None:
    tokenizer = opened("").loaded.tokenizer
    assert len(tokenizer.encoder) != len(tokenizer.decoder)
    assert tokenizer.encoder[".</w>"] != target_tokens(tokenizer, ".")[0]


def test_sources_are_read_as_the_tokenizer_reads_them(opened: Callable[[str], Seq2Seq]) -> None:
    tokenizer = opened("").loaded.tokenizer
    for text in tiny.CORPUS["en"]:
        assert list(fsmt_encoder(tokenizer)([text], "source")[0]) == tokenizer(text).input_ids


def test_targets_have_the_numbers_of_their_own_vocabulary(opened: Callable[[str], Seq2Seq]) -> None:
    tokenizer = opened("").loaded.tokenizer
    for text in [*tiny.CORPUS["de"], *TRICKY]:
        assert list(fsmt_encoder(tokenizer)([text], "target")[0]) == target_tokens(tokenizer, text)


@pytest.mark.parametrize("side", ["source", "target"])
def test_every_token_is_located(side: Any, opened: Callable[[str], Seq2Seq]) -> None:
    tokenizer = opened("").loaded.tokenizer
    for text in [*tiny.CORPUS["de"], *tiny.CORPUS["en"], *TRICKY]:
        (located,) = fsmt_locator(tokenizer)([text], side)
        assert located is not None
        assert located.tokens == fsmt_encoder(tokenizer)([text], side)[0]
        assert located.characters[-1] is None
        places = [place for place in located.characters if place is not None]
        assert places == sorted(places)
        covered = {index for start, end in places for index in range(start, end)}
        assert covered == {index for index, letter in enumerate(text) if not letter.isspace()}


@pytest.mark.parametrize("options", ["", ",tokens=1", ",tokens=100000"])
def test_scores_are_those_of_plain_passes(options: str, opened: Callable[[str], Seq2Seq]) -> None:
    model = opened(options)
    assert_equal(in_order(model.score_pairs(PAIRS), len(PAIRS)), [plain(model, pair) for pair in PAIRS])


def test_what_is_given_is_not_scored(opened: Callable[[str], Seq2Seq]) -> None:
    model = opened("")
    pairs = [replace(pair, given="Ich sehe den Wolf. ") for pair in PAIRS[:6]]
    for answer, pair in zip(in_order(model.score_pairs(pairs), len(pairs)), pairs, strict=True):
        expected = plain(model, pair)
        scored = len(target_tokens(model.loaded.tokenizer, pair.target))
        assert answer.logprobs == pytest.approx(expected[-scored:], abs=1e-4)


@pytest.mark.parametrize("beam", [1, 3])
def test_translations_are_those_of_plain_generation(beam: int, opened: Callable[[str], Seq2Seq]) -> None:
    model = opened(f",beam={beam},max_tokens=30,tokens=1")
    tokenizer, network = model.loaded.tokenizer, model.loaded.model
    for number, translation in model.translate(SOURCES):
        encoded = tokenizer(SOURCES[number].text, return_tensors="pt")
        (output,) = network.generate(
            input_ids=encoded.input_ids,
            attention_mask=encoded.attention_mask,
            num_beams=beam,
            do_sample=False,
            max_new_tokens=30,
            forced_eos_token_id=None,
        )
        assert translation.text == tokenizer.decode(output, skip_special_tokens=True)
        assert translation.truncated == (2 not in output.tolist()[1:])


def test_translations_do_not_depend_on_their_company(opened: Callable[[str], Seq2Seq]) -> None:
    alone = dict(opened(",tokens=1").translate(SOURCES))
    assert dict(opened(",tokens=100000").translate(SOURCES)) == alone


REQUEST = InTranslation(
    PAIRS[0],
    PAIRS[0].target.index(" er ") + 1,
    PAIRS[0].target.index(" er ") + 3,
    tuple((start, start + len(word)) for word in ("cat", "cup", "box") for start in [PAIRS[0].source.index(word)]),
)


def probability(model: Seq2Seq, removed: int | None) -> float:
    """That of `er`, with the embedding of one source token as zeros."""
    tokenizer, network = model.loaded.tokenizer, model.loaded.model
    labels = target_tokens(tokenizer, PAIRS[0].target)
    position = labels.index(target_tokens(tokenizer, "er")[0], labels.index(target_tokens(tokenizer, "weil")[0]))
    tokens = tokenizer(PAIRS[0].source).input_ids

    def zeros(_: Any, __: Any, output: Any) -> Any:
        if removed is not None:
            output = output.clone()
            output[0, removed] = 0
        return output

    handle = network.model.encoder.embed_tokens.register_forward_hook(zeros)
    with torch.no_grad():
        inputs = torch.tensor([[2, *labels[:-1]]])
        logits = network(input_ids=torch.tensor([tokens]), decoder_input_ids=inputs, use_cache=False).logits
    handle.remove()
    return math.exp(float(logits[0, position].log_softmax(-1)[labels[position]]))


def test_salience_is_the_difference_of_predictions(opened: Callable[[str], Seq2Seq]) -> None:
    model = opened("")
    ((_, explained),) = model.explain([REQUEST])
    tokenizer = model.loaded.tokenizer
    (located,) = fsmt_locator(tokenizer)([PAIRS[0].source], "source")
    assert located is not None
    whole = probability(model, None)
    assert explained.probability == pytest.approx(whole, rel=1e-4)
    for (start, end), value in zip(REQUEST.words, explained.values, strict=True):
        tokens = located.of(start, end)
        losses = [whole - probability(model, token) for token in tokens]
        assert value == pytest.approx(math.fsum(losses) / len(losses), abs=1e-6)


def test_gradients_are_those_of_a_plain_pass(opened: Callable[[str], Seq2Seq]) -> None:
    pytest.importorskip("inseq")
    model = opened("")
    ((_, explained),) = model.explain([REQUEST], method="inseq:saliency")
    tokenizer, network = model.loaded.tokenizer, model.loaded.model
    labels = target_tokens(tokenizer, PAIRS[0].target)
    position = labels.index(target_tokens(tokenizer, "er")[0], labels.index(target_tokens(tokenizer, "weil")[0]))
    kept: list[Any] = []

    def keep(_: Any, __: Any, output: Any) -> Any:
        kept.append(output.detach().requires_grad_())
        return kept[-1]

    handle = network.model.encoder.embed_tokens.register_forward_hook(keep)
    inputs = torch.tensor([[2, *labels[:-1]]])
    source = torch.tensor([tokenizer(PAIRS[0].source).input_ids])
    logits = network(input_ids=source, decoder_input_ids=inputs, use_cache=False).logits
    handle.remove()
    logits[0, position].softmax(-1)[labels[position]].backward()
    lengths = kept[0].grad[0].norm(dim=-1)
    (located,) = fsmt_locator(tokenizer)([PAIRS[0].source], "source")
    assert located is not None
    ratios = [
        float(value) / float(lengths[list(located.of(start, end))].mean())
        for (start, end), value in zip(REQUEST.words, explained.values, strict=True)
        if value is not None
    ]
    # Shares of all tokens on both sides: the same but for one factor.
    assert ratios == pytest.approx([ratios[0]] * 3, rel=1e-3)


@pytest.mark.parametrize(("source", "target"), [("en", "fr"), ("de", "en"), ("fr", "de")])
def test_another_pair_is_refused(source: str, target: str, opened: Callable[[str], Seq2Seq]) -> None:
    with pytest.raises(UsageError, match=rf"from 'en' into 'de', not from '{source}' into '{target}'\. Choose"):
        list(opened("").score_pairs([ScorePair("It ran.", "Es lief.", source, target)]))
    with pytest.raises(UsageError, match="translates from 'en' into 'de'"):
        list(opened("").translate([TranslateDoc(("It ran.",), source, target)]))


def test_regions_of_the_pair_are_fine(opened: Callable[[str], Seq2Seq]) -> None:
    pairs = [replace(PAIRS[0], source_lang="en-GB", target_lang="de-AT"), PAIRS[0]]
    first, second = in_order(opened("").score_pairs(pairs), 2)
    assert first.logprobs == pytest.approx(second.logprobs, abs=1e-5)


@pytest.mark.parametrize("option", ["source_code=en", "target_code=de"])
def test_codes_have_no_effect(option: str, opened: Callable[[str], Seq2Seq]) -> None:
    with pytest.raises(UsageError, match="has no effect, since the model's tokenizer has no languages"):
        opened(f",{option}")


def test_a_whole_run(folder: Path, tmp_path: Path) -> None:
    candidates = (Candidate("Er war hungrig."), Candidate("Sie war hungrig."))
    items = [
        item(id=f"i{number}", source=text, candidates=candidates, gold=number % 2)
        for number, text in enumerate(tiny.CORPUS["en"])
    ]
    shutil.copytree(folder, tmp_path / "wmt19-en-de")
    run = referee.evaluate(f"hf:{tmp_path / 'wmt19-en-de'},max_tokens=20", items, how="both")
    assert [findings.kind for findings in run.findings] == ["contrastive", "generative"]
    assert run.info.counts is not None
    assert run.info.counts.judged == 2 * len(items)
    with pytest.raises(UsageError, match="not from 'en' into 'fr'"):
        referee.evaluate(f"hf:{folder}", [item(target_lang="fr")])
