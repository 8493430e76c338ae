"""Small checkpoints of real model families, made on the spot: random weights, a tokenizer trained on the text below.

`make(family, folder)` leaves what `save_pretrained` leaves, so the folder loads through the Auto classes as a
downloaded model does. Ids, special tokens, language codes, tying and padded vocabularies follow the published models
(opus-mt, mbart-large-50, m2m100, nllb-200, t5 and t5-v1.1, bert, xlm-roberta, roberta, gpt2, llama 2); sizes do not,
nor does where `<mask>` lies in nllb and roberta.
Weights are drawn wide, so that log-probabilities differ clearly from token to token, and dropout is on in every
config, so that a model left in training mode gives itself away. The same seed gives the same bytes.
"""

from __future__ import annotations

import functools
import io
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")
sentencepiece = pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")  # what transformers reads sentencepiece models with

torch.set_num_threads(1)  # matrices this small take many times longer where threads share them

POSITIONS = 96
"""The longest input, in tokens with the special ones, that the position embeddings of every family hold."""

WIDTH = 32
PIECES = 320

CORPUS = {
    "en": [
        "The cat put the cup into the box because it was too full.",
        "The dog did not eat the apple because it was not hungry.",
        "The mouse saw the cheese and it ran to the table.",
        "I bought a red cup yesterday. It is very small.",
        "The horse drank the water because it was thirsty.",
        "She opened the door for him, and he thanked her.",
        "The bird sat on the fence. It sang all morning.",
        "They gave the old cow some hay, since it was weak.",
        "Where is the spoon? It lies under the chair.",
        "The bear broke the branch because it was heavy.",
        "He found the key, but it did not fit the lock.",
        "The bottle does not fit into the bag because it is too big.",
    ],
    "de": [
        "Die Katze stellte den Becher in die Kiste, weil er zu voll war.",
        "Der Hund fraß den Apfel nicht, weil er keinen Hunger hatte.",
        "Die Maus sah den Käse und sie lief zum Tisch.",
        "Ich habe gestern eine rote Tasse gekauft. Sie ist sehr klein.",
        "Das Pferd trank das Wasser, weil es durstig war.",
        "Sie öffnete ihm die Tür, und er dankte ihr.",
        "Der Vogel saß auf dem Zaun. Er sang den ganzen Morgen.",
        "Man gab der alten Kuh etwas Heu, denn sie war schwach.",
        "Wo ist der Löffel? Er liegt unter dem Stuhl.",
        "Der Bär brach den Ast ab, weil er schwer war.",
        "Er fand das Schloss, aber der Schlüssel öffnete es nicht.",
        "Ich sehe den Wolf. Siehst du ihn auch?",
    ],
    "fr": [
        "Le chat a mis la tasse dans la boîte parce qu'elle était trop pleine.",
        "Le chien n'a pas mangé la pomme parce qu'il n'avait pas faim.",
        "La souris a vu le fromage et elle a couru vers la table.",
        "Hier, j'ai acheté une tasse rouge. Elle est très petite.",
        "Le cheval a bu l'eau parce qu'il avait soif.",
        "Elle lui a ouvert la porte et il l'a remerciée.",
        "L'oiseau était sur la clôture. Il a chanté toute la matinée.",
        "On a donné du foin à la vieille vache, car elle était faible.",
        "Où est la cuillère ? Elle est sous la chaise.",
        "L'ours a cassé la branche parce qu'il était lourd.",
        "Il a trouvé la clé, mais elle n'ouvrait pas la serrure.",
        "La bouteille n'entre pas dans le sac parce qu'il est trop petit.",
    ],
    "es": [
        "El gato puso la taza en la caja porque estaba demasiado llena.",
        "El perro no comió la manzana porque él no tenía hambre.",
        "La ratona vio el queso y ella corrió hacia la mesa.",
        "Ayer compré una taza roja. Es muy pequeña.",
        "El caballo bebió el agua porque tenía sed.",
        "Ella le abrió la puerta y él le dio las gracias.",
        "El pájaro estaba en la cerca. Cantó toda la mañana.",
        "Le dieron heno a la vaca vieja, pues ella estaba débil.",
        "¿Dónde está la cuchara? Está debajo de la silla.",
        "El oso rompió la rama porque era pesada.",
        "Encontró la llave, pero no abría la cerradura.",
        "La botella no cabe en la bolsa porque es demasiado grande.",
    ],
    "ru": [
        "Кошка поставила чашку в коробку, потому что она была полной.",
        "Собака не съела яблоко, потому что она не была голодна.",
        "Мышь увидела сыр, и она побежала к столу.",
        "Вчера я купил красную чашку. Она очень маленькая.",
        "Конь выпил воду, потому что он хотел пить.",
        "Она открыла ему дверь, и он её поблагодарил.",
        "Яблоко лежит на столе. Оно красное.",
        "Старой корове дали сена, потому что она была слабой.",
        "Где ложка? Она лежит под стулом.",
        "Медведь сломал ветку, потому что он был тяжёлый.",
        "Он нашёл ключ, но замок им не открылся.",
        "Кресло не входит в комнату, потому что оно большое.",
    ],
}
"""Invented sentences, of animals, cups and boxes; pronouns of every gender the languages have."""


