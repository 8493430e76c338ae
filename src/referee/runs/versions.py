"""The versions of packages that a run depends on."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

_ENGINES = ("torch", "transformers", "ctranslate2", "tokenizers", "sentencepiece")
_PACKAGES = ("referee", "msgspec", "numpy", "pyarrow", "sentence-splitter", "sentencex")


def package_versions() -> dict[str, str]:
    """Versions of the packages a result may depend on apart from the inputs: our libraries, and the engines in use."""
    engines = [name for name in _ENGINES if name in sys.modules]
    return {"python": platform.python_version()} | {name: version(name) for name in (*_PACKAGES, *engines)}
