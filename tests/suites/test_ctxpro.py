from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.analysis.accuracy import Findings
from referee.analysis.written_forms import WrittenForms, written_form
from referee.io.files import read_bytes, text_lines
from referee.items import Item
from referee.models.files import TranslationFile
from referee.runs.job import carry_out
from referee.scoring.decision import matched
from referee.suites.ctxpro import EOS, SUITES
from referee.suites.suite import Suite, is_there
from tests.support.jobs import job
from tests.support.published import assert_names_its_command, in_both, marked, published_list, refusal, span_of

BY_NAME = {suite.name.removeprefix("ctxpro/"): suite for suite in SUITES}

# Lines of the manifest: the paper's sets, and the release's dev (devtest has as many).
PAPER = {
    "auxiliary/en-de": 3180,
    "auxiliary/en-es": 6960,
    "auxiliary/en-ru": 8667,
    "formality/en-de": 10800,
    "formality/en-es": 12786,
    "formality/en-ru": 10075,
    "gender/en-de": 13640,
    "gender/en-es": 10016,
    "gender/en-ru": 10305,
    "inflection/en-ru": 12000,
    "animacy/de-en": 9235,
    "animacy/es-en": 5545,
    "animacy/ru-en": 7090,
}
RELEASE = {
    "auxiliary/en-de": 615,
    "auxiliary/en-es": 1391,
    "auxiliary/en-ru": 1733,
    "formality/en-de": 9000,
    "formality/en-es": 10488,
    "formality/en-ru": 8015,
    "gender/en-de": 6327,
    "gender/en-es": 3501,
    "gender/en-ru": 6582,
    "inflection/en-ru": 6000,
    "animacy/de-en": 4246,
    "animacy/es-en": 2108,
    "animacy/ru-en": 4506,
}
SYNTHETIC = {
    "paper/auxiliary/en-de": 2,
    "paper/formality/en-de": 4,
    "paper/gender/en-de": 2,
    "paper/animacy/de-en": 1,
    "paper/inflection/en-pl": 1,
    "release/formality/en-es/dev": 2,
    "release/formality/en-ru/devtest": 2,
    "release/gender/en-es/dev": 2,
    "release/inflection/en-ru/dev": 1,
    "release/animacy/es-en/devtest": 1,
    "release/auxiliary/en-pt/test": 2,
    "release/inflection/en-pl/test": 2,
    "release/animacy/it-en/test": 1,
    "release/gender/en-fr/test": 1,
}
# Which of the synthetic files are not there, as of many published sets.
NO_RECORDS = {"paper/gender/en-de", "paper/animacy/de-en", "paper/inflection/en-pl", "release/gender/en-fr/test"}
NO_INPUTS = {"release/formality/en-es/dev", "release/animacy/it-en/test"}
COUNTS = {f"paper/{name}": count for name, count in PAPER.items()} | {
    f"release/{name}/{split}": count for name, count in RELEASE.items() for split in ("dev", "devtest")
}

# Table 6: how many of the items, and the accuracy as printed.
TABLE_6 = [
    ("auxiliary/en-de", "sentences", 249, 7.8),
    ("auxiliary/en-de", "contexts", 1272, 40.0),
    ("auxiliary/en-es", "sentences", 230, 3.3),
    ("auxiliary/en-es", "contexts", 3616, 52.0),
    ("formality/en-de", "sentences", 4751, 44.0),
    ("formality/en-de", "contexts", 5792, 53.6),
    ("formality/en-es", "sentences", 4053, 31.7),
    ("formality/en-es", "contexts", 4588, 35.9),
    ("formality/en-ru", "sentences", 5579, 55.4),
    ("formality/en-ru", "contexts", 6297, 62.5),
]


def restored(item: Item) -> dict[str, Any]:
    """The published record of an item."""
    meta = dict(item.meta)
    expected = meta.pop("published_expected", None) or item.expected[0]
    if item.target_lang == "de" and item.features.get("formality") == "formal":
        expected = expected.lower()
    distance = {} if item.distance is None else {"ante distance": item.distance}
    fixed = {"src segment": item.source, "ref segment": item.reference, "rule": item.label, "expected": expected}
    return meta | distance | fixed


