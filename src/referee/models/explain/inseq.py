"""Salience by gradients or attention: methods of the package inseq, on our tokens.

For every token of the predicted word inseq gives each source token a score, as it does by default: of gradients the
length of their vector, of attention the mean over layers and heads, both as shares of all source tokens; of occlusion
the difference of probabilities. A word has the mean over its tokens and over those of the predicted word.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch

from referee.errors import MissingError
from referee.models.ct2.tokenizers import optional
from referee.models.explain.prediction_difference import (
    NOT_A_NUMBER,
    Job,
    in_translations,
    mean_of_tokens,
    pair_jobs,
)
from referee.models.hf.fsmt import is_fsmt
from referee.models.hf.seq2seq import Seq2Seq
from referee.models.hf.tokens import Tokens
from referee.protocols import ExplainRequest, Explanation
from referee.registry import lookup

METHODS = ("attention", "input_x_gradient", "integrated_gradients", "occlusion", "saliency")
"""The methods that are deterministic; our tests compare them with plain computations."""


def attribution(model: Seq2Seq, requests: Sequence[ExplainRequest], method: str) -> Iterator[tuple[int, Explanation]]:
    """Explains each request by a method of inseq, one after the other."""
    lookup("inseq method", method, dict.fromkeys(METHODS, method))
    wrapped = _wrapped(model, method)
    whole = dict(in_translations(model, [replace(request, words=()) for request in requests]))
    for job in pair_jobs(model, requests):
        if isinstance(job, Job):
            scores = _scores(wrapped, job)
            if refused := whole[job.number].refused or (NOT_A_NUMBER if any(map(math.isnan, scores)) else ""):
                yield job.number, Explanation(refused=refused)
                continue
            values = tuple(mean_of_tokens(word, scores.__getitem__) for word in job.words)
            yield job.number, Explanation(whole[job.number].probability, values)
        else:
            yield job[0], Explanation(refused=job[1])


def _wrapped(model: Seq2Seq, method: str) -> Any:
    if (inseq := optional("inseq")) is None:
        raise MissingError("the inseq methods need the package inseq", "install it with `pip install 'referee[inseq]'`")
    network = model.loaded.model
    # Only this implementation of attention gives its weights away.
    network.set_attn_implementation("eager")
    wrapped = inseq.load_model(network, method, tokenizer=model.loaded.tokenizer, device=model.loaded.device)

    def forward(batch: Any, use_embeddings: bool = True, **options: Any) -> Any:  # noqa: FBT001, FBT002 (as inseq calls it)
        return network(
            **({"inputs_embeds": batch.source_embeds} if use_embeddings else {"input_ids": batch.source_ids}),
            attention_mask=batch.source_mask,
            decoder_input_ids=batch.target_ids,
            decoder_attention_mask=batch.target_mask,
            **options,
        )

    # inseq hands the decoder embeddings that it has scaled, and Marian's decoder scales them once more.
    wrapped.get_forward_output = forward
    return _with_two_vocabularies(wrapped, network) if is_fsmt(network) else wrapped


def _with_two_vocabularies(wrapped: Any, network: Any) -> Any:
    """The same for FSMT: each side has embeddings of its own, which the network scales; its mask must be asked for."""
    encoder = network.get_encoder()
    tables = {False: encoder.embed_tokens, True: network.get_decoder().embed_tokens}

    def embed_ids(ids: Any, as_targets: bool = False) -> Any:  # noqa: FBT001, FBT002 (as inseq calls it)
        return tables[as_targets](ids)

    def forward(batch: Any, use_embeddings: bool = True, **options: Any) -> Any:  # noqa: FBT001, FBT002 (as inseq calls it)
        source = (None, batch.source_embeds) if use_embeddings else (batch.source_ids, None)
        attentions = bool(options.get("output_attentions"))
        encoded = encoder(source[0], batch.source_mask, source[1], output_attentions=attentions)
        return network(
            input_ids=batch.target_ids,
            attention_mask=batch.source_mask,
            encoder_outputs=encoded,
            decoder_input_ids=batch.target_ids,
            use_cache=False,
            **options,
        )

    wrapped.embed_ids = embed_ids
    wrapped.get_forward_output = forward
    return wrapped


def _scores(wrapped: Any, job: Job) -> list[float]:
    """One for each source token: the mean over the tokens of the predicted word."""
    first, last = job.positions[0], job.positions[-1]
    (attributed,) = wrapped.attribution_method.prepare_and_attribute(
        _encoded(wrapped, job.source),
        _encoded(wrapped, (*job.inputs, job.targets[-1])),
        # What goes into the decoder first is no label.
        attr_pos_start=first + 1,
        attr_pos_end=last + 2,
        show_progress=False,
        pretty_progress=False,
        # Of its own: methods write into the one that they share by default.
        attribution_args={},
    )
    scores = attributed.sequence_attributions[0].aggregate().source_attributions
    return [float(score) for score in scores[: len(job.source)].mean(dim=1).tolist()]


def _encoded(wrapped: Any, tokens: Tokens) -> Any:
    """Our tokens as inseq takes them, with the baseline that it would give them: unknown words, and the end."""
    ids = torch.tensor([tokens], device=wrapped.device)
    unknown = torch.full_like(ids, wrapped.tokenizer.unk_token_id)
    return optional("inseq.data").BatchEncoding(
        input_ids=ids,
        attention_mask=torch.ones_like(ids),
        input_tokens=[wrapped.tokenizer.convert_ids_to_tokens(list(tokens))],
        baseline_ids=torch.where(ids == wrapped.eos_token_id, ids, unknown),
    )
