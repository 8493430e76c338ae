"""`referee build templates` and `referee list templates`, as typed."""

from __future__ import annotations

from pathlib import Path

from referee.sets import load
from tests.conftest import Command
from tests.support.commands import answer


def test_templates_are_written_and_counted(tmp_path: Path, referee: Command) -> None:
    out = tmp_path / "items.jsonl"
    told = referee("build", "templates", "event", "pleonastic", "--lang", "fr", "--out", out)
    assert told.code == 0
    assert "French templates" in told.out
    assert "genders do not differ" in told.out
    items = list(load(out))
    assert f"{len(items):,} items written to {out}" in told.out
    assert {item.label for item in items} == {"event", "pleonastic"}
    assert {item.target_lang for item in items} == {"fr"}


def test_the_same_command_writes_the_same_bytes(tmp_path: Path, referee: Command) -> None:
    files = [tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.gz"]
    told = [answer(referee("build", "templates", "verb-prior", "--out", file, "--json")) for file in files]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert told[0]["sha256"] == told[1]["sha256"]
    assert told[0]["templates"]["verb-prior"] == {"items": told[0]["items"], "left_out": {}}


def test_the_published_sets_have_their_published_size(tmp_path: Path, referee: Command, shared_data: Path) -> None:
    out = tmp_path / "paper.jsonl"
    told = answer(referee("build", "templates", "--paper", "--data", shared_data, "--out", out, "--json"))
    assert {name: tally["items"] for name, tally in told["templates"].items()} == {
        "role-prior": 1_000,
        "position-prior": 1_656,
        "verb-prior": 700,
        "markable": 2_560,
        "verb-overlap": 2_240,
        "object-overlap": 5_376,
        "subject-overlap": 4_992,
        "object-verb-overlap": 5_376,
        "subject-verb-overlap": 4_992,
        "world-knowledge": 2_500,
        "event": 1_500,
        "pleonastic": 1_500,
        "gender": 4_114,
    }


def test_what_cannot_be_built_is_one_sentence(tmp_path: Path, referee: Command) -> None:
    out = tmp_path / "items.jsonl"
    for arguments, words in (
        (["--lang", "xx"], "unknown language 'xx'"),
        (["rol-prior"], "did you mean role-prior"),
        (["--lang", "fr", "--paper"], "French has no published templates"),
        (["verb-prior", "--paper", "--data", tmp_path], "trans_verb.json"),
    ):
        told = referee("build", "templates", *arguments, "--out", out)
        assert told.code == 1
        assert words in told.err
        assert told.err.count("\n") == 1
        assert not out.exists()
    assert referee("build", "templates", "--out", tmp_path / "items.txt").code == 1
    told = referee("build", "templates")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "--show" in told.err


def test_some_items_are_shown_to_be_read(tmp_path: Path, referee: Command) -> None:
    told = [referee("build", "templates", "gender", "--show", 3, "--seed", seed) for seed in (0, 0, 1)]
    assert [one.code for one in told] == [0, 0, 0]
    assert told[0].out == told[1].out != told[2].out
    blocks = told[0].out.split("\n\n")[:3]
    for block in blocks:
        number, english, german, *candidates = block.splitlines()
        assert number.startswith("de-gender-")
        assert english.startswith("  I saw a") and " It was " in english
        assert german.startswith("  -> Ich sah ein")
        assert [line[2:6] for line in candidates if line.startswith("  * ")] == [
            {"einen": "* Er", "eine": "* Si", "ein": "* Es"}[german.split()[3]]
        ]
        assert len(candidates) == 3
    assert "German templates" in told[0].out
    assert "sha256" not in told[0].out


def test_showing_does_not_change_what_is_written(tmp_path: Path, referee: Command) -> None:
    plain = answer(referee("build", "templates", "verb-prior", "--out", tmp_path / "a.jsonl", "--json"))
    shown = answer(referee("build", "templates", "verb-prior", "--out", tmp_path / "b.jsonl", "--show", 2, "--json"))
    assert shown["sha256"] == plain["sha256"]
    assert len({item["id"] for item in shown["shown"]}) == 2
    assert "shown" not in plain
    unwritten = answer(referee("build", "templates", "verb-prior", "--show", 2, "--json"))
    assert unwritten["shown"] == shown["shown"]
    assert unwritten["items"] == plain["items"]
    assert "file" not in unwritten


def test_a_template_is_a_suite(referee: Command, tmp_path: Path) -> None:
    out = tmp_path / "items.jsonl"
    count = answer(referee("build", "templates", "verb-prior", "--out", out, "--json"))["items"]
    scores = tmp_path / "scores"
    scores.write_text("3\n2\n1\n" * count)
    found = answer(referee("score", "templates/de/verb-prior", "--scores", scores, "--json"))["findings"][0]
    assert (found["suite"], found["without_gold"]) == ("templates/de/verb-prior", count)


def test_rare_nouns_are_named(tmp_path: Path, referee: Command) -> None:
    corpus, out = tmp_path / "train.fr", tmp_path / "items.jsonl"
    corpus.write_text("Une chaise tombe.\n" * 30 + "Un fauteuil.\n", encoding="utf-8")
    command = ("build", "templates", "gender", "--lang", "fr", "--corpus", corpus, "--out", out)
    told = referee(*command)
    assert told.code == 0
    assert "nouns occur less than 30 times in train.fr (31 lines): " in told.out
    assert "fauteuil (1)" in told.out
    assert {item.meta["words"]["noun"] for item in load(out)} == {"chair"}
    record = answer(referee(*command, "--min-count", "1", "--json"))["corpus"]
    assert (record["corpus"], record["min_count"], record["lines"]) == ("train.fr", 1, 31)
    assert {"english": "chair", "word": "chaise", "count": 30} not in record["rare"]
    assert len(record["rare"]) == record["nouns"] - 2
    refused = referee("build", "templates", "--lang", "fr", "--min-count", "3", "--out", out)
    assert (refused.code, "--min-count needs a corpus" in refused.err) == (2, True)
    # The corpus is an input: it is never replaced.
    refused = referee("build", "templates", "gender", "--lang", "fr", "--corpus", corpus, "--out", corpus, "--force")
    assert refused.code != 0
    assert corpus.read_text(encoding="utf-8").startswith("Une chaise")