@pytest.mark.parametrize(("data", "name", "size"), in_both(SYNTHETIC, COUNTS))
def test_published_files_come_back(data: Path, name: str, size: int) -> None:
    suite = BY_NAME[name]
    items = list(suite.open(data))
    assert len(items) == size
    kind, phenomenon, pair, *rest = name.split("/")
    split = rest[0] if kind == "release" else "test"
    assert [item.id for item in items] == [f"{phenomenon}.{pair}.{split}.{row}" for row in range(size)]
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("translate", *pair.split("-"))}
    records, inputs = (data / file for file in suite.files)
    assert is_there(records) or is_there(inputs)
    if is_there(records):
        assert [restored(item) for item in items] == msgspec.json.decode(read_bytes(records))
    if is_there(inputs):
        assert [EOS.join((*item.source_context, item.source)) for item in items] == list(text_lines(inputs))


@pytest.mark.parametrize("name", SYNTHETIC)
def test_either_file_may_be_missing(name: str, synthetic_data: Path) -> None:
    suite = BY_NAME[name]
    missing = [*suite.files[:1]] * (name in NO_RECORDS) + [*suite.files[1:]] * (name in NO_INPUTS)
    assert suite.missing(synthetic_data) == missing
    items = list(suite.open(synthetic_data))
    assert all(bool(item.expected) == (name not in NO_RECORDS) for item in items)
    assert any(item.source_context for item in items) == (name not in NO_INPUTS)


def test_every_pair_of_the_release_and_of_the_paper_is_a_suite() -> None:
    languages = ("de", "es", "fr", "it", "pl", "pt", "ru")
    pairs = [f"{name}/en-{to}" for name in ("auxiliary", "formality", "gender") for to in languages]
    pairs += [f"animacy/{to}-en" for to in languages] + ["inflection/en-pl", "inflection/en-ru"]
    release = [f"release/{pair}/{split}" for pair in pairs for split in ("dev", "devtest", "test")]
    assert len([name for name in release if name.endswith("/test")]) == 30
    assert sorted(BY_NAME) == sorted([f"paper/{pair}" for pair in pairs] + release)
    assert all(suite.needs == "any" for suite in SUITES)


def test_the_paper_used_all_auxiliaries_and_less_of_the_rest() -> None:
    for name, suite in BY_NAME.items():
        phenomenon = name.split("/")[1]
        stem = Path(suite.files[1]).name
        assert Path(suite.files[0]).name == f"{stem}.json"
        assert stem.startswith("mini.") == ("paper" in name and phenomenon != "auxiliary")


def test_synthetic_items_field_by_field(synthetic_data: Path) -> None:
    kite, drum = BY_NAME["release/gender/en-es/dev"].open(synthetic_data)
    record = published_list(synthetic_data / BY_NAME["release/gender/en-es/dev"].files[0])[0]
    placed = ("rule", "expected", "src segment", "ref segment", "ante distance")
    assert kite == Item(
        id="gender.en-es.dev.0",
        task="translate",
        source_lang="en",
        target_lang="es",
        source_context=("Where is the kite?",),
        source="I painted it.",
        reference="La pinté.",
        expected=("la",),
        label="ACC.FEM.SING",
        distance=1,
        features={"gender": "f", "number": "sing"},
        spans=(span_of("it", "I painted it.", "pronoun", "source"),),
        meta={name: value for name, value in record.items() if name not in placed},
    )
    assert (drum.distance, drum.features, drum.source_context) == (0, {"gender": "m", "number": "sing"}, ())


def test_what_makes_the_sentence_depend_on_its_context_is_marked(synthetic_data: Path) -> None:
    def marks(name: str) -> list[list[tuple[str, str, int, str]]]:
        return [marked(item) for item in BY_NAME[name].open(synthetic_data)]

    assert marks("paper/auxiliary/en-de") == [[("trigger", "source", 0, "did")], [("trigger", "source", 0, "will")]]
    assert marks("release/inflection/en-ru/dev") == [[("trigger", "source", 0, "Honey")]]
    assert marks("release/animacy/es-en/devtest") == [[("pronoun", "source", 0, "la")]]
    # Where a pronoun occurs twice, which is meant cannot be told.
    formality = marks("paper/formality/en-de")
    assert formality[:3] == [[("pronoun", "source", 0, word)] for word in ("you", "you", "You")]
    assert formality[3] == []


