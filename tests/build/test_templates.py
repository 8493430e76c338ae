"""The engine knows no language: whatever a folder says comes out, and what it says wrongly is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.build.templates import open_templates
from referee.build.templates.contractions import marks, rewritten
from referee.build.templates.generate import NOT_DIFFERENT, NOT_SHOWN, Tally
from referee.build.templates.slots import english, target
from referee.build.templates.wordlists import WordEntry, WordList, read_words
from referee.errors import InputError, MissingError, RefereeError, UnknownNameError
from referee.items import Item
from referee.languages import Language
from referee.languages.schema import Contractions
from tests.support.generated import marked

LANGUAGE = """
name = "French"
code = "fr"
genders = ["m", "f"]
words.def = { m = "le", f = "la" }
words.it.nom = { m = "il", f = "elle" }
"""
CONTRACTIONS = """
elide = ["le", "la", "de"]
before = "aeiouh"
except = ["hamster"]
contract = [["de le", "du"]]
"""
ANIMALS = "en\tword\tgender\tpl\ndog\tchien\tm\tchiens\ngoose\toie\tf\nhamster\thamster\tm\n# a remark\n"
SIZES = "en\tm\tf\ten.more\nsmall\tpetit\tpetite\tsmaller\nhuge\ténorme\ténorme\n"
TEMPLATES = """
[[template]]
name = "pair"
step = "prior"
about = "Which?"
slots = { a = "animal", b = "animal", size = "size" }
differ = ["a", "b"]
roles = { a = "first", b = "second" }
context = ["I spoke of the {a} and the {b}.", "Je parlais de {def:a} {a} et de {def:b} {b}."]
text = ["It was {size}.", "{it.nom} était {size:it}."]

[[template]]
name = "dropped"
step = "coreference"
about = "The pronoun is not said."
slots = { a = "animal", size = "size" }
roles = { a = "animal" }
gold = "a"
group = ["a"]
context = ["There is {an:a} {a}.", "Voilà {def:a} {a}."]
forms = [
  { name = "small", text = ["However, it is {size.more}.", "Mais était {size:it}."], clause = "first" },
  { name = "event", text = ["It rained.", "{It.nom} pleuvait."], gold = "m" },
]
"""
FILES = {
    "language.toml": LANGUAGE,
    "contractions.toml": CONTRACTIONS,
    "templates.toml": TEMPLATES,
    "words/animal.tsv": ANIMALS,
    "words/size.tsv": SIZES,
}

Folder = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Writes a language folder; a keyword such as `templates` replaces that file."""

    def write(**changed: str) -> str:
        for name, content in FILES.items():
            path = tmp_path / "french" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(changed.get(path.stem, content), encoding="utf-8")
        return str(tmp_path / "french")

    return write


def _items(language: str, *names: str, found: dict[str, Tally] | None = None) -> list[Item]:
    return list(open_templates(language).items(names, found))


def test_every_combination_that_is_allowed_is_made_once(folder: Folder) -> None:
    found: dict[str, Tally] = {}
    items = _items(folder(), "pair", found=found)
    pairs = {("dog", "goose"), ("goose", "dog"), ("hamster", "goose"), ("goose", "hamster")}
    assert {(item.meta["words"]["a"], item.meta["words"]["b"]) for item in items} == pairs
    assert len(items) == len({item.id for item in items}) == 8
    assert found["pair"].items == 8
    # dog and hamster in both orders and sizes; a word is not paired with itself, and that is no loss.
    assert found["pair"].left_out == {NOT_DIFFERENT: 4}


def test_an_item_says_all_there_is_to_say(folder: Folder) -> None:
    item = _items(folder(), "pair")[0]
    assert (item.source_context, item.source) == (("I spoke of the dog and the goose.",), "It was small.")
    assert item.target_context == ("Je parlais du chien et de l'oie.",)
    assert [candidate.text for candidate in item.candidates] == ["Il était petit.", "Elle était petite."]
    assert [candidate.features for candidate in item.candidates] == [
        {"gender": "m", "pronoun": "Il", "referent": "first", "position": "first"},
        {"gender": "f", "pronoun": "Elle", "referent": "second", "position": "second"},
    ]
    assert (item.gold, item.reference, item.label, item.distance) == (None, None, "pair", None)
    assert item.features == {"template": "pair", "genders": "mf"}
    assert [(span.role, marked(item, span)) for span in item.spans] == [
        ("possible", "the dog"),
        ("possible", "the goose"),
        ("possible", "du chien"),
        ("possible", "l'oie"),
        ("pronoun", "It"),
        ("pronoun", "Il"),
        ("pronoun", "Elle"),
    ]


