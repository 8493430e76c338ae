"""Every malformed file gets its own sentence with file, line and remedy, exit code 1, and loses nothing."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from referee import sets
from referee.sets import canonical
from tests.conftest import Command
from tests.support.items import item

GOOD = canonical(item(id="good", expected=("er",)))


def line(old: bytes, new: bytes) -> bytes:
    """A good first line, then one with a fault."""
    assert old in GOOD
    return GOOD + b"\n" + GOOD.replace(b'"good"', b'"bad"').replace(old, new) + b"\n"


WITH_SPAN = b'"gold":0', b'"gold":0,"spans":[{"role":"pronoun","field":"source","start":0,"end":99}]'

ITEM_FILES: dict[str, tuple[str, bytes, str]] = {
    "not json": ("x.jsonl", GOOD + b"\nhello\n", ":2: is not valid JSON"),
    "cut json": ("x.jsonl", GOOD + b"\n" + GOOD[:50], ":2: is not valid JSON (Input data was truncated)"),
    "a list": ("x.jsonl", b"[" + GOOD + b"]", ":1: expected object, got array"),
    "wrong type": ("x.jsonl", line(b'"It was hungry."', b"7"), ":2: field 'source': expected str, got int"),
    "wrong inner type": (
        "x.jsonl",
        line(b'"m"', b"1"),
        ":2: field 'candidates[0].features[...]': expected str, got int",
    ),
    "gold as text": ("x.jsonl", line(b'"gold":0', b'"gold":"0"'), ":2: field 'gold': expected int | null, got str"),
    "missing field": ("x.jsonl", line(b'"source":"It was hungry.",', b""), ":2: field 'source': is missing"),
    "unknown field": ("x.jsonl", line(b'"gold"', b'"golden"'), ":2: field 'golden': is not a known field"),
    "gold too large": (
        "x.jsonl",
        line(b'"gold":0', b'"gold":3'),
        ":2: field 'gold': 3 is out of range (expected 0 to 2)",
    ),
    "gold negative": ("x.jsonl", line(b'"gold":0', b'"gold":-1'), ":2: field 'gold': -1 is out of range"),
    "gold without candidates": (
        "x.jsonl",
        b'{"id":"a","task":"choose","source_lang":"en","target_lang":"en","source":"x","gold":0}',
        ":1: field 'gold': 0 is out of range (expected no gold without candidates)",
    ),
    "one candidate": (
        "x.jsonl",
        b'{"id":"a","task":"choose","source_lang":"en","target_lang":"en","source":"x","candidates":[{"text":"y"}]}',
        ":1: field 'candidates': has 1 candidate, expected none or at least 2",
    ),
    "repeated id": ("x.jsonl", GOOD + b"\n" + GOOD, ":2: field 'id': 'good' is already the id of line 1"),
    "empty id": ("x.jsonl", GOOD.replace(b'"good"', b'""'), ":1: field 'id': must not be empty"),
    "bad language": ("x.jsonl", line(b'"de"', b'"German"'), ":2: field 'target_lang': 'German' is not a language code"),
    "unknown task": ("x.jsonl", line(b'"translate"', b'"guess"'), ":2: field 'task': invalid enum value 'guess'"),
    "no gap": ("x.jsonl", line(b'"translate"', b'"fill"'), ":2: field 'source': has 0 gaps '_'"),
    "span outside": ("x.jsonl", line(*WITH_SPAN), ":2: field 'spans': pronoun at 0-99 lies outside source"),
    "empty form": ("x.jsonl", line(b'["er"]', b'[""]'), ":2: field 'expected': contains an empty form"),
    "mixed scripts": (
        "x.jsonl",
        line(b'["er"]', '["oн"]'.encode()),
        ":2: field 'expected': 'oн' mixes Latin and Cyrillic letters",
    ),
    "mixed pronoun": (
        "x.jsonl",
        line(b'{"gender":"m"}', '{"pronoun":"oна"}'.encode()),
        ":2: field 'candidates': 'oна' mixes Latin and Cyrillic letters",
    ),
    "newer schema": (
        "x.jsonl",
        line(b'"schema":2', b'"schema":3'),
        ":2: field 'schema': is not 2, the schema version that this referee reads. Create the file again",
    ),
    "older schema": (
        "x.jsonl",
        line(b'"schema":2', b'"schema":1'),
        'reads. Create the file again, or write "schema": 2 if it is older and has no perturbed items.',
    ),
    "no original": (
        "x.jsonl",
        line(b'"expected"', b'"origin":{"item":"","change":"x","kind":"attack"},"expected"'),
        ":2: field 'origin.item': must not be empty",
    ),
    "its own original": (
        "x.jsonl",
        line(b'"expected"', b'"origin":{"item":"bad","change":"x","kind":"attack"},"expected"'),
        ":2: field 'origin': 'bad' is the item itself",
    ),
    "unknown kind of change": (
        "x.jsonl",
        line(b'"expected"', b'"origin":{"item":"a","change":"x","kind":"odd"},"expected"'),
        ":2: field 'origin.kind': invalid enum value 'odd'. Choose attack, baseline or probe",
    ),
    "blank line": ("x.jsonl", GOOD + b"\n\n", ":2: is blank"),
    "byte-order mark": ("x.jsonl", b"\xef\xbb\xbf" + GOOD, ":1: starts with a byte-order mark"),
    "windows lines": ("x.jsonl", GOOD + b"\r\n", ":1: has Windows line endings (CRLF)"),
    "latin-1": ("x.jsonl", GOOD + b"\n" + line(b"hungry", b"hungr\xfc").splitlines()[1], ":2: is not valid UTF-8"),
    "lone surrogate": ("x.jsonl", line(b"hungry", b"\\ud800"), ":2: is not valid JSON"),
    "empty": ("x.jsonl", b"", ": is empty"),
    "cut gzip": ("x.jsonl.gz", gzip.compress(GOOD * 99)[:-9], ": is a damaged gzip file"),
    "not gzip": ("x.jsonl.gz", GOOD, ": is a damaged gzip file (Not a gzipped file"),
    "not parquet": ("x.parquet", GOOD, ": is not a Parquet file"),
    "unknown ending": ("x.csv", GOOD, "x.csv: '.csv' is not a format of item files"),
}


@pytest.mark.parametrize("fault", ITEM_FILES)
def test_items(fault: str, tmp_path: Path, referee: Command) -> None:
    name, content, message = ITEM_FILES[fault]
    path = tmp_path / name
    path.write_bytes(content)
    (tmp_path / "scores").write_text("1\n2\n3\n" * 2)
    outcome = referee("score", path, "--scores", tmp_path / "scores")
    assert message in outcome.err
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.count("\n") == 1
    assert ". " in outcome.err
    assert path.read_bytes() == content


def test_every_fault_has_a_message_of_its_own() -> None:
    messages = [message.partition(": ")[2] or message for _, _, message in ITEM_FILES.values()]
    assert len(messages) >= 30
    assert len(set(messages)) >= len(messages) - 2  # two ways to break JSON and two to break gzip read alike


SCORE_FILES: dict[str, tuple[bytes, str]] = {
    "fewer": (b"1\n2\n", ": expected 3 scores, one per candidate, but found 2"),
    "more": (b"1\n2\n3\n4\n", ": expected 3 scores, one per candidate, but found 4"),
    "infinite": (b"1\n2\n-inf\n", ":3: '-inf' is not a finite number"),
    "words": (b"1\n2\nbest\n", ":3: 'best' is not a number"),
    "two numbers": (b"1 2\n2\n3\n", ":1: '1 2' is not a number"),
    "blank": (b"1\n\n3\n", ":2: is blank"),
    "empty": (b"", ": is empty"),
    "windows lines": (b"1\r\n2\r\n3\r\n", ":1: has Windows line endings"),
    "byte-order mark": (b"\xef\xbb\xbf1\n2\n3\n", ":1: starts with a byte-order mark"),
}


@pytest.mark.parametrize("fault", SCORE_FILES)
def test_scores(fault: str, tmp_path: Path, referee: Command) -> None:
    content, message = SCORE_FILES[fault]
    sets.save([item()], tmp_path / "x.jsonl")
    (tmp_path / "scores").write_bytes(content)
    outcome = referee("eval", f"scores:{tmp_path}/scores", tmp_path / "x.jsonl", "--out", tmp_path / "run")
    assert f"scores{message}" in outcome.err
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert not (tmp_path / "run").exists()


TRANSLATION_FILES: dict[str, tuple[bytes, str]] = {
    "fewer": (b"Er war hungrig.\n", ": expected 2 translations, one per item, but found 1"),
    "more": (b"a\nb\nc\n", ": expected 2 translations, one per item, but found 3"),
    "windows lines": (b"a\r\nb\r\n", ":1: has Windows line endings"),
    "latin-1": (b"a\nb\xfc\n", ":2: is not valid UTF-8"),
    "empty": (b"", ": is empty"),
}


@pytest.mark.parametrize("fault", TRANSLATION_FILES)
def test_translations(fault: str, tmp_path: Path, referee: Command) -> None:
    content, message = TRANSLATION_FILES[fault]
    sets.save([item(id=name, expected=("er",)) for name in "ab"], tmp_path / "x.jsonl")
    (tmp_path / "out.de").write_bytes(content)
    outcome = referee("score", tmp_path / "x.jsonl", "--translations", tmp_path / "out.de")
    assert f"out.de{message}" in outcome.err
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)


def test_a_folder_instead_of_a_file(tmp_path: Path, referee: Command) -> None:
    (tmp_path / "x.jsonl").mkdir()
    assert (
        "x.jsonl: is a folder, not a file. Give the path of a file."
        in referee("stats", "dataset", tmp_path / "x.jsonl").err
    )
    sets.save([item()], tmp_path / "y.jsonl")
    outcome = referee("score", tmp_path / "y.jsonl", "--scores", tmp_path)
    assert (outcome.code, "is a folder" in outcome.err) == (1, True)


def test_a_file_that_is_not_there(tmp_path: Path, referee: Command) -> None:
    outcome = referee("score", tmp_path / "x.jsonl", "--scores", tmp_path / "scores")
    assert outcome.code == 1
    assert "does not exist. Check the path." in outcome.err


@contextmanager
def stranger() -> Iterator[None]:
    """Without the rights of root, who may read everything."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x.parquet"])
