"""Judges that are files: every line counts, and is checked before any is used."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from referee.errors import InputError, MissingError, UnknownNameError, UsageError
from referee.models import open_model
from referee.models.files import ScoreFile, TranslationFile


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_scores_are_numbers(tmp_path: Path) -> None:
    path = written(tmp_path / "x", "10.2\n9.1\n-3\n 4 \n1e-5\n+.5\n0.1")
    assert list(ScoreFile(path).scores(7)) == [10.2, 9.1, -3.0, 4.0, 1e-5, 0.5, 0.1]


@pytest.mark.parametrize(
    ("text", "wanted", "message"),
    [
        (
            "1\n2\n",
            3,
            r"x: expected 3 scores, one per candidate, but found 2\. Write one score per line, in item order\.$",
        ),
        ("1\n2\n3\n", 2, r"x: expected 2 scores, one per candidate, but found 3"),
        ("1\nbad\n", 2, r"x:2: 'bad' is not a number. Write one score per line\."),
        ("1\nbad\n", 9, r"x:2: 'bad' is not a number"),  # the fault comes before the count
        ("1,5\n", 1, r"x:1: '1,5' is not a number"),
        ("1\n\n2\n", 2, r"x:2: is blank"),
        ("1\n \n2\n", 2, r"x:2: is blank"),
        ("-Infinity\n", 1, r"x:1: '-Infinity' is not a finite number"),
        ("1e999\n", 1, r"x:1: '1e999' is not a finite number"),
    ],
)
def test_bad_scores_are_refused_before_the_first_is_used(text: str, wanted: int, message: str, tmp_path: Path) -> None:
    model = ScoreFile(written(tmp_path / "x", text))
    with pytest.raises(InputError, match=message):
        model.scores(wanted)


def test_a_long_bad_line_is_shown_in_part(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        ScoreFile(written(tmp_path / "x", "word " * 99)).scores(1)
    assert len(raised.value.problem) < 80


def test_outputs_are_lines(tmp_path: Path) -> None:
    lines = ["Er kam.", "", " Sie\u2028ging. ", "zwei\x0bWorte"]
    path = written(tmp_path / "x", "\n".join(lines) + "\n")
    assert list(TranslationFile(path).outputs(4)) == lines


@pytest.mark.parametrize("wanted", [1, 3])
def test_another_number_of_outputs_is_refused_at_once(wanted: int, tmp_path: Path) -> None:
    model = TranslationFile(written(tmp_path / "x", "a\nb\n"))
    with pytest.raises(InputError, match=f"expected {wanted} translations, one per item, but found 2"):
        model.outputs(wanted)


def test_a_fault_in_the_last_output_is_seen_at_once(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a\n\xff\n")
    with pytest.raises(InputError, match=r"x:2: is not valid UTF-8"):
        TranslationFile(tmp_path / "x").outputs(2)


def test_opening(tmp_path: Path) -> None:
    path = written(tmp_path / "x", "1\n")
    assert open_model(f"scores:{path}") == ScoreFile(path, "higher")
    assert open_model(f"scores:{path},better=higher") == ScoreFile(path, "higher")
    assert open_model(f"scores:{path},better=lower") == ScoreFile(path, "lower")
    assert open_model(f"translations:{path}") == TranslationFile(path)


def test_packed_files_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"1\n2\n"))
    for name in ("x", "x.gz"):
        model = open_model(f"scores:{tmp_path / name}")
        assert isinstance(model, ScoreFile)
        assert list(model.scores(2)) == [1.0, 2.0]
        assert model.identity().sha256 == hashlib.sha256(b"1\n2\n").hexdigest()


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    path = written(tmp_path / "x", "1\n")
    with pytest.raises(UsageError, match="Choose higher or lower"):
        open_model(f"scores:{path},better=best")
    with pytest.raises(UsageError, match="has no option 'lower'"):
        open_model(f"scores:{path},lower=yes")
    with pytest.raises(UsageError, match=r"has no option 'better'. Remove it"):
        open_model(f"translations:{path},better=lower")
    with pytest.raises(MissingError, match="does not exist"):
        open_model(f"translations:{tmp_path}/y")
    with pytest.raises(UnknownNameError, match=r"unknown model kind 'score' \(did you mean scores\?\). Choose one of"):
        open_model(f"score:{path}")


def test_a_model_is_identified_by_its_content(tmp_path: Path) -> None:
    one, same, other = (written(tmp_path / name, text) for name, text in (("a", "1\n"), ("b", "1\n"), ("c", "2\n")))
    assert (
        ScoreFile(one).identity().sha256 == ScoreFile(same).identity().sha256 == TranslationFile(one).identity().sha256
    )
    assert ScoreFile(one).identity().sha256 != ScoreFile(other).identity().sha256