def test_both_orders_are_one_group(folder: Folder) -> None:
    items = _items(folder(), "pair")
    of = {(item.meta["words"]["a"], item.meta["words"]["b"], item.meta["words"]["size"]): item.group for item in items}
    assert of["dog", "goose", "small"] == of["goose", "dog", "small"] != of["hamster", "goose", "small"]
    assert of["dog", "goose", "small"] != of["dog", "goose", "huge"]


def test_gold_is_a_noun_or_a_gender_and_hidden_genders_are_left_out(folder: Folder) -> None:
    found: dict[str, Tally] = {}
    items = _items(folder(), "dropped", found=found)
    small = [item for item in items if item.features.get("form") == "small"]
    assert [(item.meta["words"]["a"], item.gold) for item in small] == [("dog", 0), ("goose", 1), ("hamster", 0)]
    assert {item.source for item in small} == {"However, it is smaller."}
    assert small[1].reference == "Mais était petite." == small[1].candidates[1].text
    assert small[1].features["clause"] == "first"
    assert small[1].candidates[1].features == {"gender": "f", "referent": "animal"}
    assert (small[0].distance, small[0].group) == (1, "dropped:dog/chien")
    assert small[1].source_context == ("There is a goose.",)
    # "énorme" is the same for both.
    assert found["dropped"].left_out == {NOT_SHOWN: 3}
    events = [item for item in items if item.features.get("form") == "event"]
    assert {(item.gold, item.reference, item.distance) for item in events} == {(0, "Il pleuvait.", None)}
    assert [item.candidates[0].features for item in events] == [{"gender": "m", "pronoun": "Il"}] * 6
    assert [item.candidates[1].features.get("referent") for item in events].count("animal") == 2
    assert {span.role for item in events for span in item.spans} == {"distractor", "pronoun"}


def test_elision_and_contraction_stop_at_exceptions(folder: Folder) -> None:
    contexts = {item.meta["words"]["a"]: item.target_context for item in _items(folder(), "dropped")}
    assert contexts == {
        "dog": ("Voilà le chien.",),
        "goose": ("Voilà l'oie.",),
        "hamster": ("Voilà le hamster.",),
    }


@pytest.mark.parametrize(
    ("word", "own", "article"),
    [("dog", "", "a"), ("egg", "", "an"), ("hour", "", "an"), ("unicorn", "", "a"), ("umbrella", "", "an"),
     ("eucalyptus", "", "a"), ("ukulele", "", "a"), ("onion", "", "an"), ("union", "an", "an")],
)  # fmt: skip
def test_a_and_an(word: str, own: str, article: str) -> None:
    filling = {"n": WordEntry(word, {"word": "x"} | ({"en.an": own} if own else {}), "m")}
    text = english("I saw {an:n} {n}.", _sets(filling), (), pronoun=False)
    assert text.fill(filling)[0] == f"I saw {article} {word}."


def _sets(filling: dict[str, WordEntry]) -> dict[str, WordList]:
    return {slot: WordList(slot, ("en", "word", *word.forms), (word,)) for slot, word in filling.items()}


WORDS = st.text(st.characters(categories=["Ll", "Lu"]), min_size=1, max_size=8)


