"""The small checkpoints that stand in for downloaded models load, tokenize and score as the published ones do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support import tiny_models as tiny

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

FAMILIES = list(tiny.FAMILIES)
HEADS = (
    dict.fromkeys(tiny.ENCODER_DECODER, "AutoModelForSeq2SeqLM")
    | dict.fromkeys(tiny.MASKED, "AutoModelForMaskedLM")
    | dict.fromkeys(tiny.CAUSAL, "AutoModelForCausalLM")
)

CLASSES = {
    "marian": ("MarianTokenizer", "MarianMTModel"),
    "mbart50": ("MBart50Tokenizer", "MBartForConditionalGeneration"),
    "m2m100": ("M2M100Tokenizer", "M2M100ForConditionalGeneration"),
    "nllb": ("NllbTokenizer", "M2M100ForConditionalGeneration"),
    "t5": ("T5Tokenizer", "T5ForConditionalGeneration"),
    "t5-untied": ("T5Tokenizer", "T5ForConditionalGeneration"),
    "bert": ("BertTokenizer", "BertForMaskedLM"),
    "xlmr": ("XLMRobertaTokenizer", "XLMRobertaForMaskedLM"),
    "roberta": ("RobertaTokenizer", "RobertaForMaskedLM"),
    "gpt2": ("GPT2Tokenizer", "GPT2LMHeadModel"),
    "llama": ("LlamaTokenizer", "LlamaForCausalLM"),
}

# What stands before and after the pieces of a text.
SOURCE = {
    "marian": ([], ["</s>"]),
    "mbart50": (["en_XX"], ["</s>"]),
    "m2m100": (["__en__"], ["</s>"]),
    "nllb": (["eng_Latn"], ["</s>"]),
    "t5": ([], ["</s>"]),
    "t5-untied": ([], ["</s>"]),
    "bert": (["[CLS]"], ["[SEP]"]),
    "xlmr": (["<s>"], ["</s>"]),
    "roberta": (["<s>"], ["</s>"]),
    "gpt2": ([], []),
    "llama": (["<s>"], []),
}
CODES = {
    "mbart50": {"en": "en_XX", "de": "de_DE", "fr": "fr_XX", "es": "es_XX", "ru": "ru_RU"},
    "m2m100": {"en": "en", "de": "de", "fr": "fr", "es": "es", "ru": "ru"},
    "nllb": {"en": "eng_Latn", "de": "deu_Latn", "fr": "fra_Latn", "es": "spa_Latn", "ru": "rus_Cyrl"},
}
TABLES = ("marian", "mbart50", "bert", "xlmr", "roberta", "gpt2")  # positions beyond the table are an error


@dataclass(frozen=True)
class Checkpoint:
    folder: Path
    tokenizer: Any
    model: Any

    def tokens(self, *texts: str, **options: Any) -> list[str]:
        pieces: list[str] = self.tokenizer.convert_ids_to_tokens(self.tokenizer(*texts, **options).input_ids)
        return pieces

    def logits(self, text: str, target: str = "Er fand es nicht.") -> Any:
        options = {"text_target": target} if self.model.config.is_encoder_decoder else {}
        with torch.inference_mode():
            return self.model(**self.tokenizer(text, return_tensors="pt", **options)).logits[0]


Load = Callable[[str], Checkpoint]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """Gives a checkpoint loaded anew, from a folder made once."""
    folders: dict[str, Path] = {}

    def loaded(family: str) -> Checkpoint:
        if family not in folders:
            folders[family] = tiny.make(family, tmp_path_factory.mktemp(family))
        folder = folders[family]
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        if family in CODES:
            tokenizer.src_lang, tokenizer.tgt_lang = CODES[family]["en"], CODES[family]["de"]
        model, report = getattr(transformers, HEADS[family]).from_pretrained(folder, output_loading_info=True)
        assert not any(report.values())
        return Checkpoint(folder, tokenizer, model)

    return loaded


@pytest.fixture(autouse=True)
def _random_state() -> Iterator[None]:
    with torch.random.fork_rng(devices=[]):
        yield


@pytest.mark.parametrize("family", FAMILIES)
def test_loads_back_through_the_auto_classes(family: str, load: Load) -> None:
    checkpoint = load(family)
    assert (type(checkpoint.tokenizer).__name__, type(checkpoint.model).__name__) == CLASSES[family]
    assert checkpoint.tokenizer.model_max_length == tiny.POSITIONS
    assert not checkpoint.model.training
    assert checkpoint.tokenizer.is_fast == (family not in ("marian", "m2m100"))


@pytest.mark.parametrize("family", FAMILIES)
def test_special_tokens_surround_a_source_text(family: str, load: Load) -> None:
    checkpoint = load(family)
    before, after = SOURCE[family]
    text = tiny.CORPUS["en"][1]
    pieces = checkpoint.tokens(text, add_special_tokens=False)
    assert checkpoint.tokens(text) == [*before, *pieces, *after]
    assert not set(pieces) & set(checkpoint.tokenizer.all_special_tokens)
    assert checkpoint.tokenizer.decode(checkpoint.tokenizer.convert_tokens_to_ids(pieces)) == text


@pytest.mark.parametrize("language", ["de", "fr", "es", "ru"])
@pytest.mark.parametrize("family", tiny.ENCODER_DECODER)
def test_special_tokens_surround_a_target_text(family: str, language: str, load: Load) -> None:
    checkpoint = load(family)
    before: list[str] = []
    if family in CODES:
        code = checkpoint.tokenizer.tgt_lang = CODES[family][language]
        before = [f"__{code}__" if family == "m2m100" else code]
    for text in tiny.CORPUS[language]:
        pieces = checkpoint.tokens(text_target=text, add_special_tokens=False)
        assert checkpoint.tokens(text_target=text) == [*before, *pieces, "</s>"]
        assert not set(pieces) & set(checkpoint.tokenizer.all_special_tokens)
    assert (
        checkpoint.tokens("it")[: len(SOURCE[family][0])] == SOURCE[family][0]
    )  # a source text is a source text again


@pytest.mark.parametrize("family", tiny.MASKED)
def test_a_mask_is_one_token_in_place_of_a_word(family: str, load: Load) -> None:
    checkpoint = load(family)
    mask = checkpoint.tokenizer.mask_token
    tokens = checkpoint.tokens(f"the dog and {mask} ran to the table")
    tokens[tokens.index(mask)] = "it"
    assert [token.lstrip("Ġ▁") for token in tokens] == [
        token.lstrip("Ġ▁") for token in checkpoint.tokens("the dog and it ran to the table")
    ]


def test_ids_are_those_of_the_published_models(load: Load) -> None:
    def numbers(family: str) -> tuple[int | None, ...]:
        tokenizer, config = load(family).tokenizer, load(family).model.config
        assert (config.pad_token_id, config.eos_token_id) == (tokenizer.pad_token_id, tokenizer.eos_token_id)
        start = getattr(config, "decoder_start_token_id", None)
        return start, tokenizer.pad_token_id, tokenizer.eos_token_id, tokenizer.unk_token_id

    last = load("marian").model.config.vocab_size - 1
    assert numbers("marian") == (last, last, 0, 1)
    assert numbers("mbart50") == numbers("m2m100") == numbers("nllb") == (2, 1, 2, 3)
    assert numbers("t5") == numbers("t5-untied") == (0, 0, 1, 2)
    assert numbers("xlmr") == numbers("roberta") == (None, 1, 2, 3)
    assert numbers("bert") == (None, 0, None, 1)
    assert numbers("llama") == (None, None, 2, 0)
    gpt2 = load("gpt2").tokenizer
    assert gpt2.bos_token == gpt2.eos_token == "<|endoftext|>"


@pytest.mark.parametrize("family", FAMILIES)
def test_logits_are_finite_and_far_apart(family: str, load: Load) -> None:
    logits = load(family).logits("The cat saw the cup.")
    logprobs = logits.log_softmax(-1)
    assert logprobs.isfinite().all()
    assert logprobs.std(-1).min() > 1
    assert logprobs.max() < -0.01  # none is nearly certain, which would hide a fault in what comes after it


@pytest.mark.parametrize("family", FAMILIES)
def test_what_was_read_changes_the_logits(family: str, load: Load) -> None:
    checkpoint = load(family)
    assert (
        checkpoint.logits("The cat saw the cup.")[-1] - checkpoint.logits("The cow saw the cup.")[-1]
    ).abs().max() > 0.01


@pytest.mark.parametrize("family", FAMILIES)
def test_dropout_shows_in_training_mode(family: str, load: Load) -> None:
    checkpoint = load(family)
    assert torch.equal(checkpoint.logits("The cat saw the cup."), checkpoint.logits("The cat saw the cup."))
    checkpoint.model.train()
    assert not torch.allclose(
        checkpoint.logits("The cat saw the cup."), checkpoint.logits("The cat saw the cup."), atol=0.01
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_positions_end_where_they_are_said_to(family: str, load: Load) -> None:
    checkpoint = load(family)
    surround = len(checkpoint.tokens(""))
    longest = " ".join(["it"] * (tiny.POSITIONS - surround))
    assert len(checkpoint.tokens(longest)) == tiny.POSITIONS
    assert checkpoint.logits(longest).isfinite().all()
    if family in TABLES:
        with pytest.raises((IndexError, RuntimeError)):
            checkpoint.logits(longest + " it")
    else:
        assert checkpoint.logits(longest + " it").isfinite().all()


@pytest.mark.parametrize("family", ["marian", "mbart50"])
def test_the_bias_of_the_logits_survives_saving(family: str, load: Load) -> None:
    assert load(family).model.final_logits_bias.std() > 0.1


@pytest.mark.parametrize(("family", "tied"), [("t5", True), ("t5-untied", False), ("llama", False), ("marian", True)])
def test_the_output_layer_is_tied_or_not(family: str, tied: bool, load: Load) -> None:
    model = load(family).model
    assert torch.equal(model.get_input_embeddings().weight, model.get_output_embeddings().weight) == tied


def test_t5_has_more_rows_than_pieces(load: Load) -> None:
    checkpoint = load("t5")
    assert len(checkpoint.tokenizer) < checkpoint.model.config.vocab_size == checkpoint.logits("it").shape[-1]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_seed_decides_every_weight_and_nothing_else(family: str, load: Load, tmp_path: Path) -> None:
    first = load(family)
    tiny._sentencepiece.cache_clear()
    tiny._byte_pairs.cache_clear()
    before = torch.get_rng_state()
    again = tiny.make(family, tmp_path / "again")
    other = tiny.make(family, tmp_path / "other", seed=1)
    assert torch.equal(before, torch.get_rng_state())
    names = sorted(path.name for path in first.folder.iterdir())
    assert names == sorted(path.name for path in again.iterdir()) == sorted(path.name for path in other.iterdir())
    for name in names:
        assert (again / name).read_bytes() == (first.folder / name).read_bytes(), name
        if name != "model.safetensors":
            assert (other / name).read_bytes() == (first.folder / name).read_bytes(), name
    weights = getattr(transformers, HEADS[family]).from_pretrained(other).state_dict()
    computed = "embed_positions" if family in ("marian", "m2m100", "nllb") else "no such name"
    for name, weight in first.model.state_dict().items():
        assert torch.equal(weight, weights[name]) == (computed in name), name
