"""Saliences of stored runs: computed once, continued after a kill, extended by a larger limit, tied to their model."""

from __future__ import annotations

import gzip
import math
import random
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import sets
from referee.analysis.salience.record import METHOD, Salience
from referee.errors import RefereeError, RunError, UnknownNameError, UsageError
from referee.items import Candidate, Item, Span
from referee.runs import salience
from referee.runs.job import carry_out
from referee.runs.salience import check_explainable, read_about, read_salience
from referee.runs.store import read_info, write_info
from tests.conftest import Command
from tests.support import tiny_models as tiny
from tests.support.explainer import Explainer
from tests.support.items import item
from tests.support.jobs import explain, job

ANIMALS = ("cat", "dog", "mouse", "horse", "bird", "cow", "bear")
NAME = "salience-prediction-difference.jsonl.gz"


def items(count: int, start: int = 0) -> list[Item]:
    """Twins that differ in their last word, with context; every ninth has no right answer."""
    cases = []
    for number in range(start, start + count):
        animal, end = ANIMALS[number // 2 % 7], ("big", "small")[number % 2]
        cases.append(
            item(
                id=f"i{number}",
                group=f"g{number // 2}",
                source=f"The {animal} saw {'the old ' * (number // 2 % 3)}box because it was {end}.",
                source_context=("I bought a red cup.", f"The {animal} ran."),
                target_context=("Ich habe eine Tasse gekauft.", "Die Katze lief."),
                candidates=tuple(Candidate(f"Man sah die Kiste, weil {word} groß war.") for word in ("er", "sie")),
                gold=None if number % 9 == 8 else number % 2,
            )
        )
    return cases


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make("marian", tmp_path_factory.mktemp("model") / "marian")


@pytest.fixture
def judged(referee: Command, marian: Path, tmp_path: Path) -> Callable[..., Path]:
    """A run of the model on sets of some items."""

    def make(*counts: int, options: tuple[object, ...] = (), model: str = f"hf:{marian}", name: str = "run") -> Path:
        files = []
        for number, count in enumerate(counts):
            path = tmp_path / f"set{number}.jsonl"
            sets.save(items(count, 100 * number), path)
            files.append(path)
        outcome = referee("eval", model, *files, "--out", tmp_path / name, "--no-cache", *options)
        assert outcome.code == 0, outcome.err
        return tmp_path / name

    return make


def words(folder: Path, record: Salience) -> list[str]:
    (explained,) = [entry for entry in sets.unchecked(folder / "items.jsonl.gz") if entry.id == record.item]
    texts = {("source", 0): explained.source} | {
        ("source_context", n): text for n, text in enumerate(explained.source_context)
    }
    return [texts[weight.field, weight.index][weight.start : weight.end] for weight in record.weights]


def test_every_word_of_every_item(judged: Callable[..., Path]) -> None:
    folder = judged(20)
    path = explain(folder)
    assert path == folder / NAME
    saliences = read_salience(folder)
    assert [salience.item for salience in saliences] == [f"i{number}" for number in range(20) if number % 9 != 8]
    assert words(folder, saliences[0]) == ["The", "cat", "saw", "box", "because", "it", "was", "big", "."]
    assert [weight.trigger for weight in saliences[0].weights] == [False] * 7 + [True, False]
    assert [weight.compared for weight in saliences[0].weights] == [True] * 8 + [False]
    assert (saliences[0].target, saliences[0].group) == ("er", "g0")
    assert 0 < saliences[0].probability < 1
    about = read_about(folder)
    assert about is not None
    assert (about.explained, about.left_out) == (18, {"no correct candidate": 2})
    assert list(about.looked_at.values()) == [20]
    assert about.model_sha256 == read_info(folder).inputs.model_sha256
    assert not list(folder.glob("*.parts")), "nothing is left once all is done"


def test_what_was_read_when_judging_is_read_again(judged: Callable[..., Path], marian: Path) -> None:
    plain, context = judged(4), judged(4, options=("--context", 1, "--separator", " | "), name="context")
    for folder in (plain, context):
        explain(folder)
    without, with_ = read_salience(plain)[0], read_salience(context)[0]
    assert {(weight.field, weight.index) for weight in without.weights} == {("source", 0)}
    assert {(weight.field, weight.index) for weight in with_.weights} == {("source_context", 1), ("source", 0)}
    assert words(context, with_)[:4] == ["The", "cat", "ran", "."]
    assert without.probability != with_.probability
    # The probability is that of the judged pair: the same prefix, the same context.
    from referee.models import open_model
    from referee.protocols import ScorePair

    model: Any = open_model(f"hf:{marian}")
    pair = ScorePair(
        "The cat ran. | The cat saw box because it was big.",
        "Man sah die Kiste, weil er groß war.",
        "en",
        "de",
        "Die Katze lief. | ",
    )
    ((_, scores),) = model.score_pairs([pair])
    pieces = model.loaded.tokenizer(text_target=pair.target).input_ids
    position = model.loaded.tokenizer.convert_ids_to_tokens(pieces).index("▁er")
    assert with_.probability == pytest.approx(math.exp(scores.logprobs[position]), rel=1e-4)


def test_a_limit_takes_the_first_of_each_suite_and_can_be_raised(
    judged: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salience, "STRETCH", 4)
    once, steps = judged(14, 10), judged(14, 10, name="steps")
    explain(once)
    whole = (once / NAME).read_bytes()
    explain(steps, limit=6)
    first = read_salience(steps)
    numbers = [*range(6), *range(100, 106)]
    assert [record.item for record in first] == [f"i{n}" for n in numbers if n % 9 != 8]
    about = read_about(steps)
    assert about is not None
    assert list(about.looked_at.values()) == [6, 6]
    explain(steps, limit=3)
    assert read_salience(steps) == first, "what is there stays there"
    explain(steps, limit=11)
    assert len(read_salience(steps)) == 19
    explain(steps)
    assert (steps / NAME).read_bytes() == whole


def test_what_is_done_is_not_computed_again(judged: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = judged(6)
    explain(folder)
    monkeypatch.setattr(salience, "open_model", lambda _: pytest.fail("the model was opened"))
    assert explain(folder) == folder / NAME
    assert explain(folder, limit=100) == folder / NAME


def test_a_killed_computation_goes_on(judged: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(salience, "STRETCH", 4)
    once, killed = judged(14), judged(14, name="killed")
    explain(once)
    parts = killed / "salience-prediction-difference.parts"
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done >= 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explain(killed, progress=stop)
    assert not (killed / NAME).exists()
    kept = sorted(parts.iterdir())
    assert len(kept) == 2
    assert seen == sorted(seen)
    # A part that was damaged is computed again, one that is whole is not.
    kept[0].write_bytes(kept[0].read_bytes()[:-3])
    before = kept[1].stat().st_mtime_ns
    ticks: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        explain(killed, progress=lambda done, _: ticks.append(done) if done < 13 else stop(done, 14))
    assert kept[1].stat().st_mtime_ns == before
    explain(killed)
    assert (killed / NAME).read_bytes() == (once / NAME).read_bytes()


def test_batches_decide_nothing(judged: Callable[..., Path]) -> None:
    one, other = judged(10), judged(10, name="other")
    explain(one, tokens=1)
    explain(other, tokens=100_000)
    for a, b in zip(read_salience(one), read_salience(other), strict=True):
        assert a.probability == pytest.approx(b.probability, abs=1e-5)
        assert [weight.value for weight in a.weights] == pytest.approx([weight.value for weight in b.weights], abs=1e-5)


def test_a_model_that_has_changed_is_refused(judged: Callable[..., Path], marian: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(marian, copy)
    folder = judged(4, model=f"hf:{copy}")
    tiny.make("marian", copy, seed=3)
    with pytest.raises(
        RunError, match=r"differs from the model of this run, since its files have changed. Restore that"
    ):
        explain(folder)
    assert read_salience(folder) == []


def test_saliences_of_another_model_are_refused(judged: Callable[..., Path]) -> None:
    folder = judged(4)
    explain(folder)
    info = read_info(folder)
    write_info(
        folder, msgspec.structs.replace(info, inputs=msgspec.structs.replace(info.inputs, model_sha256="0" * 64))
    )
    with pytest.raises(RunError, match=r"contains the salience of another model. Delete the file"):
        explain(folder)


def test_a_masked_model_explains_gaps(referee: Command, tmp_path: Path) -> None:
    model = tiny.make("xlmr", tmp_path / "xlmr")
    candidates = (Candidate("cup"), Candidate("box"))
    fill: dict[str, Any] = {"task": "fill", "target_lang": "en", "candidates": candidates, "group": "g"}
    source = "The cup is not in the box because the _ is too {}."
    gaps = [
        item(id="1", source=source.format("big"), gold=0, **fill),
        item(id="2", source=source.format("small"), gold=1, **fill),
        item(id="3", task="choose", source="It fell.", candidates=candidates, gold=0, target_lang="en"),
    ]
    sets.save(gaps, tmp_path / "fill.jsonl")
    outcome = referee("eval", f"mlm:{model}", tmp_path / "fill.jsonl", "--out", tmp_path / "run", "--no-cache")
    assert outcome.code == 0, outcome.err
    explain(tmp_path / "run")
    saliences = read_salience(tmp_path / "run")
    assert [(salience.item, salience.target) for salience in saliences] == [("1", "cup"), ("2", "box")]
    assert "_" not in words(tmp_path / "run", saliences[0])
    assert [
        word
        for word, weight in zip(words(tmp_path / "run", saliences[0]), saliences[0].weights, strict=True)
        if weight.trigger
    ] == ["big"]
    about = read_about(tmp_path / "run")
    assert about is not None
    assert about.left_out == {"another task": 1}


def test_pocket_is_explained_by_its_transformers_form(judged: Callable[..., Path]) -> None:
    pytest.importorskip("ctranslate2")
    folder = judged(2, model="pocket")
    explain(folder)
    assert len(read_salience(folder)) == 2
    about = read_about(folder)
    assert about is not None
    assert about.model == "pocket"


def test_too_long_items_are_counted(referee: Command, marian: Path, tmp_path: Path) -> None:
    long = item(id="long", source="The cat saw the box. " * 20)
    sets.save([*items(2), long], tmp_path / "set.jsonl")
    options = ("--too-long", "drop", "--no-cache", "--out", tmp_path / "run")
    assert referee("eval", f"hf:{marian}", tmp_path / "set.jsonl", *options).code == 0
    explain(tmp_path / "run")
    about = read_about(tmp_path / "run")
    assert about is not None
    assert about.left_out == {"too long": 1}


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("ct2:folder", r"a 'ct2:' model does not support salience. Evaluate the items with the original checkpoint"),
        ("api:http://x,model=y", r"a 'api:' model does not support salience. Evaluate the items with an hf:, mlm: or"),
        ("scores:file", r"a 'scores:' model does not support salience"),
        ("translations:file", r"a 'translations:' model does not support salience"),
        ("command:program", r"a 'command:' model does not support salience"),
        ("lab.translate", r"'lab.translate' does not support salience"),
        ("causal:gpt2", r"a 'causal:' model has no salience, which is defined for translations \(hf:, pocket\)"),
    ],
)
def test_models_that_cannot_be_looked_into(referee: Command, tmp_path: Path, model: str, message: str) -> None:
    sets.save([item()], tmp_path / "set.jsonl")
    (tmp_path / "scores").write_text("1\n2\n3\n")
    assert referee("eval", f"scores:{tmp_path / 'scores'}", tmp_path / "set.jsonl", "--out", tmp_path / "run").code == 0
    info = read_info(tmp_path / "run")
    write_info(
        tmp_path / "run", msgspec.structs.replace(info, inputs=msgspec.structs.replace(info.inputs, model=model))
    )
    with pytest.raises(UsageError, match=message):
        explain(tmp_path / "run")


@pytest.mark.parametrize("model", ["hf:x/y,beam=4", "mlm:x", "pocket", "pocket,compute_type=float32,beam=4"])
def test_which_models_explain(judged: Callable[..., Path], model: str) -> None:
    info = read_info(judged(1))
    check_explainable(msgspec.structs.replace(info, inputs=msgspec.structs.replace(info.inputs, model=model)))


@pytest.mark.parametrize("method", ["saliency", "inseq:", "inseq:../x", "prediction"])
def test_unknown_methods(judged: Callable[..., Path], method: str) -> None:
    with pytest.raises(UsageError, match=r"is not a method of salience. Choose prediction-difference, or inseq:NAME"):
        explain(judged(1), method=method)


def test_unknown_methods_of_inseq(judged: Callable[..., Path]) -> None:
    with pytest.raises(UnknownNameError, match="did you mean saliency"):
        explain(judged(1), method="inseq:salience")


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"tokens": 0}, {"limit": -1}])
def test_wrong_numbers(judged: Callable[..., Path], wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="Use a positive whole number"):
        explain(judged(1), **wrong)


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match="is not a run folder"):
        explain(tmp_path)
    assert read_salience(tmp_path) == []
    assert read_about(tmp_path) is None