BIAS_OF_DEEPL = [
    # How often the value was written where the other was expected, and the other where it was.
    ("formality/en-de", "sentences", "formal", 46.1, 29.5),
    ("formality/en-de", "contexts", "informal", 50.5, 14.9),
    ("formality/en-ru", "sentences", "formal", 34.5, 28.5),
    ("formality/en-ru", "contexts", "informal", 32.8, 14.3),
]


def test_rules_become_features(synthetic_data: Path) -> None:
    german = list(BY_NAME["paper/formality/en-de"].open(synthetic_data))
    assert [item.features for item in german] == [
        {"formality": "formal", "number": "plur", "address": "formal"},
        {"formality": "informal", "number": "sing", "address": "informal sing"},
        {"formality": "informal", "number": "plur", "address": "informal plur"},
        {"formality": "formal", "number": "plur", "address": "formal"},
    ]
    # German writes the polite pronoun with a capital, which the evalset has lost; nothing else is kept of it.
    assert [item.expected for item in german] == [("Ihnen",), ("dir",), ("ihr",), ("Sie",)]
    assert not any("published_expected" in item.meta for item in german)
    spanish = list(BY_NAME["release/formality/en-es/dev"].open(synthetic_data))
    assert [item.features for item in spanish] == [
        {"formality": "formal", "number": "plur", "gender": "f", "address": "formal plur"},
        {"formality": "informal", "number": "sing", "address": "informal sing"},
    ]
    assert [item.expected for item in spanish] == [("les",), ("tú",)]


def test_the_value_of_the_expected_form_is_a_feature(synthetic_data: Path) -> None:
    def values(name: str, feature: str) -> list[str | None]:
        return [item.features.get(feature) for item in BY_NAME[name].open(synthetic_data)]

    assert values("release/animacy/es-en/devtest", "animacy") == ["inanimate"]
    assert values("release/inflection/en-ru/dev", "case") == ["gen"]
    # The form itself tells where it can, else the English auxiliary: did, will.
    assert values("paper/auxiliary/en-de", "tense") == ["past", "future"]
    assert values("paper/formality/en-de", "tense") == [None] * 4


def test_a_form_of_both_registers_has_no_formality(tmp_path: Path) -> None:
    record = RECORD | {"rule": "ACC.INFORM+FORM.PLUR", "expected": "vi", "ref segment": "Vi vedo."}
    write(tmp_path, [record], None)
    (item,) = formality().open(tmp_path)
    assert item.features == {"number": "plur"}


@pytest.mark.parametrize(
    ("name", "level", "correct"),
    [
        ("formality/en-de", "sentences", 2),
        ("formality/en-de", "contexts", 3),
        ("auxiliary/en-de", "sentences", 0),
        ("auxiliary/en-de", "contexts", 1),
    ],
)
def test_an_output_is_right_where_its_last_sentence_has_the_form(
    name: str, level: str, correct: int, synthetic_data: Path
) -> None:
    for findings in deepl(name, level, synthetic_data):
        assert findings.overall is not None
        assert (findings.overall.correct, findings.overall.items) == (correct, SYNTHETIC[f"paper/{name}"])


def test_other_languages_come_back_from_their_inputs(published_data: Path) -> None:
    for name in (name for name in BY_NAME if name.startswith("paper/")):
        suite = BY_NAME[name]
        inputs = published_data / suite.files[1]
        if is_there(inputs):
            lines = [EOS.join((*item.source_context, item.source)) for item in suite.open(published_data)]
            assert lines == list(text_lines(inputs))


def test_what_the_paper_did_not_publish_is_known(shared_data: Path) -> None:
    inputs = {name: suite.files[1] for name, suite in BY_NAME.items() if name.startswith("paper/")}
    missing = {name for name, file in inputs.items() if not is_there(shared_data / file)}
    assert missing == {"paper/gender/en-fr", "paper/gender/en-pt"}