def test_no_permission(name: str, referee: Command) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / name
        sets.save([item()], path)
        # Everything the command needs is imported while we may still read it.
        assert referee("stats", "dataset", path).code == 0
        path.chmod(0)
        with stranger():
            outcome = referee("stats", "dataset", path)
    assert outcome.code == 1
    assert f"{name}: cannot be read (permission denied). Run `chmod u+r " in outcome.err


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": ["a"], "text": ["b"]}, "has the wrong columns"),
        ({}, "has the wrong columns"),
    ],
)
def test_a_foreign_parquet_file(columns: dict[str, list[str]], message: str, tmp_path: Path, referee: Command) -> None:
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    outcome = referee("stats", "dataset", tmp_path / "x.parquet")
    assert outcome.code == 1
    assert message in outcome.err


def test_a_parquet_row_is_held_to_the_same_rules(tmp_path: Path, referee: Command) -> None:
    path = tmp_path / "x.parquet"
    sets.save([item(id="a"), item(id="b")], path)
    table = pq.read_table(path)
    gold = pa.array([0, 9], pa.int32())
    pq.write_table(table.set_column(table.schema.get_field_index("gold"), "gold", gold), path)
    outcome = referee("stats", "dataset", path)
    assert "x.parquet, row 2: field 'gold': 9 is out of range (expected 0 to 2)" in outcome.err


