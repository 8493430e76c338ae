"""ContraCAT: German pronoun templates, and ContraPro with its adversarial changes, as parallel text files.

A line is `context <SEP> sentence`. An item is a run of lines: the English side repeats, the German side has one
candidate per line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice, pairwise, repeat
from pathlib import Path

from referee.errors import InputError
from referee.io.files import count_lines, existing, text_lines
from referee.items import Candidate, Item, Origin, SetOrigin, Span
from referee.languages.text import changed_words
from referee.suites.records import to_items
from referee.suites.suite import Suite, is_there

PAPER = "Stojanovski, Krojer, Peskov and Fraser 2020, ContraCAT"
LICENCE = "not stated (ContraPro: MIT)"
GENDERS = ("m", "f", "n")
SEPARATOR = " <SEP> "

_ROOT = "contracat/templates"
_BASE = "contracat/adversarial_ContraPro"
_OVERLAP = "2_coreference_step/overlap/verb_overlap"

TEMPLATES = {
    "position": "0_priors/position",
    "role": "0_priors/role",
    "verb": "0_priors/verb",
    "markable": "1_entity_step",
    "world-knowledge": "2_coreference_step/world_knowledge",
    **{
        f"verb-overlap/{order.replace('_', '-')}": f"{_OVERLAP}/{order}"
        for order in ("drink_eat_drink", "drink_eat_eat", "eat_drink_drink", "eat_drink_eat")
    },
    **{
        f"{kind.replace('_', '-')}/{order.replace('_', '-')}": f"2_coreference_step/overlap/{kind}/{order}"
        for kind in ("object_overlap", "object_verb_overlap", "subject_overlap", "subject_verb_overlap")
        for order in ("eat_drink_drink", "eat_drink_eat")
        # The published German of this folder has the wrong words.
        if (kind, order) != ("object_overlap", "eat_drink_eat")
    },
    **{f"event/{name}": f"2_coreference_step/event/{name}" for name in ("chaos", "happened", "situation", "surprise")},
    **{f"pleonastic/{name}": f"2_coreference_step/pleonastic/{name}" for name in ("believe", "rain", "seem", "shame")},
    "gender": "3_gender_step/big",
}
_STEPS = {
    "0_priors": "priors",
    "1_entity_step": "markable",
    "2_coreference_step": "coreference",
    "3_gender_step": "language",
}
"""The step that a folder of templates tests (section 3 and Table 1 of the paper)."""
_FUNCTIONS = ("event", "pleonastic")
"""Templates whose pronoun has no antecedent, so that the neuter one is correct, with or without `genders.txt`."""
PHRASES = {name: name for name in ("true_separate", "and_it_true", "he_said")} | {
    **{name: name for name in ("she_said", "and_that_true", "but_sure", "but_sure_sep")},
    "true": "true:",
    "true_quot": "true:quot",
}
"""The folder of each added phrase."""

GENDER_OF = {"er": "m", "ihn": "m", "sie": "f", "es": "n"}
_CLASS_OF = {"m": "er", "f": "sie", "n": "es"}


@dataclass(frozen=True)
class Block:
    """The lines of one item on both sides, taken apart; `separators` are kept where they are not the usual one."""

    line: int
    source_context: tuple[str, ...]
    source: str
    target_context: tuple[str, ...]
    targets: tuple[str, ...]
    meta: dict[str, object]


def read_templates(folder: Path, label: str, step: str) -> Iterator[Item]:
    """The triples of one template folder, in the order er, sie, es; priors have no gold."""
    function = label.partition("/")[0] if label.startswith(_FUNCTIONS) else None
    genders = _genders(folder, function)
    groups: dict[tuple[str, ...], str] = {}

    def convert(line: int, block: Block) -> Item:
        golds = [gender.strip() for gender in islice(genders, 3)]
        if len(set(golds)) != 1:
            problem = f"expected the same gender in the three lines of an item, but found {golds}"
            raise InputError(
                problem, "download the folder again with `referee data get`", existing(folder / "genders.txt"), line
            )
        gold = GENDERS.index(golds[0]) if golds[0] in GENDERS else None
        candidates, spans = _alternatives(block.targets)
        # In priors the field holds the genders of the two nouns, first and second.
        pair = golds[0] if gold is None else ""
        name = f"{label}-{line // 3}"
        return Item(
            id=name,
            group=groups.setdefault(_words(block), name),
            task="translate",
            source_lang="en",
            target_lang="de",
            source_context=block.source_context,
            source=block.source,
            target_context=block.target_context,
            candidates=tuple(
                Candidate(candidate.text, candidate.features | {"gender": gender} | _referent(gender, pair, label))
                for candidate, gender in zip(candidates, GENDERS, strict=True)
            ),
            gold=gold,
            label=label,
            features={"step": step}
            | ({"genders": pair} if pair else {})
            | ({"function": function} if function else {})
            | _clause(label),
            spans=spans,
            meta=block.meta,
        )

    return to_items(folder / "de.txt", _by_line(blocks(folder, _triples(folder, function))), convert)


def _genders(folder: Path, function: str | None) -> Iterator[str]:
    """The gold gender of each line."""
    file = folder / "genders.txt"
    return text_lines(file) if function is None or is_there(file) else repeat("n")


def _referent(gender: str, pair: str, label: str) -> dict[str, str]:
    """Which of the two nouns of a prior a candidate refers to; left out if neither has its gender."""
    if gender not in pair:
        return {}
    index = pair.index(gender)
    role = {"referent": ("subject", "object")[index]} if label == "role" else {}
    return role | {"position": ("first", "second")[index]}


def _clause(label: str) -> dict[str, str]:
    """Which clause of the context the verb of the sentence was in: `eat-drink-eat` repeats the first."""
    template, _, order = label.partition("/")
    if template != "verb-overlap":
        return {}
    first, _, repeated = order.split("-")
    return {"clause": "first" if repeated == first else "second"}


def _words(block: Block) -> tuple[str, ...]:
    """What two orders of the same words have in common."""
    texts = (*block.source_context, block.source, *block.target_context)
    return tuple(sorted(re.findall(r"\w+", " ".join(texts).lower())))


def read_groups(folder: Path, groups: Path, attack: str | None = None) -> Iterator[Item]:
    """ContraPro as text: the first line of a group is the reference, the others are contrastive.

    An `attack` has changed the lines of the base texts, one for one.
    """
    numbers = count()

    def convert(_: int, block: Block) -> Item:
        base = f"contrapro-{next(numbers)}"
        candidates, spans = _alternatives(block.targets)
        return Item(
            id=base if attack is None else f"{base}+{attack}",
            group=base,
            task="translate",
            source_lang="en",
            target_lang="de",
            source_context=block.source_context,
            source=block.source,
            target_context=block.target_context,
            candidates=candidates,
            gold=0,
            reference=block.targets[0],
            label=_CLASS_OF.get(candidates[0].features.get("gender", "")),
            spans=spans,
            origin=None if attack is None else Origin(base, attack, "attack"),
            meta=block.meta,
        )

    return to_items(folder / "de.txt", _by_line(blocks(folder, group_sizes(groups, folder / "de.txt"))), convert)


def _by_line(read: Iterator[Block]) -> Iterator[tuple[int, Block]]:
    return ((block.line, block) for block in read)


def blocks(folder: Path, sizes: Iterator[int]) -> Iterator[Block]:
    """Reads `en.txt` and `de.txt` side by side, `sizes` lines at a time; all lines must be used up."""
    english, german = folder / "en.txt", folder / "de.txt"
    left, right = count_lines(english), count_lines(german)
    if left != right:
        problem = f"expected {left} lines, as many as {existing(english).name} has, but found {right}"
        raise InputError(problem, "download the folder again with `referee data get`", file=existing(german))
    sources, targets, file = text_lines(english), text_lines(german), existing(german)
    line = 1
    for size in sizes:
        yield _block(list(islice(sources, size)), list(islice(targets, size)), file, line, size)
        line += size
    if line != right + 1:
        problem = f"expected {line - 1} lines, as many as its items have, but found {right}"
        raise InputError(problem, "download the folder again with `referee data get`", file=existing(german))


def group_sizes(groups: Path, text: Path) -> Iterator[int]:
    """How many lines each group has; the file names the first line of each, and the end."""
    starts: list[int] = []
    for number, line in enumerate(text_lines(groups), 1):
        if not line.isdecimal() or (starts and int(line) <= starts[-1]):
            problem = f"{line!r} is not a line number above the previous one"
            raise InputError(problem, "download the folder again with `referee data get`", existing(groups), number)
        starts.append(int(line))
    total = count_lines(text)
    if starts[0] != 0 or starts[-1] != total:
        problem = f"expected groups from 0 to {total} ({existing(text).name}), but found {starts[0]} to {starts[-1]}"
        raise InputError(problem, "download the folder again with `referee data get`", file=existing(groups))
    return (after - before for before, after in pairwise(starts))


def _triples(folder: Path, function: str | None) -> Iterator[int]:
    total = count_lines(folder / "de.txt")
    has_genders = function is None or is_there(folder / "genders.txt")
    genders = count_lines(folder / "genders.txt") if has_genders else total
    if total % 3 or genders != total:
        problem = f"expected the same multiple of 3 lines here and in genders.txt, but found {total} and {genders}"
        raise InputError(problem, "download the folder again with `referee data get`", file=existing(folder / "de.txt"))
    return iter([3] * (total // 3))


def _block(sources: list[str], targets: list[str], file: Path, line: int, size: int) -> Block:
    if len(targets) < size:
        raise InputError(
            "ends in the middle of an item", "download the folder again with `referee data get`", file, line
        )
    english = [_split(source, file, line + i, "en.txt") for i, source in enumerate(sources)]
    german = [_split(target, file, line + i, file.name) for i, target in enumerate(targets)]
    meta: dict[str, object] = {}
    # A few published items repeat their English or their context with a difference: kept, so that nothing is lost.
    if len(set(sources)) > 1:
        meta["source_lines"] = sources
    if len({(context, separator) for context, separator, _ in german}) > 1:
        meta["target_lines"] = targets
    separators = [english[0][1], german[0][1]]
    if separators != [SEPARATOR, SEPARATOR]:
        meta["separators"] = separators
    return Block(
        line=line,
        source_context=_context(english[0][0]),
        source=english[0][2],
        target_context=_context(german[0][0]),
        targets=tuple(sentence for _, _, sentence in german),
        meta=meta,
    )


def _split(text: str, file: Path, line: int, name: str) -> tuple[str, str, str]:
    """Context, separator and sentence of a line in the file of that name, next to `file`."""
    before, mark, after = text.partition("<SEP>")
    if not mark:
        raise InputError(
            "has no <SEP> between context and sentence",
            "download the folder again with `referee data get`",
            file.with_name(name),
            line,
        )
    context, sentence = before.rstrip(), after.lstrip()
    return context, text[len(context) : len(text) - len(sentence)], sentence


def _context(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _alternatives(texts: tuple[str, ...]) -> tuple[tuple[Candidate, ...], tuple[Span, ...]]:
    """Candidates with the pronoun that makes them differ, its gender, and where it stands."""
    candidates, spans = [], []
    for index, (text, differing) in enumerate(zip(texts, changed_words(texts), strict=True)):
        features = {}
        # Possessives and reflexives change along with the pronoun: it is the pronoun that counts.
        span = next((span for span in differing if text[slice(*span)].lower() in GENDER_OF), None)
        if span is not None:
            pronoun = text[slice(*span)]
            features = {"pronoun": pronoun, "gender": GENDER_OF[pronoun.lower()]}
            spans.append(Span("pronoun", "candidate", *span, index))
        candidates.append(Candidate(text, features))
    return tuple(candidates), tuple(spans)


def attack_on_contrapro(attack: str) -> SetOrigin:
    """Provenance of a published set of attacked examples."""
    return SetOrigin("contracat/contrapro", attack, "attack")


def _suite(
    name: str,
    about: str,
    files: list[str],
    read: Callable[[Path], Iterator[Item]],
    origin: SetOrigin | None = None,
) -> Suite:
    return Suite(f"contracat/{name}", about, tuple(files), read, PAPER, LICENCE, origin=origin)


def _template(name: str, folder: str) -> Suite:
    names = ("en", "de") if name.startswith(_FUNCTIONS) else ("en", "de", "genders")
    files = [f"{_ROOT}/{folder}/{file}.txt" for file in names]
    about = f"ContraCAT template '{name}', English to German"
    step = _STEPS[folder.partition("/")[0]]
    return _suite(name, about, files, lambda data: read_templates(data / _ROOT / folder, name, step))


def _grouped(name: str, folder: str, about: str, attack: str | None = None) -> Suite:
    groups = f"{_BASE}/sentence_groups.txt"
    files = [f"{folder}/en.txt", f"{folder}/de.txt", groups]
    origin = None if attack is None else attack_on_contrapro(attack)
    return _suite(name, about, files, lambda data: read_groups(data / folder, data / groups, attack), origin)


SUITES = (
    *(_template(name, folder) for name, folder in TEMPLATES.items()),
    _grouped("contrapro", _BASE, "ContraPro with one sentence of context, original of the perturbed sets"),
    *(
        _grouped(
            f"phrase-addition/{name}",
            f"{_BASE}/phrase_addition/{folder}",
            f"ContraPro perturbed with '{name}'",
            f"phrase-addition/{name}",
        )
        for name, folder in PHRASES.items()
    ),
)