@pytest.mark.parametrize(("name", "level", "correct", "printed"), TABLE_6)
def test_table_6(name: str, level: str, correct: int, printed: float, shared_data: Path) -> None:
    paper = deepl(name, level, shared_data)[0]
    assert paper.overall is not None
    assert (paper.rule, paper.overall.correct, paper.overall.items) == ("paper", correct, PAPER[name])
    assert round(100 * paper.overall.accuracy, 1) == printed


def test_labels_add_up(shared_data: Path) -> None:
    paper, token = deepl("formality/en-de", "contexts", shared_data)
    for found in (paper, token):
        assert found.overall is not None
        assert sum(row.correct for row in found.by["label"]) == found.overall.correct
    # Counted apart from this package, with the published scorer's rule written out by hand.
    assert {row.key: row.correct for row in paper.by["label"]} == {
        "ACC.FORM+PLUR": 597,
        "ACC.INFORM.PLUR": 455,
        "ACC.INFORM.SING": 914,
        "DAT.FORM+PLUR": 521,
        "DAT.INFORM.PLUR": 503,
        "DAT.INFORM.SING": 822,
        "NOM.FORM+PLUR": 572,
        "NOM.INFORM.PLUR": 431,
        "NOM.INFORM.SING": 977,
    }


def written(name: str, level: str, data: Path) -> WrittenForms:
    (forms,) = deepl(name, level, data)[0].written
    return forms


@pytest.mark.parametrize(
    ("level", "rows"),
    [
        ("sentences", {"formal": {"formal": 0, "informal": 2}, "informal": {"formal": 0, "informal": 2}}),
        ("contexts", {"formal": {"formal": 2, "informal": 0}, "informal": {"formal": 1, "informal": 1}}),
    ],
)
def test_what_was_written_instead(level: str, rows: dict[str, dict[str, int]], synthetic_data: Path) -> None:
    forms = written("formality/en-de", level, synthetic_data)
    assert {row.expected: row.written for row in forms.rows} == rows
    # Four items show no bias.
    assert forms.bias is not None and forms.bias.outcome == "inconclusive"


@pytest.mark.parametrize(("name", "level", "value", "taken", "left"), BIAS_OF_DEEPL)
def test_deepl_is_formal_without_context_and_informal_with_it(
    name: str, level: str, value: str, taken: float, left: float, shared_data: Path
) -> None:
    bias = written(name, level, shared_data).bias
    assert bias is not None and bias.biased_towards == value
    rates = next(result for result in bias.values if result.value == value)
    assert rates.taken is not None and rates.left is not None
    assert (round(100 * rates.taken, 1), round(100 * rates.left, 1)) == (taken, left)


def test_references_show_what_is_expected(shared_data: Path) -> None:
    """A check of the tables: a reference has the value that the published label says."""
    for name, least in (("formality/en-de", 0.94), ("formality/en-ru", 0.97)):
        verdicts = ((item, matched(item, item.reference or "")) for item in BY_NAME[f"paper/{name}"].open(shared_data))
        forms = [form for item, verdict in verdicts if (form := written_form(item, verdict)) is not None]
        decided = [form for form in forms if form.written is not None]
        assert len(decided) > least * len(forms)
        assert sum(form.written == form.expected for form in decided) > 0.99 * len(decided)


def deepl(name: str, level: str, data: Path) -> list[Findings]:
    """The findings on a published output of DeepL, by both rules."""
    phenomenon, pair = name.split("/")
    stem = f"deepl.{'' if phenomenon == 'auxiliary' else 'mini.'}{phenomenon}.opensubtitles.{pair}.test.{level}"
    outputs = data / "ctxpro/paper/outputs" / stem
    if not outputs.exists():
        outputs = outputs.with_name(f"{stem}.gz")
    request = job("translations:deepl", TranslationFile(outputs), [BY_NAME[f"paper/{name}"].open(data)])
    return list(carry_out(request).findings)


RECORD = {
    "document id": "made/up",
    "segment id": 3,
    "rule": "NOM.FORM+PLUR",
    "expected": "sie",
    "src pronoun": "you",
    "src segment": "Are you there?",
    "ref segment": "Sind Sie da?",
}


def formality() -> Suite:
    return BY_NAME["paper/formality/en-de"]


