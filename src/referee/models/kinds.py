"""The kinds of models that a spec names. Plug-ins add kinds through the entry points `referee.models`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name

from referee.errors import MissingError
from referee.models.spec import ModelSpec
from referee.protocols import Model
from referee.registry import named, plugins


@dataclass(frozen=True)
class ModelKind:
    """A kind of model: how it is written, what it does, and the function that opens it.

    `open` is that function, or its name as "module:function", which is imported when it is needed. `explains` is
    whether its models can show the salience of words.
    """

    name: str
    usage: str
    about: str
    open: str | Callable[[ModelSpec], Model]
    explains: bool = False

    def opened(self, spec: ModelSpec) -> Model:
        """The model that a spec of this kind names."""
        return self._function(spec)(spec)

    def _function(self, spec: ModelSpec) -> Callable[[ModelSpec], Model]:
        if not isinstance(self.open, str):
            return self.open
        try:
            function: Callable[[ModelSpec], Model] = resolve_name(self.open)
        except ImportError as error:
            problem = f"'{spec.kind}:' needs a package that is not installed ({error})"
            raise MissingError(problem, "install it with `pip install 'referee[hf]'`") from None
        return function


_COMPUTING = "[,device=...][,dtype=...][,tokens=N][,allow_pickle=yes]"

KINDS = (
    ModelKind(
        "pocket",
        "pocket[,engine=ct2|hf][,beam=N][,max_tokens=N][,device=...][,tokens=N]",
        "bundled translator, English to de, fr, es, ru, it, pl, pt: scores and translates",
        "referee.models.pocket:open_pocket",
        explains=True,
    ),
    ModelKind(
        "hf",
        f"hf:NAME[,beam=N][,max_tokens=N]{_COMPUTING}",
        "transformers translation model (Marian, FSMT, mBART, M2M100, NLLB, T5): scores and translates",
        "referee.models.hf.seq2seq:open_seq2seq",
        explains=True,
    ),
    ModelKind(
        "mlm",
        f"mlm:NAME[,within_word=show|mask]{_COMPUTING}",
        "transformers masked language model, or pocket (bundled): pseudo-perplexity, single masked position",
        "referee.models.pocket_masked:open_mlm",
        explains=True,
    ),
    ModelKind(
        "causal",
        f"causal:NAME{_COMPUTING}",
        "transformers causal language model: full or partial scoring",
        "referee.models.hf.causal:open_causal",
    ),
    ModelKind(
        "ct2",
        "ct2:DIR[,tokenizer=DIR][,beam=N][,max_tokens=N][,device=...][,compute_type=...][,tokens=N]",
        "CTranslate2 model: translators score and translate, generators score sentences",
        "referee.models.ct2.load:open_ct2",
    ),
    ModelKind(
        "api",
        "api:URL,model=NAME[,key=VARIABLE][,parallel=N][,rate=N][,budget=N][,max_cost=N][,timeout=S]",
        "OpenAI-compatible server: translates, chooses (options in both orders), scores with log-probabilities",
        "referee.models.api.chat:open_api",
    ),
    ModelKind(
        "command",
        "command:PROGRAM[,timeout=S]",
        "program that translates lines from stdin to stdout",
        "referee.models.command:open_command",
    ),
    ModelKind(
        "scores",
        "scores:FILE[,better=higher|lower]",
        "file of scores, one line per candidate: contrastive",
        "referee.models.files:open_scores",
    ),
    ModelKind(
        "translations",
        "translations:FILE",
        "file of translations, one line per item: generative",
        "referee.models.files:open_translations",
    ),
)


def model_kinds() -> dict[str, ModelKind]:
    """All kinds by name."""
    return named((*KINDS, *plugins("referee.models", ModelKind)))
