"""One line from which a result can be repeated, long for the record and short for a table."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from referee import __version__
from referee.runs.store import Inputs
from referee.scoring.options import ScoringOptions
from referee.stats.intervals import RESAMPLES, SEED


@dataclass(frozen=True)
class Signature:
    """All that a result depends on: `suites` with their content, `model`, `settings`, the statistics, the version.

    >>> print(Signature(("kitchen#1a2b3c4d(500)",), "pocket#00ff00ff", {"context": "1", "how": "auto"}))
    kitchen#1a2b3c4d(500)|model:pocket#00ff00ff|context:1|how:auto|resamples:1000|seed:12345|version:0.1.0
    """

    suites: tuple[str, ...]
    model: str
    settings: dict[str, str]
    version: str = __version__

    @classmethod
    def of(cls, inputs: Inputs, sent: Sequence[str] = (), idle: Collection[str] = ()) -> Signature:
        """The signature of a run with these inputs; `sent` is what a service took in place of what was asked for.

        Settings that are `idle`, without an effect, are not in it.
        """
        suites = tuple(f"{suite.name}#{suite.sha256[:8]}({suite.items})" for suite in inputs.suites)
        model = f"{inputs.model.partition(':')[0]}#{inputs.model_sha256[:8]}"
        settings = {key: value for key, value in inputs.settings.items() if key not in idle}
        return cls(suites, model, {**settings, "sent": " then ".join(sent)} if sent else settings)

    @property
    def long(self) -> str:
        """Everything."""
        settings = "".join(f"|{key}:{value}" for key, value in sorted(self.settings.items()))
        statistics = f"|resamples:{RESAMPLES}|seed:{SEED}"
        return f"{'+'.join(self.suites)}|model:{self.model}{settings}{statistics}|version:{self.version}"

    @property
    def short(self) -> str:
        """Settings that differ from the defaults, by the first letters of their names."""
        defaults = ScoringOptions().settings()
        chosen = {key: value for key, value in sorted(self.settings.items()) if defaults.get(key) != value}
        settings = "".join(f"|{key[:3]}:{value}" for key, value in chosen.items())
        return f"{self._suites()}|m:{self.model}{settings}|v:{self.version}"

    def _suites(self) -> str:
        """One suite by its name, several by how many and a hash of all."""
        if len(self.suites) == 1:
            return self.suites[0]
        return f"{len(self.suites)} suites#{hashlib.sha256('+'.join(self.suites).encode()).hexdigest()[:8]}"

    def __str__(self) -> str:
        return self.long
