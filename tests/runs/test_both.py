"""Runs of more than one result a set: attacks beside what they change, scores beside translations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from referee import verdicts
from referee.analysis.accuracy import Findings
from referee.errors import UsageError
from referee.io.parts import Parts
from referee.protocols import Answers, Identity, ScorePair
from referee.runs import store as runs
from referee.runs.job import Job, carry_out
from referee.runs.store import read_findings, read_info
from referee.scoring.options import How, ScoringOptions
from referee.sets import ItemSet
from tests.support.habits import Habit, attacked, base
from tests.support.jobs import job


def request(*challenges: ItemSet, how: How = "auto") -> Job:
    return job("x:y", Habit(), challenges, scoring=ScoringOptions(how=how))


def kinds(findings: Sequence[Findings]) -> list[tuple[str, str]]:
    return [(entry.suite, entry.kind) for entry in findings]


def test_attacks_stand_with_what_they_change(tmp_path: Path) -> None:
    findings = carry_out(request(base(), attacked("p", 0, 1, 0), attacked("q", 1, 1)), tmp_path / "run").findings
    assert [entry.suite for entry in findings] == ["s", "s+p", "s+q"]
    assert [entry.attacks is None for entry in findings] == [False, True, True]
    assert read_findings(tmp_path / "run") == findings
    attacks = findings[0].attacks
    assert attacks is not None
    p, q = attacks.drops
    assert (p.perturbation, p.pairs, p.before, p.after) == ("p", 3, 2 / 3, 2 / 3)
    assert (p.broken, p.gained) == (1, 1)
    assert (q.pairs, q.before, q.after, q.difference) == (2, 1.0, 0.0, -1.0)
    assert attacks.consistent is not None
    assert (attacks.items, attacks.consistent.count) == (3, 0)


def test_without_attacks_there_are_none() -> None:
    (entry,) = carry_out(request(base())).findings
    assert (entry.attacks, entry.agreement) == (None, None)


def test_both_ways_of_judging(tmp_path: Path) -> None:
    result = carry_out(request(base(), how="both"), tmp_path / "run")
    assert kinds(result.findings) == [("s", "contrastive"), ("s", "generative")]
    scored, translated = result.findings
    assert scored.overall is not None
    assert translated.overall is not None
    assert (scored.overall.correct, translated.overall.correct) == (3, 3)
    assert scored.agreement is None
    agreement = translated.agreement
    assert agreement is not None
    assert (agreement.items, agreement.same.count) == (4, 2)
    assert (agreement.both_right, agreement.only_scores, agreement.only_translations, agreement.both_wrong) == (
        2,
        1,
        1,
        0,
    )
    stored = [
        (suite, verdict.item, verdict.kind) for suite, verdict in verdicts.read(tmp_path / "run/verdicts.parquet")
    ]
    assert stored == [("s", f"i{number}", kind) for kind in ("contrastive", "generative") for number in range(4)]
    counts = read_info(tmp_path / "run").counts
    assert counts is not None
    assert (counts.items, counts.judged) == (8, 8)


def test_both_ways_under_attack() -> None:
    """Each way has its own drop: by scores the attack breaks everything, translated it mends one."""
    findings = carry_out(request(base(), attacked("p", 1, 1, 1, 1), how="both")).findings
    assert kinds(findings) == [(suite, kind) for suite in ("s", "s+p") for kind in ("contrastive", "generative")]
    scored, translated = (entry.attacks for entry in findings[:2])
    assert scored is not None
    assert translated is not None
    assert (scored.drops[0].before, scored.drops[0].after) == (0.75, 0.0)
    assert (translated.drops[0].before, translated.drops[0].after) == (0.75, 1.0)


def test_an_interrupted_run_of_both_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK_OF_MODELS", 2)
    whole = request(base(), attacked("p", 0, 1, 0), how="both")
    carry_out(whole, tmp_path / "whole")
    real = Parts.write

    def stopping(self: Parts[object], name: str, chunk: object) -> None:
        real(self, name, chunk)
        if int(name) == 4:
            # In the middle of the translations of the first set.
            raise KeyboardInterrupt

    monkeypatch.setattr(Parts, "write", stopping)
    with pytest.raises(KeyboardInterrupt):
        carry_out(request(base(), attacked("p", 0, 1, 0), how="both"), tmp_path / "run")
    monkeypatch.setattr(Parts, "write", real)
    again = request(base(), attacked("p", 0, 1, 0), how="both")
    carry_out(again, tmp_path / "run")
    for name in ("verdicts.parquet", "findings.json"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert isinstance(again.model, Habit)
    # Two translations were left of the first set, then all of the second.
    assert again.model.calls == ["translate"] * 5
    reused = carry_out(request(base(), attacked("p", 0, 1, 0), how="both"), tmp_path / "run")
    assert reused.reused
    assert reused.findings == read_findings(tmp_path / "whole")


def test_a_model_that_can_do_one_only_is_refused(tmp_path: Path) -> None:
    class OnlyScores:
        def identity(self) -> Identity:
            return Identity("0" * 64)

        def score_pairs(self, pairs: Sequence[ScorePair]) -> Answers:
            return Habit().score_pairs(pairs)

    refused = job("x:y", OnlyScores(), [base()], scoring=ScoringOptions(how="both"))
    with pytest.raises(UsageError, match="cannot translate"):
        carry_out(refused, tmp_path / "run")
    assert not (tmp_path / "run").exists()
