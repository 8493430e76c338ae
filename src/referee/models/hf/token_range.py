"""Tokens beyond the embeddings: a tokenizer that does not belong to its model is named before it is looked up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.errors import InputError


def check_tokens(model: Any, folder: Path) -> None:
    """Make the model refuse a token for which it has no embedding, wherever its tokens come from."""
    parts = [model]
    if model.config.is_encoder_decoder:
        parts += [model.get_encoder(), model.get_decoder()]
    tables = {id(table): table for table in map(_table, parts) if table is not None}
    for table in tables.values():
        table.register_forward_pre_hook(_checking(int(table.weight.shape[0]), folder))


def _table(part: Any) -> Any:
    """The embeddings of a model or of one of its sides; sides of FSMT have no function for it."""
    getter = getattr(part, "get_input_embeddings", None)
    return getter() if getter else getattr(part, "embed_tokens", None)


def _checking(size: int, folder: Path) -> Any:
    def check(_: Any, inputs: tuple[Any, ...]) -> None:
        if not inputs or inputs[0].numel() == 0:
            return
        largest = int(inputs[0].max())
        if largest >= size:
            problem = f"the tokenizer gives the token id {largest:,}, but the model has {size:,} embeddings"
            raise InputError(problem, "use the tokenizer that the model was trained with", folder)

    return check
