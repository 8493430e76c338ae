"""A data folder with a handful of invented films in seven languages, laid out as the public sets are."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

LANGUAGES = ("de", "fr", "es", "ru", "it", "pl", "pt")

_WORDS = {
    "de": "Hund Katze Haus Baum Tisch Lampe groß alt rot neu klein warm Der Es ist",
    "fr": "chien chatte maison arbre table lampe grand vieux rouge neuf petit chaud Le Il est",
    "es": "perro gata casa árbol mesa lámpara grande viejo rojo nuevo pequeño cálido El Ello es",
    "ru": "собака кошка дом дерево стол лампа большой старый красный новый маленький тёплый Этот Он есть",
    "it": "cane gatta casa albero tavolo lampada grande vecchio rosso nuovo piccolo caldo Il Esso è",
    "pl": "pies kotka dom drzewo stół lampa duży stary czerwony nowy mały ciepły Ten On jest",
    "pt": "cão gata casa árvore mesa lâmpada grande velho vermelho novo pequeno quente O Ele é",
}
_ENGLISH = "dog cat house tree table lamp big old red new small warm The It is"

FILMS, LINES = 30, 3


def _film(film: int, line: int) -> list[int]:
    """Which nouns and adjectives three sentences are made of."""
    chance = random.Random(1000 * film + line)
    return [chance.randrange(6), *(6 + chance.randrange(6) for _ in range(3))]


def _sentences(vocabulary: str, chosen: list[int]) -> list[str]:
    words = vocabulary.split()
    noun, *adjectives = (words[index] for index in chosen)
    the, it, is_ = words[12:]
    first = f"{the} {noun} {is_} {adjectives[0]}."
    return [first, *(f"{it} {is_} {adjective}." for adjective in adjectives[1:])]


def write(data: Path) -> Path:
    """Writes the folder: CTXPRO with and without records, chats, and single sentences."""
    paper = data / "ctxpro/paper"
    for folder in ("inputs", "outputs", "jsons"):
        (paper / folder).mkdir(parents=True)
    rows = [(film, line) for film in range(FILMS) for line in range(LINES)]
    for language in LANGUAGES:
        name = f"auxiliary.opensubtitles.en-{language}.test"
        english = [_sentences(_ENGLISH, _film(*row)) for row in rows]
        other = [_sentences(_WORDS[language], _film(*row)) for row in rows]
        (paper / "inputs" / name).write_text("".join("<eos> ".join(sentences) + "\n" for sentences in english))
        (paper / f"outputs/deepl.{name}.contexts").write_text(
            "".join(" ".join(sentences) + "\n" for sentences in other)
        )
        records = [
            {"document id": f"x/2017/2017_{film}_{line}", "src segment": one[-1], "ref segment": two[-1]}
            for (film, line), one, two in zip(rows, english, other, strict=True)
        ]
        (paper / f"jsons/{name}.json").write_text(json.dumps(records))
    (data / "ctxpro/release/evalsets").mkdir(parents=True)
    turned = "mini.animacy.opensubtitles.de-en.test"
    with gzip.open(paper / f"inputs/{turned}.gz", "wt") as file:
        file.write("Wer ist da?<eos> Niemand ist da.\n")
    (paper / f"outputs/deepl.{turned}.contexts").write_text("Who is there? Nobody is there.\n")
    _dialogues(data / "parallel")
    _tatoeba(data / "parallel")
    return data


def _dialogues(parallel: Path) -> None:
    turns = [
        {"speaker": "agent", "source": "The dog is warm.", "target": "Der Hund ist warm."},
        {"speaker": "customer", "source": "Es ist rot.", "target": "It is red."},
    ]
    (parallel / "bcontrast").mkdir(parents=True)
    for name in ("train.json", "dev.json"):
        (parallel / "bcontrast" / name).write_text(json.dumps({name: turns}))
    (parallel / "diabla-en-fr").mkdir()
    spoken = [
        {"dialogue": "d", "language": "english", "original": "The cat is old.", "reference": "Le chatte est vieux."},
        {"dialogue": "d", "language": "french", "original": "Il est neuf.", "reference": "It is new."},
    ]
    (parallel / "diabla-en-fr/dialogues.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in spoken))


def _tatoeba(parallel: Path) -> None:
    for folder in ("tatoeba", "tatoeba-challenge"):
        (parallel / folder).mkdir()
    for name, text in (("deu", "Geh."), ("fra", "Va !"), ("spa", "Ve.")):
        (parallel / f"tatoeba/eng-{name}.tsv").write_text(f"Go.\t{text}\nGo.\t{text}\n")
    (parallel / "tatoeba-challenge/eng-rus.devtest.tsv").write_text("eng\trus\tGo.\tИди.\n")