@pytest.fixture(scope="session")
def contracting(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with contractions and nothing else."""
    path = tmp_path_factory.mktemp("contracting")
    (path / "contractions.toml").write_text('contract = [["de le", "du"]]\n', encoding="utf-8")
    return str(path)


@given(noun=WORDS, other=WORDS, article=WORDS | st.just("le"))
def test_marks_never_show_and_places_are_right(noun: str, other: str, article: str, contracting: str) -> None:
    tables = {"def": {"m": article, "f": article}}
    language = Language("x", "xx", genders=("m", "f"), words=tables, folder=contracting)
    filling = {"a": WordEntry("one", {"word": noun}, "m"), "b": WordEntry("two", {"word": other}, "f")}
    text, places = target("de {def:a} {a}, {b} et {a}", language, _sets(filling), ("a", "b")).fill(filling)
    assert text.isprintable()
    start = {place.slot: text[place.start : place.end] for place in places}
    assert start["a"].endswith(noun)
    assert start["b"] == other


@pytest.mark.parametrize(
    ("pattern", "replacement", "before", "after"),
    [
        # Before, behind and between nouns, as if there were no marks.
        (r"(?<=[aeiou]) і (?![aeiou])", " й ", "[cane] і [volpe]", "[cane] й [volpe]"),
        (r"(?<=[aeiou]) і (?![aeiou])", " й ", "[cane] і [oca]", "[cane] і [oca]"),
        (r"(\w) і (\w)", r"\1 й \2", "[cane] і [volpe]", "[cane] й [volpe]"),
        # An article within the span, and one outside of it.
        (r"\bil (?=z|s[t])", "lo ", "[il zaino] e il [zaino]", "[lo zaino] e lo [zaino]"),
        (r"\b(il) (z\w+)", r"lo \2", "vide il [zaino]", "vide lo [zaino]"),
        # What grows together with a noun's article belongs to the noun, on both sides.
        ("di il", "del", "di [il cane]", "[del cane]"),
        ("con gli", "cogli", "[con] gli", "[cogli]"),
        ("a l'", "all'", "a [l'oca]", "[all'oca]"),
        # Longer, shorter, gone, come from nowhere, and twice.
        ("e", "ed", "[cane] e [oca]", "[caned] ed [oca]"),
        (" molto", "", "[cane] molto e [oca]", "[cane] e [oca]"),
        ("$", "!", "il [cane]", "il [cane]!"),
        ("^", "¡", "[cane]", "[¡cane]"),
        ("il ", "lo ", "il [zio] il [zio] il [zio]", "lo [zio] lo [zio] lo [zio]"),
    ],
)  # fmt: skip
def test_patterns_see_no_marks(pattern: str, replacement: str, before: str, after: str) -> None:
    signs = iter(sum((marks(number) for number in range(9)), ()))
    text = "".join(next(signs) if sign in "[]" else sign for sign in before)
    joined = rewritten(text, Contractions(replace=((pattern, replacement),)).changes)
    assert "".join("[]"[ord(sign) % 2] if "\ue000" <= sign <= "\uf8ff" else sign for sign in joined) == after


def test_a_pattern_meets_a_noun(folder: Folder) -> None:
    contractions = "replace = [['n et de (?=l|h)', 'n puis de ']]" + CONTRACTIONS
    item = _items(folder(contractions=contractions), "pair")[0]
    assert item.target_context == ("Je parlais du chien puis de l'oie.",)
    assert [marked(item, span) for span in item.spans if span.field == "target_context"] == ["du chien", "l'oie"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"animal": "en\tword\tgender\ndog\tchien\tx\n"}, ["animal.tsv:2", "'x' is no gender", "(f, m)"]),
        ({"animal": "en\tword\ndog\tchien\tm\n"}, ["animal.tsv:2", "3 cells", "2 columns"]),
        ({"animal": "word\tgender\nchien\tm\n"}, ["animal.tsv:1", "'en'"]),
        ({"animal": "en\tword\tgender\ndog\t\tm\n"}, ["animal.tsv:2", "translation"]),
        ({"animal": "en\tword\tgender\ndog\tchien\tm\ndog\tchien\tm\n"}, ["animal.tsv:3", "repeats 'dog'"]),
        ({"animal": "en\tword\tgender\ndog\tп\u0065с\tm\n"}, ["animal.tsv:2", "Cyrillic"]),
        ({"animal": "en\tword\tgender\n"}, ["animal.tsv", "no words"]),
        ({"animal": "en\tword\tgender\ndog\tchien\t\n"}, ["'dog' in slot 'a' has no gender"]),
        ({"size": "en\tm\nsmall\tpetit\n"}, ["'pair'", "'size'", "'f'", "en, m"]),
        ({"size": "en\tm\tf\nsmall\tpetit\t\n"}, ["'small'", "'f'"]),
        ({"templates": TEMPLATES.replace("{a} et", "{a.akk} et")}, ["'pair'", "'a'", "'akk'", "en, word, gender, pl"]),
        ({"templates": TEMPLATES.replace("{size.more}", "{size.mor}")}, ["'dropped'", "'en.mor'", "en.more"]),
        ({"templates": TEMPLATES.replace("{size:it}", "{size.ins:it}")}, ["'pair'", "'ins.m'", "en, m, f"]),
        ({"animal": ANIMALS + "scissors\tciseaux\tpl\n"}, ["'pair'", "'scissors'", "no singular", "'animal'"]),
        ({"size": "en\tm\tf\tgender\nscissors\tx\ty\tpl\n",
          "templates": TEMPLATES.replace("de {def:a} {a} et", "{def:size} et")}, ["'def'", "'scissors'", "pl"]),
        ({"templates": TEMPLATES.replace('size = "size" }\ndiffer', 'size = "sise" }\ndiffer')}, ["/sise.tsv", "size"]),
        ({"templates": TEMPLATES.replace("{def:a} {a} et", "{deff:a} {a} et")}, ["{deff:a}", "def"]),
        ({"templates": TEMPLATES.replace("{b}.", "{c}.")}, ["{c}", "a, b, size"]),
        ({"templates": TEMPLATES.replace("{a} and", "{a and")}, ["brace"]),
        ({"templates": TEMPLATES.replace('differ = ["a", "b"]', 'differ = ["a", "z"]')}, ["'pair'", "'z'", "differ"]),
        ({"templates": TEMPLATES.replace('gold = "a"', 'gold = "q"')}, ["'dropped'", "'q'", "gold"]),
        ({"templates": TEMPLATES.replace('name = "dropped"', 'name = "pair"')}, ["two templates", "'pair'"]),
        ({"templates": TEMPLATES.replace('about = "Which?"', 'abuot = "Which?"')}, ["abuot"]),
        ({"templates": "x = 1\n"}, ["templates.toml", "[[template]]"]),
        ({"templates": "x =\ny = 1\n"}, ["templates.toml", "TOML", "line 1"]),
        ({"language": LANGUAGE.replace('["m", "f"]', '["m"]')}, ["language.toml", "genders"]),
        ({"language": LANGUAGE.replace('f = "la"', 'q = "la"')}, ["language.toml", "'q'"]),
        ({"language": LANGUAGE.replace('m = "il", f = "elle"', 'm = "il"')}, ["'it'"]),
        ({"language": LANGUAGE.replace('m = "il", f = "elle"', 'm = "il", pl = "ils"')}, ["'it'"]),
        ({"language": LANGUAGE.replace("genders", "gender")}, ["language.toml:4", "'gender'"]),
        ({"language": 'name = "French"\ncode = "fr"\n'}, ["language.toml", "'genders'"]),
        ({"contractions": 'replace = [["(", ""]]\n'}, ["contractions.toml:1", "'replace'", "'('"]),
        ({"contractions": CONTRACTIONS + 'elid = ["le"]\n'}, ["contractions.toml:6", "'elid'"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(folder: Folder, changed: dict[str, str], told: list[str]) -> None:
    with pytest.raises(RefereeError) as error:
        _items(folder(**changed))
    assert isinstance(error.value, InputError | UnknownNameError)
    for words in told:
        assert words in str(error.value)


def test_names_that_are_not_there(folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="pair"):
        _items(folder(), "pare")
    with pytest.raises(MissingError, match=r"no language 'xx'.*de"):
        open_templates("xx")
    with pytest.raises(MissingError, match="paper"):
        open_templates(folder(), paper=True)
    with pytest.raises(MissingError, match="trans_verb"):
        list(open_templates("de", paper=True, data=tmp_path).items(["verb-prior"]))


def test_words_are_read_with_their_forms(tmp_path: Path) -> None:
    path = tmp_path / "animal.tsv"
    path.write_text(ANIMALS, encoding="utf-8")
    words = read_words(path, ("m", "f"))
    dog, goose, _ = words.words
    assert (words.name, words.columns) == ("animal", ("en", "word", "gender", "pl"))
    assert (dog.form("pl"), goose.form("pl"), dog.form("acc")) == ("chiens", "oie", "chien")
    assert (dog.english, dog.gender, dog.in_english("more")) == ("dog", "m", "dog")
