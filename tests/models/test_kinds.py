"""The table of kinds: every entry names a function that exists, and nothing heavy is imported before it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.errors import MissingError, UsageError
from referee.models import ModelKind, model_kinds, open_model
from referee.models.files import ScoreFile
from referee.models.kinds import KINDS
from referee.models.spec import parse
from referee.protocols import Explains


def test_names_are_the_keys_and_start_the_usage() -> None:
    kinds = model_kinds()
    for name, kind in kinds.items():
        assert kind.name == name
        assert kind.usage.startswith(name)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_wrong_options_reach_the_function_that_opens(kind: ModelKind, tmp_path: Path) -> None:
    if kind.name in ("hf", "mlm", "causal"):
        pytest.importorskip("torch")
    with pytest.raises((UsageError, MissingError)):
        open_model(f"{kind.name}:{tmp_path / 'nothing'},colour=red")


def test_kinds_that_explain_open_models_that_do() -> None:
    assert {kind.name for kind in KINDS if kind.explains} == {"pocket", "hf", "mlm"}
    assert isinstance(open_model("pocket"), Explains)


def test_a_missing_package_is_named() -> None:
    kind = ModelKind("x", "x:NAME", "nothing", "referee.models.no_such_module:open_x")
    with pytest.raises(MissingError, match=r"'x:' needs a package that is not installed .*pip install 'referee\[hf\]'"):
        kind.opened(parse("x:y"))


def test_a_function_may_stand_in_the_table(tmp_path: Path) -> None:
    kind = ModelKind("x", "x:NAME", "costs", lambda spec: ScoreFile(Path(spec.name), "lower"))
    assert kind.opened(parse(f"x:{tmp_path}")) == ScoreFile(tmp_path, "lower")


def test_the_table_imports_nothing_heavy() -> None:
    heavy = "{'torch', 'transformers', 'ctranslate2', 'httpx', 'numpy', 'pyarrow'}"
    script = f"import sys, referee.models\nreferee.models.model_kinds()\nprint(sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"
