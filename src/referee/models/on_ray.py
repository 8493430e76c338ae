"""One model on several GPUs or machines: every worker of a Ray cluster opens it and answers a share of the requests.

A score does not depend on what it is computed together with, so the verdicts are those of one process.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from referee import protocols
from referee.errors import MissingError, RefereeError, UsageError
from referee.protocols import Model

ABILITIES = ("score_pairs", "score_texts", "score_candidates", "fill_blanks", "translate", "choose")


class _Worker:
    """Lives in a process of its own, maybe on another machine."""

    def __init__(self, text: str) -> None:
        from referee.models import open_model

        self._model: Any = open_model(text)

    def describe(self) -> tuple[Any, list[str], int]:
        abilities = [name for name in (*ABILITIES, "refuses") if hasattr(self._model, name)]
        return self._model.identity(), abilities, protocols.together(self._model)

    def answer(self, ability: str, requests: Sequence[Any]) -> list[tuple[int, Any]]:
        return list(getattr(self._model, ability)(requests))

    def refuses(self, request: object) -> str:
        return str(self._model.refuses(request))


def distributed(text: str, workers: int) -> Model:
    """The model that a spec names, on `workers` workers; it has the abilities that the model has, no more."""
    if text.partition(":")[0] in ("scores", "translations"):
        raise UsageError("--workers has no effect on files of scores or translations", "remove --workers")
    if text.startswith("api:"):
        # Each worker would have a budget, a rate and a key of its own.
        raise UsageError("--workers has no effect on a server", "remove --workers, and raise parallel= instead")
    ray = _ray()
    gpus = 1 if _has_gpus(ray) else 0
    worker = ray.remote(num_cpus=1, num_gpus=gpus)(_Worker)
    crew = [worker.remote(text) for _ in range(workers)]
    try:
        descriptions = ray.get([member.describe.remote() for member in crew])
    except ray.exceptions.RayError as error:
        raise RefereeError(
            f"a worker cannot open '{text}' ({_last_line(error)})", "try it without --workers first"
        ) from None
    if len({identity.sha256 for identity, _, _ in descriptions}) > 1:
        problem = f"'{text}' differs between workers"
        raise RefereeError(problem, "put the same files on every machine of the cluster")
    identity, abilities, together = descriptions[0]
    methods: dict[str, Any] = {name: partial(_in_one_batch, ray, crew, name) for name in abilities if name != "refuses"}
    if "refuses" in abilities:
        methods["refuses"] = lambda request: ray.get(crew[0].refuses.remote(request))
    # Requests that stand alone are handed out in small lists, so that all workers are busy.
    return SimpleNamespace(
        name=text, identity=lambda: identity, together=together or 16, spread=partial(_spread, ray, crew), **methods
    )


def _in_one_batch(ray: Any, crew: list[Any], ability: str, requests: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    yield from ray.get(crew[0].answer.remote(ability, requests))


def _spread(
    ray: Any, crew: list[Any], ability: str, batches: list[list[Any]]
) -> Iterator[tuple[int, list[tuple[int, Any]]]]:
    """Hands out batches to the next free worker, and gives answers as they come."""
    waiting = list(enumerate(batches))[::-1]
    idle = list(crew)
    running: dict[Any, tuple[Any, int]] = {}
    while waiting or running:
        while waiting and idle:
            member, (number, batch) = idle.pop(), waiting.pop()
            running[member.answer.remote(ability, batch)] = (member, number)
        (ready, *_), _ = ray.wait(list(running))
        member, number = running.pop(ready)
        idle.append(member)
        yield number, ray.get(ready)


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingError(f"--workers needs Ray ({error})", "install it with `pip install 'referee[ray]'`") from None
    if not ray.is_initialized():
        # The driver's own arguments are not the workers' business; a running cluster is found by RAY_ADDRESS.
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR)
    return ray


def _has_gpus(ray: Any) -> bool:
    return bool(ray.cluster_resources().get("GPU"))


def _last_line(error: Exception) -> str:
    return str(error).strip().splitlines()[-1]