def make(family: str, folder: Path, *, seed: int = 0) -> Path:
    """Writes a checkpoint of `family` (one of `FAMILIES`) into `folder`, which it makes, and returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with torch.random.fork_rng(devices=[]):  # the caller's random state stays as it was
        tokenizer, model = FAMILIES[family](seed)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    if family == "t5-untied":  # as the published v1.1 configs say it; transformers 5 writes it under another name
        path = folder / "config.json"
        config = json.loads(path.read_text(encoding="utf-8"))
        config.pop("scale_decoder_outputs", None)
        path.write_text(json.dumps(config | {"tie_word_embeddings": False}, indent=2), encoding="utf-8")
    return folder


Made = tuple[Any, Any]  # a tokenizer and a model, of classes that differ from family to family


def _marian(seed: int) -> Made:
    source = _sentencepiece("unigram", "en")
    target = _sentencepiece("unigram", "de", "fr", "es", "ru")
    pieces = sorted({piece for spm in (source, target) for piece in _pieces(spm)[3:]})
    vocabulary = ["</s>", "<unk>", *pieces, "<pad>"]
    files = {"source.spm": source, "target.spm": target, "vocab.json": _numbered(vocabulary)}
    tokenizer = _load(transformers.MarianTokenizer, files, source_lang="en", target_lang="de")
    pad = len(vocabulary) - 1
    config = transformers.MarianConfig(
        vocab_size=len(vocabulary),
        pad_token_id=pad,
        decoder_start_token_id=pad,
        eos_token_id=0,
        bos_token_id=0,
        activation_function="swish",
        scale_embedding=True,
        **_ENCODER_DECODER,
    )
    return tokenizer, _drawn(transformers.MarianMTModel(config), seed)


def _mbart50(seed: int) -> Made:
    files = {"sentencepiece.bpe.model": _sentencepiece("unigram")}
    tokenizer = _load(transformers.MBart50Tokenizer, files, src_lang="en_XX")
    config = transformers.MBartConfig(
        vocab_size=len(tokenizer),
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=2,
        activation_function="relu",
        scale_embedding=True,
        **_ENCODER_DECODER,
    )
    return tokenizer, _drawn(transformers.MBartForConditionalGeneration(config), seed)


def _m2m100(seed: int) -> Made:
    spm = _sentencepiece("bpe")
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", *_pieces(spm)[3:]]
    files = {"sentencepiece.bpe.model": spm, "vocab.json": _numbered(vocabulary)}
    tokenizer = _load(transformers.M2M100Tokenizer, files)
    languages_and_unused = len(tokenizer.lang_code_to_id) + tokenizer.num_madeup_words
    return tokenizer, _m2m100_model(len(vocabulary) + languages_and_unused, seed)


def _nllb(seed: int) -> Made:
    codes = transformers.models.nllb.tokenization_nllb.FAIRSEQ_LANGUAGE_CODES
    files = {"sentencepiece.bpe.model": _sentencepiece("bpe")}
    tokenizer = _load(transformers.NllbTokenizer, files, additional_special_tokens=codes)
    return tokenizer, _m2m100_model(len(tokenizer), seed)


def _m2m100_model(vocabulary: int, seed: int) -> Any:
    config = transformers.M2M100Config(
        vocab_size=vocabulary,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=2,
        activation_function="relu",
        scale_embedding=True,
        encoder_layerdrop=0.0,
        decoder_layerdrop=0.0,
        **_ENCODER_DECODER,
    )
    return _drawn(transformers.M2M100ForConditionalGeneration(config), seed)


def _t5(seed: int, *, tied: bool = True) -> Made:
    spm = _sentencepiece("unigram", pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    tokenizer = _load(transformers.T5Tokenizer, {"spiece.model": spm})
    config = transformers.T5Config(
        vocab_size=-(-len(tokenizer) // 64) * 64,  # more rows than pieces, as published
        d_model=WIDTH,
        d_kv=8,
        d_ff=2 * WIDTH,
        num_layers=2,
        num_heads=4,
        dropout_rate=0.1,
        n_positions=POSITIONS,
        feed_forward_proj="relu" if tied else "gated-gelu",
        tie_word_embeddings=tied,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    model = transformers.T5ForConditionalGeneration(config)
    if not tied:
        model.lm_head.weight = torch.nn.Parameter(torch.empty_like(model.lm_head.weight))
    return tokenizer, _drawn(model, seed, embeddings=1.8 if tied else 0.4)


def _bert(seed: int) -> Made:
    # Pieces from sentencepiece: the WordPiece trainer of the tokenizers library gives other pieces from run to run.
    pieces = [piece for piece in _pieces(_sentencepiece("bpe"))[3:] if piece != "▁"]
    words = {piece.removeprefix("▁") for piece in pieces if piece.startswith("▁") or len(piece) == 1}
    parts = {f"##{piece}" for piece in pieces if not piece.startswith("▁")}
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(words), *sorted(parts)]
    files = {"vocab.txt": ("\n".join(vocabulary) + "\n").encode()}
    tokenizer = _load(transformers.BertTokenizer, files, do_lower_case=False)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), max_position_embeddings=POSITIONS, pad_token_id=0, **_ENCODER
    )
    return tokenizer, _drawn(transformers.BertForMaskedLM(config), seed)


def _xlmr(seed: int) -> Made:
    files = {"sentencepiece.bpe.model": _sentencepiece("unigram")}
    tokenizer = _load(transformers.XLMRobertaTokenizer, files, mask_token=_mask())
    config = transformers.XLMRobertaConfig(vocab_size=len(tokenizer), **_ROBERTA, **_ENCODER)
    return tokenizer, _drawn(transformers.XLMRobertaForMaskedLM(config), seed)


def _roberta(seed: int) -> Made:
    files = _byte_pairs("<s>", "<pad>", "</s>", "<unk>", "<mask>")
    tokenizer = _load(transformers.RobertaTokenizer, files, mask_token=_mask())
    config = transformers.RobertaConfig(vocab_size=len(tokenizer), **_ROBERTA, **_ENCODER)
    return tokenizer, _drawn(transformers.RobertaForMaskedLM(config), seed)


def _gpt2(seed: int) -> Made:
    tokenizer = _load(transformers.GPT2Tokenizer, _byte_pairs("<|endoftext|>"))
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_positions=POSITIONS,
        n_embd=WIDTH,
        n_layer=2,
        n_head=4,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return tokenizer, _drawn(transformers.GPT2LMHeadModel(config), seed)


def _llama(seed: int) -> Made:
    spm = _sentencepiece("bpe", vocab_size=PIECES + 256, byte_fallback=True, normalization_rule_name="identity")
    tokenizer = _load(transformers.LlamaTokenizer, {"tokenizer.model": spm}, add_bos_token=True, add_eos_token=False)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=POSITIONS,
        hidden_size=WIDTH,
        intermediate_size=2 * WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        attention_dropout=0.1,
        bos_token_id=1,
        eos_token_id=2,
        tie_word_embeddings=False,
    )
    return tokenizer, _drawn(transformers.LlamaForCausalLM(config), seed)


FAMILIES: dict[str, Callable[[int], Made]] = {
    "marian": _marian,
    "mbart50": _mbart50,
    "m2m100": _m2m100,
    "nllb": _nllb,
    "t5": _t5,
    "t5-untied": functools.partial(_t5, tied=False),
    "bert": _bert,
    "xlmr": _xlmr,
    "roberta": _roberta,
    "gpt2": _gpt2,
    "llama": _llama,
}

ENCODER_DECODER = ("marian", "mbart50", "m2m100", "nllb", "t5", "t5-untied")
MASKED = ("bert", "xlmr", "roberta")
CAUSAL = ("gpt2", "llama")

_ENCODER_DECODER: dict[str, Any] = {
    "max_position_embeddings": POSITIONS,
    "d_model": WIDTH,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 2 * WIDTH,
    "decoder_ffn_dim": 2 * WIDTH,
    "dropout": 0.1,
    "attention_dropout": 0.1,
}
_ENCODER: dict[str, Any] = {
    "hidden_size": WIDTH,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 2 * WIDTH,
}
_ROBERTA: dict[str, Any] = {
    "max_position_embeddings": POSITIONS + 2,  # positions are counted from the padding id plus one
    "type_vocab_size": 1,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
}


def _drawn(model: Any, seed: int, *, embeddings: float = 0.4) -> Any:
    """The model with every weight drawn anew from the seed; positions that follow from a formula stay."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not parameter.requires_grad:
                continue
            scale = 0.2 if parameter.dim() == 1 else 0.3
            if parameter.shape[0] == model.config.vocab_size and parameter.dim() == 2:
                scale = embeddings
            parameter.normal_(0.0, scale, generator=generator)
            if parameter.dim() == 1 and name.endswith("weight"):  # a norm
                parameter.add_(1.0)
        if "final_logits_bias" in dict(model.named_buffers()):
            model.final_logits_bias.normal_(0.0, 0.5, generator=generator)
        for module in model.modules():
            padded = isinstance(module, torch.nn.Embedding) and module.padding_idx is not None
            if padded and module.weight.requires_grad:
                module.weight[module.padding_idx] = 0.0
    return model.eval()


