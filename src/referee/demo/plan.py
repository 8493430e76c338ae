"""What the demo does: its samples, and the steps that evaluate the pocket translator on them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.items import Item
from referee.sets.sampling import drawn

MODEL = "pocket"
SEED = "referee demo"
QUICK = 1 / 6
"""What part of the full size `--quick` takes."""
_FEWEST = 3


@dataclass(frozen=True)
class Sample:
    """A number of groups from each of some templates of a language, at full size."""

    name: str
    templates: tuple[str, ...]
    groups: int

    @property
    def language(self) -> str:
        """Its language, which its name begins with."""
        return self.name.partition("/")[0]

    @property
    def file(self) -> str:
        """The name of its file, without ending."""
        return self.name.replace("/", "-")

    def items(self, share: float) -> Iterator[Item]:
        """Its items at a part of the full size."""
        from referee.build.templates import open_templates

        templates = open_templates(self.language)
        groups = max(_FEWEST, round(self.groups * share))
        for name in self.templates:
            yield from drawn(templates.items([name]), groups, f"{SEED} {self.language} {name}")


@dataclass(frozen=True)
class Step:
    """One question put to the translator, one run folder."""

    name: str
    title: str
    about: str
    samples: tuple[str, ...]
    attacks: tuple[str, ...] = ()
    how: str = "contrastive"
    context: int = 1
    by: tuple[str, ...] = ("label", "clause", "gender")

    def command(self, folder: Path) -> list[str]:
        """The command that does the same."""
        files = [str(folder / "sets" / f"{name.replace('/', '-')}.jsonl") for name in self.samples]
        attacks = [word for name in self.attacks for word in ("--perturb", name)]
        by = [word for name in self.by for word in ("--by", name)]
        return ["referee", "eval", MODEL, *files, "--context", str(self.context), "--how", self.how, *attacks, *by]

    def shell(self, folder: Path) -> str:
        """The same as one types it."""
        return shlex.join(self.command(folder))


OVERLAP = ("verb-overlap", "object-overlap", "subject-overlap")
SAMPLES = {
    sample.name: sample
    for sample in (
        Sample("de/gender", ("gender",), 180),
        Sample("de/overlap", OVERLAP, 24),
        Sample("de/world-knowledge", ("world-knowledge",), 90),
        Sample("de/markable", ("markable",), 60),
        Sample("de/event", ("event",), 60),
        Sample("de/pleonastic", ("pleonastic",), 60),
        Sample("de/role-prior", ("role-prior",), 90),
        Sample("de/position-prior", ("position-prior",), 90),
        Sample("de/verb-prior", ("verb-prior",), 120),
        Sample("fr/gender", ("gender",), 120),
        Sample("fr/overlap", OVERLAP, 18),
        Sample("fr/world-knowledge", ("world-knowledge",), 60),
    )
}

STEPS = {
    step.name: step
    for step in (
        Step(
            "de-gender",
            "German: noun gender",
            "One noun is mentioned, so 'it' can only refer to it. German needs er, sie or es by the noun's gender. The "
            "translator scores all three translations; the best score is its choice.",
            ("de/gender",),
            by=("gender",),
        ),
        Step(
            "de-pronouns",
            "German: antecedent choice",
            "Two nouns are mentioned, and the words around 'it' decide which one it refers to. A group has the same "
            "words in every form and order. A model that resolves the pronoun gets all members of a group correct; a "
            "heuristic gets half of them.",
            ("de/overlap", "de/world-knowledge", "de/markable", "de/event", "de/pleonastic"),
        ),
        Step(
            "de-priors",
            "German: priors",
            "Nothing in these sentences decides what 'it' refers to, so a consistent choice is a prior.",
            ("de/role-prior", "de/position-prior", "de/verb-prior"),
        ),
        Step(
            "de-attacks",
            "German: perturbations",
            "The items of the first step, with changes that should not matter: the sentence is quoted, or the noun "
            "gets an owner. 'Of the woman' keeps the German article, which shows the gender; 'Maria's' removes it.",
            ("de/gender",),
            attacks=("phrase/he-said", "possessive/woman", "possessive/maria"),
            by=("gender",),
        ),
        Step(
            "fr",
            "French: noun gender and antecedent choice",
            "The main questions in a language with two genders, where the chance level is 50%.",
            ("fr/gender", "fr/overlap", "fr/world-knowledge"),
        ),
        Step(
            "de-both",
            "German: generation and scoring",
            "Scores compare given translations, after a given translation of the preceding sentence. Here the "
            "translator also generates its own translation of both sentences, and its pronoun is evaluated.",
            ("de/gender",),
            how="both",
            by=("gender",),
        ),
        Step(
            "de-sentence",
            "German: no context",
            "The same items, but the translator sees only the sentence with 'it'. A model that uses the context falls "
            "to chance.",
            ("de/gender", "de/overlap"),
            context=0,
            by=("gender",),
        ),
    )
}
