"""Treebanks of a few invented sentences in eight languages, under the names and in the format of the published ones.

They have what real ones have: multi-word tokens, empty nodes, words whose border is inside an atom (*cannot*), texts
that their words do not spell, and sentences that are in a measured file too.
"""

from __future__ import annotations

import lzma
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.annotate.pocket.pieces import Pieces
from referee.train.recipes.encoder.examples import Builder, Examples
from referee.train.recipes.encoder.inventory import Inventory, count
from referee.train.recipes.encoder.passages import LANGUAGES, Passage
from referee.train.recipes.encoder.prepare import tokenised
from referee.train.recipes.encoder.tokens import Token
from referee.train.recipes.encoder.treebanks import MEASURED, TRAINING, Sentence
from referee.train.recipes.encoder.vocabulary import learn

PER_FILE, PER_MEASURED = 6, 5
VOCABULARY = 125
MARKED = frozenset({"Gender", "Number", "Mood", "Tense", "VerbForm"})
_VERB = "Mood=Ind|Tense=Pres|VerbForm=Fin"


@dataclass(frozen=True)
class Words:
    """Words of a language: an article, nouns with their gender, verbs with their lemma, and a preposition with its
    article, written as one token where the language does so."""

    article: str
    nouns: str
    verbs: str
    phrase: str
    parts: tuple[str, str]


WORDS = {
    "en": Words(
        "The", "cat: dog: house: tree: table:", "sleep:sleep stand:stand fall:fall jump:jump", "", ("at", "the")
    ),
    "de": Words(
        "Der",
        "Hund:Masc Tisch:Masc Katze:Fem Haus:Neut Baum:Masc",
        "schläft:schlafen steht:stehen fällt:fallen springt:springen",
        "zum",
        ("zu", "dem"),
    ),
    "es": Words(
        "El",
        "perro:Masc mesa:Fem gata:Fem árbol:Masc jardín:Masc",
        "duerme:dormir salta:saltar cae:caer sale:salir",
        "del",
        ("de", "el"),
    ),
    "fr": Words(
        "Le",
        "chien:Masc table:Fem chatte:Fem arbre:Masc jardin:Masc",
        "dort:dormir saute:sauter tombe:tomber sort:sortir",
        "du",
        ("de", "le"),
    ),
    "it": Words(
        "Il",
        "cane:Masc tavola:Fem gatta:Fem albero:Masc giardino:Masc",
        "dorme:dormire salta:saltare cade:cadere esce:uscire",
        "del",
        ("di", "il"),
    ),
    "pl": Words(
        "Ten",
        "pies:Masc kotka:Fem dom:Masc drzewo:Neut stół:Masc",
        "śpi:spać stoi:stać spada:spadać skacze:skakać",
        "",
        ("obok", "tego"),
    ),
    "pt": Words(
        "O",
        "cão:Masc mesa:Fem gata:Fem árvore:Fem jardim:Masc",
        "dorme:dormir salta:saltar cai:cair sai:sair",
        "do",
        ("de", "o"),
    ),
    "ru": Words(
        "Этот",
        "дом:Masc собака:Fem кошка:Fem дерево:Neut стол:Masc",
        "спит:спать стоит:стоять падает:падать прыгает:прыгать",
        "",
        ("около", "этого"),
    ),
}


@cache
def combinations(language: str) -> list[tuple[int, int, int]]:
    """Numbers of subject, verb and place, shuffled, each once."""
    words = WORDS[language]
    every = [
        (one, verb, two)
        for one in range(len(words.nouns.split()))
        for verb in range(len(words.verbs.split()))
        for two in range(len(words.nouns.split()))
    ]
    random.Random(language).shuffle(every)
    return every


def sentence(language: str, number: int) -> Sentence:
    """The sentence of a number, with the id `LL-NUMBER`."""
    words = WORDS[language]
    one, verb, two = combinations(language)[number]
    nouns = [noun.split(":") for noun in words.nouns.split()]
    form, lemma = words.verbs.split()[verb].split(":")
    rows: list[tuple[str, str, str, str, int, str]] = []
    negated = language == "en"
    main = 5 if negated else 3
    rows.append((words.article, words.article.lower(), "DET", "_", 2, "det"))
    rows.append(_noun(nouns[one], main, "nsubj"))
    if negated:
        rows += [("can", "can", "AUX", _VERB, main, "aux"), ("not", "not", "PART", "_", main, "advmod:neg")]
    rows.append((form, lemma, "VERB", _VERB, 0, "root"))
    place = main + 3
    rows.append((words.parts[0], words.parts[0], "ADP", "_", place, "case"))
    rows.append((words.parts[1], words.article.lower(), "DET", "_", place, "det"))
    rows.append(_noun(nouns[two], main, "obl"))
    rows.append((".", ".", "PUNCT", "_", main, "punct"))
    lines = [
        "\t".join([str(index), form, lemma, upos, "_", feats, str(head), deprel, "_", "_"])
        for index, (form, lemma, upos, feats, head, deprel) in enumerate(rows, 1)
    ]
    phrase = words.phrase or " ".join(words.parts)
    if words.phrase:
        lines.insert(main, "\t".join([f"{main + 1}-{main + 2}", words.phrase, *["_"] * 8]))
    lines.insert(main, "\t".join([f"{main}.1", form, *["_"] * 8]))
    said = f"cannot {form}" if negated else form
    text = f"{words.article} {nouns[one][0]} {said} {phrase} {nouns[two][0]}."
    return Sentence(f"{language}-{number}", text, tuple(lines))