def test_a_damaged_file_says_where(judged: Callable[..., Path]) -> None:
    folder = judged(2)
    explain(folder)
    with gzip.open(folder / NAME, "ab") as file:
        file.write(b"{}\n")
    words = rf"line 4 of '{NAME}' cannot be read .*. Run `referee diagnose .* --salience` again to repair it\."
    with pytest.raises(RunError, match=words):
        read_salience(folder)


@pytest.mark.parametrize("fault", ["cut", "flipped", "empty"])
def test_a_damaged_file_is_computed_again(fault: str, judged: Callable[..., Path]) -> None:
    folder = judged(2)
    whole = explain(folder).read_bytes()
    half = len(whole) // 2
    flipped = whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :]
    (folder / NAME).write_bytes({"cut": whole[:half], "flipped": flipped, "empty": b""}[fault])
    with pytest.raises(RunError, match="again to repair it"):
        read_salience(folder)
    assert explain(folder).read_bytes() == whole


def test_prediction_difference_comes_first(judged: Callable[..., Path]) -> None:
    folder = judged(2)
    path = explain(folder)
    shutil.copy(path, folder / "salience-inseq-attention.jsonl.gz")
    assert read_salience(folder) == read_salience(folder, METHOD)
    path.unlink()
    assert len(read_salience(folder)) == 2
    assert read_salience(folder, METHOD) == []
    assert len(read_salience(folder, "inseq:attention")) == 2


