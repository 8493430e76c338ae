"""Translation models score as a plain forward pass does, one pair at a time, however they are batched."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.errors import RefereeError, UsageError
from referee.models.hf.language_codes import code_id, language_code
from referee.models.spec import parse
from referee.protocols import Model, ScorePair, ScoresPairs, ScoresTexts, TokenScores, TranslateDoc, Translates
from tests.support import tiny_models as tiny
from tests.support.answers import Folders, assert_equal, in_common, in_order

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.models.hf.seq2seq import Seq2Seq, open_seq2seq  # noqa: E402 (it needs torch)

FAMILIES = tiny.ENCODER_DECODER
CODES = {
    "mbart50": {"en": "en_XX", "de": "de_DE", "fr": "fr_XX", "ru": "ru_RU"},
    "m2m100": {"en": "en", "de": "de", "fr": "fr", "ru": "ru"},
    "nllb": {"en": "eng_Latn", "de": "deu_Latn", "fr": "fra_Latn", "ru": "rus_Cyrl"},
}

CUP = "The cat put the cup into the box because it was too full."
SINGLE = [
    ScorePair(source, target, "en", language)
    for language in ("de", "fr", "ru")
    for source, target in zip(tiny.CORPUS["en"][:4], tiny.CORPUS[language][:4], strict=True)
]
LONG_PREFIX = [
    ScorePair(CUP, f"Die Katze stellte den Becher in die Kiste, weil {word} zu voll war.", "en", "de")
    for word in ("er", "sie", "es")
]
SHORT_PREFIX = [ScorePair("It was hungry.", f"{word} hatte Hunger.", "en", "de") for word in ("Er", "Sie", "Es")]
GIVEN = [
    ScorePair(
        "I bought a red cup. It is very small.", f"{word} ist sehr klein.", "en", "de", "Ich habe eine Tasse gekauft. "
    )
    for word in ("Sie", "Er", "Es")
]
CASES = {
    "single": SINGLE,
    "long prefix": LONG_PREFIX,
    "short prefix": SHORT_PREFIX,
    "given": GIVEN,
    "given, one candidate": GIVEN[:1],
    # One source, and yet not all of what is shared is scored for all.
    "different contexts": [
        LONG_PREFIX[0],
        replace(LONG_PREFIX[1], given="Die Katze stellte den Becher in die Kiste, ", target="weil sie zu voll war."),
        replace(LONG_PREFIX[2], given="Die Katze stellte ", target="den Becher in die Kiste, weil es zu voll war."),
    ],
    "different contexts, the longest first": [
        replace(LONG_PREFIX[1], given="Die Katze stellte den Becher in die Kiste, ", target="weil sie zu voll war."),
        LONG_PREFIX[0],
    ],
    "the join is inside of a word": [
        ScorePair("The bird sang.", "vogel sang.", "en", "de", "Der Wald"),
        ScorePair("The bird sang.", " sang.", "en", "de", "Der Wald"),
    ],
    "one begins another": [
        ScorePair("The bird sang.", target, "en", "de")
        for target in ("Der Vogel saß auf dem Zaun", "Der Vogel saß auf dem Zaun. Er sang den ganzen Morgen.")
    ],
    "the same twice": [LONG_PREFIX[0], LONG_PREFIX[1], LONG_PREFIX[0]],
    "two languages from one source": [replace(LONG_PREFIX[0], target_lang=language) for language in ("de", "fr")],
    "unknown characters": [ScorePair("The 猫 sang.", "Die 猫 sang.", "en", "de")],
    **{
        f"literal {text} in the context": [replace(pair, given=f"Ich {text} habe eine Tasse. ") for pair in GIVEN]
        for text in ("<pad>", "</s>", "<unk>")
    },
    **{
        f"literal {text} in the target": [replace(pair, target=f"Sie {text} war. {pair.target}") for pair in GIVEN]
        for text in ("<pad>", "</s>", "<unk>")
    },
    "nothing": [
        ScorePair("", "", "en", "de"),
        ScorePair("It sang.", "", "en", "de"),
        ScorePair("", "Er sang.", "en", "de"),
    ],
}
MIXED = [*LONG_PREFIX, *SINGLE, *SHORT_PREFIX, *GIVEN, *CASES["nothing"], *CASES["one begins another"]]

pytestmark = pytest.mark.usefixtures("random_state")


def fresh(folder: Path, options: str = "") -> Seq2Seq:
    return open_seq2seq(parse(f"hf:{folder}{options}"))


opened = functools.cache(fresh)  # for tests that leave the model as it is


def scores(model: Seq2Seq, pairs: Sequence[ScorePair]) -> list[TokenScores]:
    return in_order(model.score_pairs(pairs), len(pairs))


class Plain:
    """The same without referee: one pair, one forward pass, all logits."""

    def __init__(self, family: str, folder: Path) -> None:
        self.codes = CODES.get(family)
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()

    def labels(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer(text_target=text).input_ids
        assert found[-1] == self.tokenizer.eos_token_id
        return found

    def scores(self, pair: ScorePair, prefix: str = "") -> list[float]:
        first = 0
        if self.codes:
            self.tokenizer.src_lang, self.tokenizer.tgt_lang = (
                self.codes[pair.source_lang],
                self.codes[pair.target_lang],
            )
            first = 1
        source = self.tokenizer(prefix + pair.source, return_tensors="pt")
        labels = self.labels(pair.given + pair.target)
        if pair.given:
            context = self.labels(pair.given)[:-1]
            first = max(first, in_common(context, labels))
        decoder = torch.tensor([[self.model.config.decoder_start_token_id, *labels[:-1]]])
        with torch.inference_mode():
            logits = self.model(**source, decoder_input_ids=decoder).logits[0].float()
        logprobs = logits.log_softmax(-1)
        return [float(logprobs[place, label]) for place, label in enumerate(labels)][first:]


plainly = functools.cache(Plain)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("family", FAMILIES)
def test_equals_a_plain_forward_pass(family: str, case: str, folders: Folders) -> None:
    plain = plainly(family, folders(family))
    assert_equal(scores(opened(folders(family)), CASES[case]), [plain.scores(pair) for pair in CASES[case]])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_end_is_scored_and_the_language_is_not(family: str, folders: Folders) -> None:
    plain = plainly(family, folders(family))
    pair = SHORT_PREFIX[0]
    plain.scores(pair)  # sets the languages
    (found,) = scores(opened(folders(family)), [pair])
    pieces = plain.tokenizer(text_target=pair.target, add_special_tokens=False).input_ids
    assert len(found.logprobs) == len(pieces) + 1
    (empty,) = scores(opened(folders(family)), [replace(pair, target="")])
    assert len(empty.logprobs) == 1


@pytest.mark.parametrize("options", [",tokens=1", ",tokens=50", ",tokens=100000"])
@pytest.mark.parametrize("family", FAMILIES)
def test_neither_budget_nor_order_nor_company_matter(family: str, options: str, folders: Folders) -> None:
    plain = plainly(family, folders(family))
    expected = {pair: plain.scores(pair) for pair in MIXED}
    pairs = [*MIXED, *MIXED[::3]]
    random.Random(len(options)).shuffle(pairs)
    model = opened(folders(family), options)
    found = scores(model, pairs)
    assert_equal(found, [expected[pair] for pair in pairs])
    for candidates in (LONG_PREFIX, SHORT_PREFIX, GIVEN):
        means = [
            [sum(own) / len(own) for own in (expected[pair], found[pairs.index(pair)].logprobs)] for pair in candidates
        ]
        plain_best, best = (max(range(3), key=lambda place: means[place][way]) for way in (0, 1))
        assert plain_best == best


@pytest.mark.parametrize("family", FAMILIES)
def test_the_side_of_padding_does_not_matter(family: str, folders: Folders) -> None:
    model = fresh(folders(family))
    right = scores(model, MIXED)
    model.loaded.tokenizer.padding_side = "left"
    assert_equal(scores(model, MIXED), [answer.logprobs for answer in right])


@pytest.mark.parametrize("family", FAMILIES)
def test_dropout_is_off(family: str, folders: Folders) -> None:
    model = opened(folders(family))
    assert not any(module.training for module in model.loaded.model.modules())
    assert scores(model, SINGLE) == scores(model, SINGLE)


@pytest.mark.parametrize("family", ["marian", "m2m100", "t5"])
def test_what_candidates_share_runs_once(family: str, folders: Folders) -> None:
    model = fresh(folders(family))
    scores(model, SINGLE[:1])  # the first time, the model is tried out
    rows: list[int] = []
    positions: list[int] = []
    encoder, decoder = model.loaded.model.get_encoder(), model.loaded.model.get_decoder()
    encoder.register_forward_hook(lambda _, __, output: rows.append(output.last_hidden_state.shape[0]))
    decoder.register_forward_pre_hook(
        lambda _, __, options: positions.append(options["input_ids"].numel()), with_kwargs=True
    )
    scores(model, LONG_PREFIX)
    assert rows == [1]
    plain = plainly(family, folders(family))
    plain.scores(LONG_PREFIX[0])  # sets the languages
    whole = sum(len(plain.labels(pair.target)) for pair in LONG_PREFIX)
    assert sum(positions) < 0.7 * whole


@pytest.mark.parametrize("family", FAMILIES)
def test_a_prefix_goes_before_every_source(family: str, folders: Folders) -> None:
    plain = plainly(family, folders(family))
    found = scores(opened(folders(family), ",prefix=the old dog: "), LONG_PREFIX)
    assert_equal(found, [plain.scores(pair, "the old dog: ") for pair in LONG_PREFIX])
    assert found != scores(opened(folders(family)), LONG_PREFIX)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_too_long_is_refused_and_the_rest_is_not(family: str, folders: Folders) -> None:
    long = " ".join(["it"] * tiny.POSITIONS)
    pairs = [
        ScorePair(long, "Er.", "en", "de"),
        *LONG_PREFIX,
        ScorePair("It.", long, "en", "de"),
        ScorePair("It.", "Er.", "en", "de", long),
    ]
    found = scores(opened(folders(family)), pairs)
    for place in (0, 4, 5):
        assert found[place].refused.startswith("too long: ")
        assert found[place].refused.endswith(f"the model takes {tiny.POSITIONS}")
        assert found[place].logprobs == ()
    assert_equal(found[1:4], [answer.logprobs for answer in scores(opened(folders(family)), LONG_PREFIX)])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_longest_possible_pair_is_scored(family: str, folders: Folders) -> None:
    plain = plainly(family, folders(family))
    count = tiny.POSITIONS - 1 - bool(plain.codes)
    word = "er" if family == "marian" else "it"  # one piece for the target's tokenizer
    pair = ScorePair(" ".join(["it"] * count), " ".join([word] * count), "en", "de")
    expected = plain.scores(pair)
    assert len(expected) == count + 1
    assert_equal(scores(opened(folders(family)), [pair]), [expected])
    assert scores(opened(folders(family)), [replace(pair, target=f"{pair.target} {word}")])[0].refused


@pytest.mark.parametrize("family", CODES)
def test_a_language_the_tokenizer_lacks_is_a_clear_error(family: str, folders: Folders) -> None:
    model = opened(folders(family))
    for pair in (ScorePair("a", "b", "en", "tlh"), ScorePair("a", "b", "tlh", "de")):
        with pytest.raises(UsageError, match=r"has no language 'tlh'. Set its code with source_code= or target_code="):
            scores(model, [pair])
    with pytest.raises(UsageError, match="'tlh'"):
        list(model.translate([TranslateDoc(("a",), "en", "tlh")]))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("option", ["source_code", "target_code"])
def test_a_code_the_tokenizer_lacks_is_a_clear_error(family: str, option: str, folders: Folders) -> None:
    """Not scores with an unknown token in its place, nor, where there are no codes, without the first token."""
    with pytest.raises(RefereeError, match="xx_XX"):
        scores(opened(folders(family), f",{option}=xx_XX"), SHORT_PREFIX)


@pytest.mark.parametrize("family", CODES)
def test_codes_can_be_named(family: str, folders: Folders) -> None:
    codes = CODES[family]
    named = opened(folders(family), f",source_code={codes['fr']},target_code={codes['ru']}")
    expected = plainly(family, folders(family)).scores(replace(LONG_PREFIX[0], source_lang="fr", target_lang="ru"))
    assert_equal(scores(named, LONG_PREFIX[:1]), [expected])


@pytest.mark.parametrize(
    ("family", "language", "code"),
    [
        ("mbart50", "de", "de_DE"),
        ("mbart50", "de-AT", "de_DE"),
        ("m2m100", "de-AT", "de"),
        ("m2m100", "ceb", "ceb"),
        ("nllb", "de-AT", "deu_Latn"),
        ("nllb", "zh", "zho_Hans"),
        ("nllb", "zh-Hans", "zho_Hans"),
        ("nllb", "zh-Hant", "zho_Hant"),  # another script: not the same language for the model
        ("marian", "de", None),
        ("t5", "de", None),
    ],
)
def test_language_codes(family: str, language: str, code: str | None, folders: Folders) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folders(family))
    assert language_code(tokenizer, language) == code
    if code is not None:
        number = code_id(tokenizer, code)
        assert number != tokenizer.unk_token_id
        assert tokenizer.convert_ids_to_tokens(number).strip("_") == code


SOURCES = [TranslateDoc((sentence,), "en", "de") for sentence in tiny.CORPUS["en"][:4]]


def translations(model: Seq2Seq, sources: Sequence[TranslateDoc]) -> list[str]:
    answers = list(model.translate(sources))
    assert sorted(number for number, _ in answers) == list(range(len(sources)))
    return [translation.text for _, translation in sorted(answers, key=lambda answer: answer[0])]


def generated(family: str, folder: Path, source: TranslateDoc, beam: int = 1) -> str:
    """A plain call of `generate` on one text, with the limit that referee sets; what gets there has no end."""
    plain = plainly(family, folder)
    options: dict[str, Any] = {}
    if plain.codes:
        plain.tokenizer.src_lang = plain.codes[source.source_lang]
        options["forced_bos_token_id"] = code_id(plain.tokenizer, plain.codes[source.target_lang])
    encoded = plain.tokenizer(" ".join(source.sentences), return_tensors="pt")
    limit = min(2 * encoded.input_ids.shape[1] + 20, tiny.POSITIONS - 1)
    (output,) = plain.model.generate(
        **encoded, num_beams=beam, do_sample=False, max_new_tokens=limit, forced_eos_token_id=None, **options
    )
    kept = [token for token in output.tolist() if token not in options.values()]
    return str(plain.tokenizer.decode(kept, skip_special_tokens=True))


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("family", FAMILIES)
def test_translations_equal_plain_generation(family: str, beam: int, folders: Folders) -> None:
    model = opened(folders(family), f",beam={beam},tokens=1")
    assert translations(model, SOURCES[:2]) == [generated(family, folders(family), own, beam) for own in SOURCES[:2]]


@pytest.mark.parametrize("family", FAMILIES)
def test_translations_do_not_depend_on_their_company(family: str, folders: Folders) -> None:
    alone = translations(opened(folders(family), ",tokens=1"), SOURCES)
    assert translations(opened(folders(family), ",tokens=100000"), SOURCES) == alone
    assert translations(opened(folders(family), ",tokens=100000"), SOURCES[::-1]) == alone[::-1]


@pytest.mark.parametrize("family", CODES)
def test_every_text_is_translated_into_its_own_language(family: str, folders: Folders) -> None:
    languages = ["de", "fr", "ru", "de"]
    sources = [replace(SOURCES[1], target_lang=language) for language in languages]
    model = opened(folders(family), ",tokens=100000")
    alone = [translations(model, [source])[0] for source in sources]
    assert len(set(alone)) == 3
    assert translations(model, sources) == alone


def test_a_document_is_translated_as_one_text(folders: Folders) -> None:
    model = opened(folders("marian"), ",tokens=1")
    whole = TranslateDoc(("I bought a red cup.", "It is very small."), "en", "de")
    assert translations(model, [whole]) == translations(model, [TranslateDoc((" ".join(whole.sentences),), "en", "de")])
    apart = TranslateDoc(whole.sentences, "en", "de", " <SEP> ")
    assert translations(model, [apart]) == translations(
        model, [TranslateDoc((" <SEP> ".join(whole.sentences),), "en", "de")]
    )
    assert model.refuses(whole) == ""
    assert model.refuses(replace(whole, sentences=("it " * tiny.POSITIONS,))).startswith("too long: ")


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_translation_that_reached_its_limit_is_marked(family: str, beam: int, folders: Folders) -> None:
    """By the tokens of a plain generation: is the end among them or not?"""
    for limit in (3, 9):
        model = opened(folders(family), f",beam={beam},max_tokens={limit},tokens=1")
        for number, translation in model.translate(SOURCES):
            tokens = plain_tokens(family, folders(family), SOURCES[number], beam, limit)
            assert translation.truncated == (model.loaded.model.config.eos_token_id not in tokens[1:])
            assert len(tokens) <= 1 + limit


def test_a_whole_translation_is_not_marked(folders: Folders) -> None:
    """The same text with more room is the same translation where it had ended by itself."""
    short, long = (dict(opened(folders("t5"), f",max_tokens={n}").translate(SOURCES)) for n in (30, 60))
    assert any(not translation.truncated for translation in long.values()) or all(
        len(long[number].text) >= len(short[number].text) for number in short
    )
    for number, translation in short.items():
        if not translation.truncated:
            assert long[number] == translation


def plain_tokens(family: str, folder: Path, source: TranslateDoc, beam: int, limit: int) -> list[int]:
    plain = plainly(family, folder)
    options: dict[str, Any] = {}
    if plain.codes:
        plain.tokenizer.src_lang = plain.codes[source.source_lang]
        options["forced_bos_token_id"] = code_id(plain.tokenizer, plain.codes[source.target_lang])
    encoded = plain.tokenizer(source.text, return_tensors="pt")
    (output,) = plain.model.generate(
        **encoded, num_beams=beam, do_sample=False, max_new_tokens=limit, forced_eos_token_id=None, **options
    )
    return list(output.tolist())


def test_what_it_can_do_and_what_it_is(folders: Folders) -> None:
    model: Model = opened(folders("marian"))
    assert isinstance(model, ScoresPairs)
    assert isinstance(model, Translates)
    assert not isinstance(model, ScoresTexts)
    plain = model.identity()
    assert plain.settings == {"dtype": "float32"}
    assert plain.generation == {"beam": "1", "max_tokens": "2 x source + 20"}
    for option in ("beam=2", "max_tokens=9", "prefix=a", "dtype=bfloat16"):
        assert opened(folders("marian"), f",{option}").identity() != plain
    assert opened(folders("marian"), ",tokens=7").identity() == plain, "a budget changes no score"


@pytest.mark.parametrize("option", ["beam=0", "beam=x", "tokens=0", "tokens=-3", "dtype=int8", "within_word=mask"])
def test_impossible_options_are_refused_before_loading(option: str) -> None:
    with pytest.raises(UsageError):
        open_seq2seq(parse(f"hf:/no/such/folder,{option}"))
