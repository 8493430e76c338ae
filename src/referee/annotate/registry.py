"""Annotators, resolvers and aligners by name, or the best one that is installed.

Plug-ins add tools through the entry points `referee.annotators`, `referee.resolvers` and `referee.aligners`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any, NamedTuple

from referee.annotate.protocols import Aligner, Annotator, Resolver
from referee.errors import MissingError, RefereeError, UsageError
from referee.languages import base
from referee.registry import lookup, named, plugins

AUTO = "auto"


class Package(NamedTuple):
    """A package that a tool needs: the module that is imported, and the name that `pip` knows."""

    module: str
    distribution: str

    @property
    def installed(self) -> bool:
        """Whether it can be imported."""
        return find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """Its version, empty if it is not installed as a package."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return ""


class Choice(NamedTuple):
    """A tool that can be opened for a language: how good it is compared with others, and its argument."""

    quality: int
    argument: str


@dataclass(frozen=True)
class Tool:
    """An annotator, a resolver or an aligner: how it is written, what it needs, and the function that opens it.

    `open` takes what follows the colon of the name (empty for nothing) and returns the tool. It is a function, or its
    name as "module:function", which is imported when it is needed. Where the argument names a model, `choices` (also by
    name) takes a language and returns what is installed for it, or everything for an empty one. Other tools are a
    choice of their `quality` in their `languages`. A tool without `quality` and `choices` is opened by name only. No
    `languages` means any.
    """

    name: str
    usage: str
    about: str
    open: str | Callable[[str], Any]
    needs: tuple[Package, ...] = ()
    languages: tuple[str, ...] = ()
    quality: int | None = None
    choices: str | Callable[[str], Sequence[Choice]] | None = None
    licence: str = ""
    get: str = ""
    """The command that installs it; empty for what is always there."""
    get_models: str = ""
    """The command that installs what `choices` finds."""

    @property
    def installed(self) -> bool:
        """Whether all packages that it needs are there."""
        return all(package.installed for package in self.needs)

    def next_step(self) -> str:
        """The command that installs what is missing; empty if it can be used."""
        if not self.installed:
            return self.get
        return "" if self.choices is None or self.available([""]) else self.get_models

    def state(self) -> str:
        """What is installed, for lists: `no`, `yes`, or the version and the models."""
        if not self.installed:
            return "no"
        if not self.needs:
            return "yes"
        models = sorted({choice.argument for choice in self.available([""])}) if self.choices else []
        return " ".join([self.needs[-1].version or "yes", *(["with"] * bool(models)), *models])

    def supports(self, languages: Sequence[str]) -> bool:
        """Whether it can be asked about all these languages."""
        return not self.languages or set(languages) <= set(self.languages)

    def available(self, languages: Sequence[str]) -> list[Choice]:
        """What can be opened for these languages, best first."""
        if not (self.installed and self.supports(languages)):
            return []
        if self.choices is None:
            return [] if self.quality is None else [Choice(self.quality, "")]
        function = resolve_name(self.choices) if isinstance(self.choices, str) else self.choices
        choices = {choice for language in languages for choice in function(language)}
        return sorted(choices, key=lambda choice: (-choice.quality, choice.argument))

    def opened(self, argument: str) -> object:
        """The tool; a package that is missing is an error with the command that installs it."""
        missing = [package.distribution for package in self.needs if not package.installed]
        if missing:
            problem = f"'{self.name}' needs the package {' and '.join(missing)}, which is not installed"
            raise MissingError(problem, f"install it with `{self.get}`")
        function = resolve_name(self.open) if isinstance(self.open, str) else self.open
        try:
            return function(argument)
        except ImportError as error:
            problem = f"'{self.name}' needs a package that is not installed ({error})"
            raise MissingError(problem, f"install it with `{self.get}`" if self.get else "install it") from None