def test_unknown_suites_are_answered_with_the_nearest(referee: Command) -> None:
    outcome = referee("stats", "dataset", "winogrande/dv")
    assert outcome.code == 1
    assert (
        "unknown suite 'winogrande/dv' (did you mean winogrande/dev" in outcome.err or "does not exist" in outcome.err
    )


def test_a_missing_suite_says_which_command_gets_it(tmp_path: Path, referee: Command) -> None:
    outcome = referee("stats", "dataset", "wsc", "--data", tmp_path)
    assert outcome.code == 1
    assert f"the suite 'wsc' is not in the data folder {tmp_path}" in outcome.err
    assert "Run `referee data get wsc`" in outcome.err


def test_a_file_with_too_few_scores(folder: Path, referee: Command) -> None:
    (folder / "two.txt").write_text("1\n2\n")
    outcome = referee("score", "x.jsonl", "--scores", "two.txt")
    assert outcome.code == 1
    assert outcome.err == (
        "error: two.txt: expected 12 scores, one per candidate, but found 2. Write one score per line, in item order.\n"
    )


def test_a_set_without_twins(folder: Path, referee: Command) -> None:
    sets.save([item(id=f"{name}-1") for name in ("cup", "jug", "mug")], folder / "three.jsonl")
    outcome = referee("build", "twins", "three.jsonl", "--out", "y.jsonl")
    assert outcome.code == 1
    assert outcome.err == (
        "error: three.jsonl: no twins found (3 items have no counterpart). "
        "Try another pairing rule: --by distance or --by order.\n"
    )


def test_a_mode_that_does_not_exist(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "scores:scores", "x.jsonl", "--how", "scores")
    assert outcome.code == 2
    assert outcome.err == (
        "error: --how: 'scores' is not a valid mode. Choose auto, contrastive, generative or both.\n"
    )


def test_a_folder_with_a_different_run(folder: Path, referee: Command) -> None:
    program = folder / "translate"
    program.write_text("#!/bin/sh\ncat\n")
    program.chmod(0o700)
    sets.save([item(source_context=("Before.",))], folder / "with-context.jsonl")
    arguments = ("eval", f"command:{program}", "with-context.jsonl", "--no-cache", "--out", "run1", "--context")
    assert referee(*arguments, 1).code == 0
    outcome = referee(*arguments, 0)
    assert outcome.code == 1
    assert outcome.err == (
        "error: run1: already contains a different run (context was 1, is now 0). "
        "Use another --out, or delete the folder.\n"
    )