def test_the_same_bytes_each_time(judged: Callable[..., Path]) -> None:
    one, other = judged(6), judged(6, name="other")
    explain(one)
    explain(other)
    assert (one / NAME).read_bytes() == (other / NAME).read_bytes()


def test_triggers_by_span(referee: Command, marian: Path, tmp_path: Path) -> None:
    marked = item(source="The cat was too full.", spans=(Span("trigger", "source", 16, 20),))
    sets.save([marked], tmp_path / "set.jsonl")
    assert referee("eval", f"hf:{marian}", tmp_path / "set.jsonl", "--out", tmp_path / "run", "--no-cache").code == 0
    explain(tmp_path / "run")
    (record,) = read_salience(tmp_path / "run")
    assert [weight.trigger for weight in record.weights] == [False, False, False, False, True, False]


@pytest.mark.filterwarnings("ignore")  # those of inseq and captum
def test_methods_of_inseq_have_a_file_of_their_own(judged: Callable[..., Path]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("inseq")
    folder = judged(4)
    path = explain(folder, method="inseq:attention")
    assert path == folder / "salience-inseq-attention.jsonl.gz"
    saliences = read_salience(folder)
    assert len(saliences) == 4
    about = read_about(folder)
    assert about is not None
    assert about.method == "inseq:attention"
    explain(folder)
    assert read_salience(folder) != saliences
    assert read_salience(folder, "inseq:attention") == saliences


@pytest.mark.slow
def test_a_process_that_is_killed_at_any_moment_loses_nothing(judged: Callable[..., Path]) -> None:
    once, killed = judged(300), judged(300, name="killed")
    explain(once)
    command = "from pathlib import Path; from tests.support.jobs import explain; explain(Path({!r}))"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", command.format(str(once))], check=True)
    idle = time.perf_counter() - began  # imports, and finding that all is done
    draw = random.Random(5)
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", command.format(str(killed))]) as process:
            time.sleep(idle + draw.uniform(0, 2))
            process.kill()
        if (killed / NAME).exists():
            break
    explain(killed)
    assert (killed / NAME).read_bytes() == (once / NAME).read_bytes()
    assert not list(killed.glob("*.parts"))


# --- stretches, with a model that answers at once


@pytest.fixture
def explainer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explainer:
    """The model of a run on sets of 10 and 3 items in `tmp_path / "quick"`, explained two by two."""
    model = Explainer()
    monkeypatch.setattr(salience, "STRETCH", 2)
    monkeypatch.setattr(salience, "open_model", lambda _: model)
    challenges = [sets.of_items("ten", items(10)), sets.of_items("three", items(3, 100))]
    carry_out(job("pocket", model, challenges), tmp_path / "quick")
    return model


def asked(model: Explainer) -> list[list[str]]:
    """The items of each call since the last look, by their ids."""
    ids = {entry.source: entry.id for entry in [*items(10), *items(3, 100)]}
    calls = [[ids[source] for source in sources] for sources, _, _ in model.asked]
    model.asked.clear()
    return calls


def test_stretches_end_with_their_set(explainer: Explainer, tmp_path: Path) -> None:
    ticks: list[tuple[int, int | None]] = []
    explain(tmp_path / "quick", progress=lambda done, total: ticks.append((done, total)))
    assert [len(sources) for sources, _, _ in explainer.asked] == [2, 2, 2, 2, 1, 2, 1]
    done = [1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 10, 10, 11, 12, 12, 13, 13]
    assert ticks == [(count, 13) for count in done], "i8, which has no right answer, counts at once"
    records = read_salience(tmp_path / "quick")
    expected = [("ten", f"i{number}") for number in (*range(8), 9)]
    expected += [("three", f"i{number}") for number in range(100, 103)]
    assert [(record.suite, record.item) for record in records] == expected
    texts = [words(tmp_path / "quick", record) for record in records]
    triggers = [
        [text for text, weight in zip(of_record, record.weights, strict=True) if weight.trigger]
        for of_record, record in zip(texts, records, strict=True)
    ]
    assert triggers == [["big"], ["small"]] * 4 + [[], ["big"], ["small"], []], "i9 and i102 have no twin"
    about = read_about(tmp_path / "quick")
    assert about is not None
    assert (about.schema, about.method, about.model, about.model_sha256) == (1, METHOD, "pocket", "e" * 64)
    assert (about.looked_at, about.explained) == ({"ten": 10, "three": 3}, 12)
    assert about.left_out == {"no correct candidate": 1}
    assert not list((tmp_path / "quick").glob("*.parts"))


def test_stretches_are_kept_while_a_limit_leaves_some(explainer: Explainer, tmp_path: Path) -> None:
    folder = tmp_path / "quick"
    explain(folder, limit=3)
    assert asked(explainer) == [["i0", "i1"], ["i2"], ["i100", "i101"], ["i102"]]
    parts = folder / "salience-prediction-difference.parts"
    names = ["0000-00000000-0002", "0000-00000002-0001", "0001-00000000-0002", "0001-00000002-0001"]
    assert sorted(path.name for path in parts.iterdir()) == names
    assert [record.item for record in read_salience(folder)] == ["i0", "i1", "i2", "i100", "i101", "i102"]
    ticks: list[int] = []
    explain(folder, limit=10, progress=lambda done, total: ticks.append(done))
    assert asked(explainer) == [["i2", "i3"], ["i4", "i5"], ["i6", "i7"], ["i9"]]
    assert ticks == [2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 10, 10, 12, 13]
    assert not parts.exists(), "a limit that leaves nothing out is as good as none"
    assert len(read_salience(folder)) == 12
    explain(folder)
    assert asked(explainer) == []


def test_a_twin_behind_the_limit_marks_the_trigger(explainer: Explainer, tmp_path: Path) -> None:
    explain(tmp_path / "quick", limit=1)
    record = read_salience(tmp_path / "quick")[0]
    assert record.item == "i0"
    assert [weight.trigger for weight in record.weights] == [False] * 7 + [True, False]
    assert [weight.value for weight in record.weights] == [3.0, 3.0, 3.0, 3.0, 7.0, 2.0, 3.0, 3.0, 1.0]


def test_method_and_tokens_reach_the_model(explainer: Explainer, tmp_path: Path) -> None:
    path = explain(tmp_path / "quick", method="inseq:attention", tokens=7, limit=1)
    assert path.name == "salience-inseq-attention.jsonl.gz"
    assert [(method, tokens) for _, method, tokens in explainer.asked] == [("inseq:attention", 7)] * 2
    about = read_about(tmp_path / "quick", "inseq:attention")
    assert about is not None
    assert about.method == "inseq:attention"
    assert read_about(tmp_path / "quick", METHOD) is None


def test_a_damaged_header_is_the_first_line(tmp_path: Path) -> None:
    with gzip.open(tmp_path / NAME, "wb") as file:
        file.write(b"{}\n")
    for read in (read_salience, read_about):
        with pytest.raises(RunError, match=rf"line 1 of '{NAME}' cannot be read"):
            read(tmp_path)
