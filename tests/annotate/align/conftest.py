from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from referee.annotate.align.pocket import PocketAligner
from tests.support import small_aligner


@pytest.fixture(scope="module")
def aligner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PocketAligner]:
    """A small aligner, whose encoder is built in a cache of its own."""
    folder: Path = tmp_path_factory.mktemp("aligner")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(platformdirs, "user_cache_path", lambda _: folder / "cache")
        yield small_aligner.opened(folder)
