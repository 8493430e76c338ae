from __future__ import annotations

from pathlib import Path

import msgspec
import platformdirs
import pytest

pytest.importorskip("torch")
pytest.importorskip("ctranslate2")

from referee.annotate.align.pocket import open_model
from referee.annotate.align.tables import packed
from referee.pocket import store
from referee.pocket.store import ALIGNER, ENCODER
from referee.train.recipes.aligner import make
from referee.train.recipes.aligner.tables import Example, Learned
from tests.support import small_encoder
from tests.support.small_aligner import pair, table
from tests.train.recipes.aligner.test_weighing import gold


def test_the_command_makes_an_aligner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")
    monkeypatch.setattr(make, "LANGUAGES", ("de",))
    monkeypatch.setattr(make, "GOLD", "de")
    encoder = small_encoder.stored(tmp_path)
    examples = [Example(pair("The dog sleeps", "Das Hund schläft"), ((0, 0), (1, 1), (2, 2)))] * 4
    kept = Learned(4, packed(table()).tobytes(), examples)
    (tmp_path / "de.msgpack").write_bytes(msgspec.msgpack.encode(kept))
    (tmp_path / "alibi").mkdir()
    for name, lines in (
        ("en", [one.pair.source.text for one in gold(40, 1)]),
        ("fr", [one.pair.target.text for one in gold(40, 1)]),
        ("align", [" ".join(f"{j}-{i}" for i, j in sorted(one.sure)) for one in gold(40, 1)]),
    ):
        rows = "".join(f"{number}\t{line}\n" for number, line in enumerate(lines))
        (tmp_path / "alibi" / f"Story.{name}.txt").write_text(rows, encoding="utf-8")
    paths = [tmp_path / "text", tmp_path / "alibi", "--encoder", tmp_path / ENCODER.file]
    monkeypatch.setattr(
        "sys.argv", ["make", *map(str, paths), "--state", str(tmp_path), "--out", str(tmp_path / "out")]
    )
    make.main()
    model = store.read(tmp_path / "out" / ALIGNER.file, ALIGNER, store.checksums(tmp_path / "out")[ALIGNER.file])
    links = open_model(model, encoder).align([pair("the dog sees house", "hund das haus sieht")], "en", "de")
    assert links == [((0, 1), (1, 0), (2, 3), (3, 2))]
    assert model.about["layer"] == 2