def _mask() -> Any:
    """The mask of the RoBERTa models, which takes the space before it."""
    return transformers.AddedToken("<mask>", lstrip=True, special=True)


def _load(kind: Any, files: dict[str, bytes], **options: Any) -> Any:
    """The tokenizer that `kind` makes of a published model's own vocabulary files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        return kind.from_pretrained(folder, model_max_length=POSITIONS, **options)


@functools.cache
def _sentencepiece(kind: str, *languages: str, **options: Any) -> bytes:
    model = io.BytesIO()
    settings = {"vocab_size": PIECES, "hard_vocab_limit": False, "character_coverage": 1.0, "num_threads": 1}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(_text(*languages)),
        model_writer=model,
        model_type=kind,
        minloglevel=2,
        **(settings | options),
    )
    return model.getvalue()


def _pieces(model: bytes) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]


@functools.cache
def _byte_pairs(*specials: str) -> dict[str, bytes]:
    trained = tokenizers.ByteLevelBPETokenizer()
    trained.train_from_iterator(
        _text(), vocab_size=256 + PIECES, min_frequency=1, special_tokens=list(specials), show_progress=False
    )
    with tempfile.TemporaryDirectory() as folder:
        trained.save_model(folder)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def _numbered(tokens: Iterable[str]) -> bytes:
    return json.dumps({token: number for number, token in enumerate(tokens)}, ensure_ascii=False).encode()


def _text(*languages: str) -> list[str]:
    return [sentence for language in languages or CORPUS for sentence in CORPUS[language]]