@dataclass(frozen=True)
class Kind:
    """One of the three registries."""

    noun: str
    group: str
    protocol: type
    table: str
    """The tools of the package, as "module:name"."""

    def tools(self) -> dict[str, Tool]:
        """All tools by name."""
        return named((*resolve_name(self.table), *plugins(self.group, Tool)))

    def open(self, spec: str, languages: Sequence[str]) -> Any:  # noqa: ANN401 the caller names the protocol
        """The tool that `spec` names (`name` or `name:argument`), or the best one for the languages (`auto`)."""
        codes = [base(language) for language in languages if language]
        tool, argument = self.best(codes) if spec == AUTO else self.parsed(spec, codes)
        opened = tool.opened(argument)
        if not isinstance(opened, self.protocol):
            problem = f"the {self.noun} '{tool.name}' opened {opened!r}, which is not {_article(self.noun)}"
            raise RefereeError(problem, "fix or uninstall its package")
        return opened

    def best(self, languages: Sequence[str]) -> tuple[Tool, str]:
        """The best tool that is installed for the languages, and its argument."""
        ranked = [(choice, tool) for tool in self.tools().values() for choice in tool.available(languages)[:1]]
        if not ranked:
            wanted = f" for '{'-'.join(languages)}'" if languages else ""
            problem = f"no {self.noun}{wanted} is installed"
            raise MissingError(problem, f"install one (`referee list {self.noun}s` shows how)")
        choice, tool = max(ranked, key=lambda pair: (pair[0].quality, pair[1].name))
        return tool, choice.argument

    def parsed(self, spec: str, languages: Sequence[str]) -> tuple[Tool, str]:
        """The tool and the argument of a spec; a tool that needs an argument gets the best for the languages."""
        name, colon, argument = spec.partition(":")
        if colon and not argument:
            raise UsageError(f"'{spec}' has nothing after the colon", f"write '{name}' or '{name}:...'")
        tool = lookup(self.noun, name, self.tools())
        if not tool.supports(languages):
            problem = f"'{name}' does not support '{'-'.join(languages)}' (it supports {', '.join(tool.languages)})"
            raise UsageError(problem, f"choose another of `referee list {self.noun}s`")
        if argument or tool.choices is None or not tool.installed:
            return tool, argument
        choices = tool.available(languages)
        if not choices:
            wanted = f" for '{'-'.join(languages)}'" if languages else ""
            command = f": `{tool.get_models}`" if tool.get_models else ""
            raise MissingError(
                f"'{name}' has nothing installed{wanted}", f"write {tool.usage}, or install one{command}"
            )
        return tool, choices[0].argument


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


ANNOTATORS = Kind("annotator", "referee.annotators", Annotator, "referee.annotate.tools:ANNOTATORS")
RESOLVERS = Kind("resolver", "referee.resolvers", Resolver, "referee.annotate.tools:RESOLVERS")
ALIGNERS = Kind("aligner", "referee.aligners", Aligner, "referee.annotate.tools:ALIGNERS")


def open_annotator(name: str = AUTO, *, language: str = "") -> Annotator:
    """Open an annotator by name, or the best one that is installed for a language.

    Names are those of `referee list annotators`: `pocket`, `spacy:NAME`, `stanza:LL`.

    >>> open_annotator("pokcet")
    Traceback (most recent call last):
    referee.errors.UnknownNameError: unknown annotator 'pokcet' (did you mean pocket?). ...
    """
    opened: Annotator = ANNOTATORS.open(name, [language])
    return opened


def open_resolver(name: str = AUTO, *, language: str = "en") -> Resolver:
    """Open a resolver of pronouns by name, or the best one that is installed for a language.

    >>> open_resolver("fastcorf")
    Traceback (most recent call last):
    referee.errors.UnknownNameError: unknown resolver 'fastcorf' (did you mean fastcoref?). ...
    """
    opened: Resolver = RESOLVERS.open(name, [language])
    return opened


def open_aligner(name: str = AUTO, *, source: str = "", target: str = "") -> Aligner:
    """Open a word aligner by name, or the best one that is installed for two languages.

    >>> open_aligner("eflomol")
    Traceback (most recent call last):
    referee.errors.UnknownNameError: unknown aligner 'eflomol' (did you mean eflomal?). ...
    """
    opened: Aligner = ALIGNERS.open(name, [source, target])
    return opened
