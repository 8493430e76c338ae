"""awesome-align (Dou and Neubig 2021): products of the vectors of layer 8 of an encoder, as shares in both directions.

The package has scripts only, so the method is computed here: two pieces are linked if each has more than a thousandth
of the other's shares, and two words if any of their pieces are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.annotate.align.foreign import forms
from referee.annotate.protocols import Links, SentencePair
from referee.errors import MissingError
from referee.logs import logger

LAYER, THRESHOLD = 8, 1e-3
_DEFAULT = "aneuraz/awesome-align-with-co"


@dataclass(frozen=True)
class AwesomeAligner:
    """An encoder and its tokenizer, both of transformers."""

    encoder: Any
    tokenizer: Any
    model: str
    version: str
    layer: int = LAYER

    @property
    def name(self) -> str:
        """The name it was opened by."""
        return f"awesome-align:{self.model}"

    def align(self, pairs: Sequence[SentencePair], source: str, target: str) -> list[Links]:  # noqa: ARG002 any language
        """Align the tokens of sentence pairs, each for itself."""
        links: list[Links] = []
        cut = 0
        for pair in pairs:
            sides = [self._pieces(forms(side)) for side in pair]
            cut += any(is_cut for _, _, is_cut in sides)
            links.append(self._links(*(side[:2] for side in sides)) if all(side[0] for side in sides) else ())
        if cut:
            logger.warning(
                "%s: %s pairs are longer than the encoder; their ends are not aligned", self.name, f"{cut:,}"
            )
        return links

    def _pieces(self, words: Sequence[str]) -> tuple[list[int], list[int], bool]:
        """Numbers of pieces, the word of each, and whether the end was cut off."""
        numbers: list[int] = []
        owners: list[int] = []
        unknown = self.tokenizer.unk_token_id
        for index, word in enumerate(words):
            pieces = self.tokenizer.convert_tokens_to_ids(self.tokenizer.tokenize(word)) or [unknown]
            numbers += pieces
            owners += [index] * len(pieces)
        # Two positions are for the tokens at both ends.
        most = self.encoder.config.max_position_embeddings - 2 - (self.encoder.config.model_type != "bert") * 2
        return numbers[:most], owners[:most], len(numbers) > most

    def _links(self, source: tuple[list[int], list[int]], target: tuple[list[int], list[int]]) -> Links:
        import torch

        with torch.no_grad():
            ours, theirs = (self._vectors(numbers) for numbers, _ in (source, target))
            products = ours @ theirs.T
            linked = (products.softmax(dim=1) > THRESHOLD) & (products.softmax(dim=0) > THRESHOLD)
        places = linked.nonzero().tolist()
        return tuple(sorted({(source[1][one], target[1][two]) for one, two in places}))

    def _vectors(self, numbers: list[int]) -> Any:  # noqa: ANN401 a tensor
        import torch

        row = [self.tokenizer.cls_token_id, *numbers, self.tokenizer.sep_token_id]
        states = self.encoder(torch.tensor([row]), output_hidden_states=True).hidden_states
        return states[self.layer][0, 1:-1]


def open_awesome(argument: str = "") -> AwesomeAligner:
    """Open the method with an encoder: a name or a folder of transformers, with weights as safetensors."""
    from importlib.metadata import version

    from transformers import AutoModel, AutoTokenizer

    model = argument or _DEFAULT
    try:
        # Neither code nor pickles of a checkpoint run.
        tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
        encoder = AutoModel.from_pretrained(model, trust_remote_code=False, use_safetensors=True).eval()
    except (OSError, ValueError) as error:
        problem = f"the encoder '{model}' cannot be opened ({str(error).splitlines()[0].rstrip('.')})"
        remedy = "download it first and save it as safetensors, then write awesome-align:FOLDER"
        raise MissingError(problem, remedy) from None
    layers = int(encoder.config.num_hidden_layers)
    if layers < LAYER:
        logger.warning("%s: the encoder has %s layers; the last one is used instead of layer %s", model, layers, LAYER)
    return AwesomeAligner(encoder, tokenizer, model, f"transformers {version('transformers')}", min(LAYER, layers))
