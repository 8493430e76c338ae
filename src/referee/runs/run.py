"""A finished run: items, verdicts and findings in one object, the same in memory and on disk."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from referee.analysis.accuracy import Findings
from referee.analysis.salience.record import Salience
from referee.errors import RunError
from referee.runs import store
from referee.runs.frame import to_arrow, to_pandas, to_polars
from referee.runs.notebook import run_html
from referee.runs.salience import read_salience
from referee.runs.signature import Signature
from referee.runs.store import RunInfo
from referee.verdicts import Judged

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from referee.runs.diagnosis import Diagnosis


@dataclass(frozen=True)
class Run:
    """The result of `evaluate` and `score`, and the input of everything after them.

    `info` is what `run.json` holds, `findings` one entry per suite and mode. Items and verdicts are in `sets`; they are
    read from `folder` on first access. `reused`: the folder already had this run. `temporary`: it is
    deleted with this object; `save` copies it.
    """

    folder: Path
    info: RunInfo
    findings: Sequence[Findings]
    reused: bool = False
    temporary: bool = False

    @cached_property
    def sets(self) -> Sequence[Judged]:
        """Every set with its verdicts; a set that was evaluated in both modes is there twice, first by scores."""
        return store.read_sets(self.folder, self.info)

    @property
    def signature(self) -> Signature:
        """Everything that the result depends on, in one line: `.long` for the record, `.short` for a table."""
        sent = () if self.info.usage is None else self.info.usage.sent
        return Signature.of(self.info.inputs, sent, self.info.idle_settings)

    @property
    def model(self) -> str:
        """The model's name."""
        return self.info.inputs.model

    def salience(self, method: str | None = None) -> list[Salience]:
        """The word saliences that were computed for this run, by one method or by any; empty if none were."""
        return read_salience(self.folder, method)

    def diagnose(
        self,
        *,
        salience: bool = False,
        method: str | None = None,
        limit: int | None = None,
        coding: Mapping[str, Sequence[str]] | None = None,
    ) -> Diagnosis:
        """As `referee.diagnose`."""
        from referee.runs.diagnosis import diagnose

        return diagnose(self, salience=salience, method=method, limit=limit, coding=coding)

    def save(self, out: str | PathLike[str]) -> Run:
        """Copy the run into a new folder, where `referee diagnose`, `compare` and `report` find it."""
        folder = Path(out)
        if folder.exists() and any(folder.iterdir()):
            raise RunError("is not empty", "choose a new folder for the run", file=folder)
        try:
            shutil.copytree(self.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(store.LOCK))
        except OSError as error:
            reason = error.args[0][0][2] if isinstance(error, shutil.Error) else error.strerror
            raise RunError(f"cannot be written ({reason})", "choose another folder", file=folder) from None
        return Run(folder, self.info, self.findings)

    def to_arrow(self) -> pa.Table:
        """One row per verdict, with the fields of its item, as a `pyarrow.Table`."""
        return to_arrow(self.sets)

    def to_pandas(self) -> pd.DataFrame:
        """One row per verdict, with the fields of its item, as a `pandas.DataFrame`."""
        return to_pandas(self.sets)

    def to_polars(self) -> pl.DataFrame:
        """One row per verdict, with the fields of its item, as a `polars.DataFrame`."""
        return to_polars(self.sets)

    def _repr_html_(self) -> str:
        return run_html(self.model, self.findings, self.signature.short)


def read_run(path: str | PathLike[str]) -> Run:
    """Read a finished run with all its items and verdicts; scores of single tokens are left out.

    >>> import referee, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> items = list(referee.templates("de", "gender"))[:4]
    >>> run = referee.score(items, scores=[1.0, 0.0, 0.0] * 4, out=folder)
    >>> referee.read_run(folder).findings == list(run.findings)
    True
    """
    folder = Path(path)
    info = store.read_info(folder)
    if info.status != "done":
        raise RunError("the run is not finished", store.again(info), file=folder)
    store.check_files(folder, info)
    run = Run(folder, info, store.read_findings(folder))
    # Read at once, so that damage is found here and not in the middle of an analysis.
    _ = run.sets
    return run
