"""Who can judge. Every kind is found by name; plug-ins add kinds through the entry points `referee.models`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from referee.errors import MissingError
from referee.models.files import open_scores, open_translations
from referee.models.spec import ModelSpec, parse
from referee.protocols import Model
from referee.registry import lookup, named, plugins


@dataclass(frozen=True)
class ModelKind:
    """A kind of model: how it is written, what it does, how it is opened."""

    name: str
    usage: str
    about: str
    open: Callable[[ModelSpec], Model]


def _lazily(module: str, function: str) -> Callable[[ModelSpec], Model]:
    """Opens a model with a function of a module that is imported only then: it brings heavy libraries."""

    def open_(spec: ModelSpec) -> Model:
        try:
            found = import_module(f"referee.models.{module}")
        except ImportError as error:
            problem = f"'{spec.kind}:' needs a package that is not installed ({error})"
            raise MissingError(problem, "install it with `pip install 'referee[hf]'`") from None
        opened: Model = getattr(found, function)(spec)
        return opened

    return open_


_COMPUTING = "[,device=...][,dtype=...][,tokens=N]"

KINDS = (
    ModelKind(
        "pocket",
        "pocket[,engine=ct2|hf][,beam=N][,device=...][,tokens=N]",
        "the small translator that comes with referee, English to de, fr, es, ru, it, pl, pt: scores and translates",
        _lazily("pocket", "open_pocket"),
    ),
    ModelKind(
        "hf",
        f"hf:NAME[,beam=N]{_COMPUTING}",
        "translation model of transformers (Marian, mBART, M2M100, NLLB, T5): scores and translates",
        _lazily("hf.seq2seq", "open_seq2seq"),
    ),
    ModelKind(
        "mlm",
        f"mlm:NAME[,within_word=show|mask]{_COMPUTING}",
        "masked language model of transformers: pseudo-perplexity, words in one position",
        _lazily("hf.masked", "open_masked"),
    ),
    ModelKind(
        "causal",
        f"causal:NAME{_COMPUTING}",
        "causal language model of transformers: whole or partial scoring",
        _lazily("hf.causal", "open_causal"),
    ),
    ModelKind(
        "ct2",
        "ct2:DIR[,tokenizer=DIR][,beam=N][,device=...][,compute_type=...][,tokens=N]",
        "CTranslate2 model: translators score and translate, generators score sentences",
        _lazily("ct2.translator", "open_ct2"),
    ),
    ModelKind(
        "api",
        "api:URL,model=NAME[,parallel=N][,rate=N][,budget=N][,timeout=S][,key=VARIABLE][,logprobs=...]",
        "any OpenAI-compatible server: translates, chooses with the options in both orders, scores where it can",
        _lazily("api.chat", "open_api"),
    ),
    ModelKind(
        "command",
        "command:PROGRAM[,timeout=S]",
        "any program that reads lines and writes lines: translates",
        _lazily("command", "open_command"),
    ),
    ModelKind(
        "scores",
        "scores:FILE[,better=higher|lower]",
        "numbers of a system that ran elsewhere, one line a candidate: contrastive verdicts",
        open_scores,
    ),
    ModelKind(
        "translations",
        "translations:FILE",
        "outputs of a system that ran elsewhere, one line an item: generative verdicts",
        open_translations,
    ),
)


def kinds() -> dict[str, ModelKind]:
    """All kinds by name."""
    return named((*KINDS, *plugins("referee.models", ModelKind)))


def open_model(text: str) -> Model:
    """The model that `text` names; what it needs is checked at once, what is heavy is loaded later."""
    spec = parse(text)
    return lookup("model kind", spec.kind, kinds()).open(spec)