def write(data: Path, records: list[dict[str, Any]] | None, inputs: list[str] | None) -> None:
    for file, text in zip(
        formality().files,
        (
            None if records is None else msgspec.json.encode(records),
            None if inputs is None else "".join(f"{line}\n" for line in inputs).encode(),
        ),
        strict=True,
    ):
        (data / file).parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            (data / file).write_bytes(text)


def test_a_record_with_context(tmp_path: Path) -> None:
    write(tmp_path, [RECORD], ["Hello.<eos> Are you there?"])
    (item,) = formality().open(tmp_path)
    assert (item.source_context, item.source, item.reference) == (("Hello.",), "Are you there?", "Sind Sie da?")
    assert (item.expected, item.label) == (("Sie",), "NOM.FORM+PLUR")
    assert item.features == {"formality": "formal", "number": "plur", "address": "formal"}
    assert [item.source[span.start : span.end] for span in item.spans] == ["you"]
    assert restored(item) == RECORD


def test_a_record_without_context_and_a_context_without_record(tmp_path: Path) -> None:
    write(tmp_path, [RECORD], None)
    (item,) = formality().open(tmp_path)
    assert (item.source_context, item.expected) == ((), ("Sie",))
    (tmp_path / formality().files[0]).unlink()
    write(tmp_path, None, ["Hello.<eos> Are you there?"])
    (item,) = formality().open(tmp_path)
    assert (item.source_context, item.source, item.expected) == (("Hello.",), "Are you there?", ())


def test_latin_letters_in_russian_forms_are_replaced_and_kept(tmp_path: Path) -> None:
    suite = BY_NAME["paper/formality/en-ru"]
    record = RECORD | {"expected": "вaс"}  # the second letter is Latin
    path = tmp_path / suite.files[0]
    path.parent.mkdir(parents=True)
    path.write_bytes(msgspec.json.encode([record]))
    (item,) = suite.open(tmp_path)
    assert (item.expected, item.meta["published_expected"]) == (("вас",), "вaс")
    assert restored(item) == record


@pytest.mark.parametrize(("part", "feature"), [("MASC", "m"), ("FEM", "f"), ("NEUT", "n")])
def test_genders_of_rules(tmp_path: Path, part: str, feature: str) -> None:
    write(tmp_path, [RECORD | {"rule": f"NOM.{part}.SING"}], None)
    (item,) = formality().open(tmp_path)
    assert item.features == {"gender": feature, "number": "sing"}


def test_only_the_polite_german_pronoun_gets_its_capital(tmp_path: Path) -> None:
    spanish = BY_NAME["paper/formality/en-es"]
    path = tmp_path / spanish.files[0]
    path.parent.mkdir(parents=True)
    path.write_bytes(msgspec.json.encode([RECORD | {"expected": "Usted"}]))
    (item,) = spanish.open(tmp_path)
    assert (item.expected, "published_expected" in item.meta) == (("Usted",), False)


@pytest.mark.parametrize(
    ("records", "inputs", "message"),
    [
        (
            [RECORD],
            ["a", "b"],
            "/mini.formality.opensubtitles.en-de.test: expected 1 lines, one per row of mini.formality.opensubtitles",
        ),
        (
            [RECORD],
            ["Hello.<eos> Other."],
            "test.json, record 1: field 'src segment': differs from the last sentence of line 1",
        ),
        (
            [RECORD] * 2,
            ["Are you there?", "Other."],
            "test.json, record 2: field 'src segment': differs from the last sentence of line 2",
        ),
        ([RECORD | {"expected": ""}], None, "test.json, record 1: field 'expected': contains an empty form"),
        ([RECORD | {"rule": None}], None, "test.json, record 1: field 'rule': expected str, got null"),
        ([RECORD | {"hint": 1}], None, "test.json, record 1: field 'hint': is not a known field"),
        ([{"rule": "X"}], None, "test.json, record 1: field 'document id': is missing"),
    ],
)
def test_bad_files_are_refused(
    tmp_path: Path, records: list[dict[str, Any]], inputs: list[str] | None, message: str
) -> None:
    write(tmp_path, records, inputs)
    assert message in refusal(formality(), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