def _noun(noun: list[str], head: int, deprel: str) -> tuple[str, str, str, str, int, str]:
    form, gender = noun
    feats = f"Gender={gender}|Number=Sing" if gender else "Number=Sing"
    return form, form, "NOUN", feats, head, deprel


def short(language: str) -> Sentence:
    """A sentence that everybody says: it may be in a training file and in a measured one."""
    verb = WORDS[language].verbs.split()[0].partition(":")[0]
    rows = (f"1\t{verb}\t{verb}\tVERB\t_\t_\t0\troot\t_\t_", "2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_")
    return Sentence(f"{language}-short", f"{verb}.", rows)


def write(data: Path) -> Path:
    """Write all files; the first file of a language also has three sentences that must not be learned from, and one
    that its words do not spell."""
    for language, styles in TRAINING.items():
        measured = [sentence(language, number) for number in range(PER_MEASURED)]
        _write(data, MEASURED[language], [*measured, short(language)])
        number = PER_MEASURED
        for index, file in enumerate(file for style in styles for file in style):
            own = [sentence(language, number + step) for step in range(PER_FILE)]
            number += PER_FILE
            if index == 0:
                one = sentence(language, number)
                number += 1
                own += [measured[0], Sentence("other", measured[1].text, measured[1].rows), short(language)]
                own.append(Sentence("not spelled", f"{one.text} {one.text}", one.rows))
                if file.partition("/")[0] == MEASURED[language].partition("/")[0]:
                    own.append(Sentence(measured[2].id, one.text, one.rows))
            _write(data, file, own)
    return data


def _write(data: Path, file: str, members: list[Sentence]) -> None:
    path = data / "ud" / f"{file}.conllu"
    path.parent.mkdir(parents=True, exist_ok=True)
    blocks = ["\n".join([f"# sent_id = {one.id}", f"# text = {one.text}", *one.rows]) for one in members]
    path.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")


def texts(language: str, numbers: range) -> list[tuple[str, list[Token]]]:
    """Texts and tokens of some sentences."""
    return tokenised([sentence(language, number) for number in numbers])


@cache
def pieces_model() -> bytes:
    """Pieces learned from all sentences."""
    every = {language: [sentence(language, number).text for number in range(60)] for language in LANGUAGES}
    return learn(every, VOCABULARY, threads=1)


@cache
def pieces() -> Pieces:
    return Pieces(pieces_model(), LANGUAGES)


@cache
def inventory() -> Inventory:
    """The classes that occur in sixty sentences per language."""
    return count(words for language in LANGUAGES for _, words in texts(language, range(60)))


@cache
def examples(per_style: int = 3, styles: int = 2) -> Examples:
    """Some sentences of each language and style."""
    builder = Builder(inventory(), pieces())
    for language in LANGUAGES:
        for style in range(styles):
            for text, words in texts(language, range(style * per_style, (style + 1) * per_style)):
                builder.add(language, style, text, words, MARKED)
    return builder.examples()


def passages() -> dict[str, list[Passage]]:
    """Running text: sentences of each language with an English one, and English ones alone."""
    parts: dict[str, list[Passage]] = {"train": [], "watch": []}
    for part, numbers in (("train", range(40)), ("watch", range(40, 46))):
        for language in LANGUAGES[1:]:
            for number in numbers:
                english, other = (sentence(code, number).text for code in ("en", language))
                parts[part].append(Passage(language, english, f"{other} {sentence(language, number + 1).text}"))
    parts["train"] += [Passage("de", sentence("en", number).text, "") for number in range(46, 56)]
    return parts


LEXICON = (
    "Hund\tde\tNOUN\tFem\tSing\t*\t\tHund",
    "steht\tde\tVERB\t\t\t\t\tstehen",
    "дом\tru\t*\tMasc\t*\t*\t*\t*",
    "der\tde\tPRON\t*\t*\t*\t*\t*",
)
"""Form, language, UPOS, gender, number, case, animacy, lemma; the first entry is not what the treebanks say."""


def write_lexicon(path: Path) -> None:
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in LEXICON))
