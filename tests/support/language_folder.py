"""A small French language folder, for tests of the engine, which knows no language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.build.templates import Tally, open_templates
from referee.items import Item

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
step = "priors"
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

WriteFolder = Callable[..., str]
"""Writes the folder; a keyword such as `templates` replaces that file."""


def write_folder(path: Path, **changed: str) -> str:
    """Write the folder, with the content of some files replaced."""
    for name, content in FILES.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(changed.get(file.stem, content), encoding="utf-8")
    return str(path)


def items_of(folder: str, *names: str, tallies: dict[str, Tally] | None = None) -> list[Item]:
    """All items of the named templates."""
    return list(open_templates(folder).items(names, tallies))
