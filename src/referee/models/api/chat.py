"""`api:` any server that speaks the OpenAI protocol: translation and choice by chat, scores where it tells them."""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from referee.errors import MissingError, UsageError
from referee.io.retry import RetryPolicy
from referee.logs import logger
from referee.models.api import prompts, responses
from referee.models.api.client import Client
from referee.models.api.echo import no_echo, scored
from referee.models.api.errors import ApiError
from referee.models.api.prompts import LETTERS
from referee.models.api.responses import Chat
from referee.models.api.session import RETRY, Body, Session, Terms
from referee.models.spec import ModelSpec
from referee.protocols import Answers, ChooseOption, Identity, ScoreText, TokenScores, TranslateDoc

_CHOICE_TOKENS = 16
_LISTED = 20  # alternatives to ask for at each token: the most that servers give

_UNSUPPORTED = frozenset({400, 404, 405, 422, 501})
_TOO_LONG = re.compile(
    r"context.?length|context.?(window|size)|too (long|large|many tokens)|maximum.*(length|tokens)", re.I
)

Job = TypeVar("Job")


@dataclass(eq=False)
class ApiModel:
    """A model behind a web service, which calls it `model`. The first request shows what the service can do."""

    client: Client
    model: str
    name: str
    logprobs: str = "auto"
    max_tokens: int | None = None
    before: str = ""
    _echoes: bool = False
    _letters: bool | None = None

    def __post_init__(self) -> None:
        if self.logprobs != "auto":
            self._letters = self.logprobs == "yes"

    def identity(self) -> Identity:
        """The address, the name and the prompts; what the server runs under that name it does not tell."""
        settings = {
            "url": self.client.terms.url,
            "model": self.model,
            "prompts": prompts.VERSION,
            "logprobs": self.logprobs,
        }
        if self.max_tokens:
            settings["max_tokens"] = str(self.max_tokens)
        if self.before:
            settings["before"] = self.before
        return Identity(hashlib.sha256(msgspec.json.encode(settings, order="sorted")).hexdigest(), settings)

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        """Translations of whole documents, each in one line."""
        cut = 0
        for number, (text, whole) in self.client.ask(sources, self._translate):
            cut += not whole
            yield number, text
        if cut:
            logger.warning("api: %d of %d translations were cut off at max_tokens", cut, len(sources))

    def choose(self, questions: Sequence[ChooseOption]) -> Answers:
        """Asks with the options as given and reversed: the mean of votes or of log-probabilities for each option."""
        return self._ask(questions, self._choose, lambda: self._letters is not None)

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Log-probabilities of the tokens of each text, from servers that give back the prompt with them."""
        return self._ask(texts, self._score, lambda: self._echoes)

    def _ask(
        self, jobs: Sequence[Job], do: Callable[[Session, Job], TokenScores], settled: Callable[[], bool]
    ) -> Answers:
        """One job after the other until it is settled what the server can do, then all at once."""

        def done(session: Session, job: Job) -> TokenScores:
            try:
                return do(session, job)
            except ApiError as error:
                if not _is_too_long(error):
                    raise
                return TokenScores(refused=f"too long: {error.problem}")

        first = 0
        while first < len(jobs) and not settled():
            yield from ((first, answer) for _, answer in self.client.ask(jobs[first : first + 1], done))
            first += 1
        yield from ((first + number, answer) for number, answer in self.client.ask(jobs[first:], done))

    def _translate(self, session: Session, source: TranslateDoc) -> tuple[str, bool]:
        text = " ".join(source.sentences)
        if not text.strip():
            return "", True
        names = {
            "source": prompts.language_name(source.source_lang),
            "target": prompts.language_name(source.target_lang),
        }
        body = self._chat(prompts.TRANSLATE.format(**names), text, 64 + 2 * len(text))
        reply = session.post("chat/completions", body, responses.chat)
        return " ".join(reply.text.split()), reply.finish != "length"

    def _choose(self, session: Session, question: ChooseOption) -> TokenScores:
        if not 1 <= len(question.options) <= len(LETTERS):
            return TokenScores(refused=f"{len(question.options)} options, one letter each allows {len(LETTERS)}")
        order = range(len(question.options))
        ballots = [self._ballot(session, question, asked) for asked in (order, order[::-1])]
        valid = [ballot for ballot in ballots if ballot is not None]
        if not valid:
            return TokenScores(refused="no answer names an option, in either order")
        # An answer that cannot be read is a vote for nobody, but it says nothing about probabilities.
        voters = len(valid) if self._letters else len(ballots)
        return TokenScores(tuple(math.fsum(column) / voters for column in zip(*valid, strict=True)))

    def _ballot(self, session: Session, question: ChooseOption, order: Sequence[int]) -> list[float] | None:
        """What one answer gives to each option; nothing where it names none."""
        names = LETTERS[: len(order)]
        lines = [f"{name}. {question.options[option]}" for name, option in zip(names, order, strict=True)]
        asked = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names
        user = prompts.QUESTION.format(text=question.text, options="\n".join(lines), letters=asked)
        reply = self._answer(session, self._chat(prompts.CHOOSE, user, _CHOICE_TOKENS))
        by_letter: dict[str, float] | None
        if self._letters:
            by_letter = prompts.letter_logprobs(reply, names)
        else:
            options = [(name, question.options[option]) for name, option in zip(names, order, strict=True)]
            voted = prompts.letter(reply.text, options)
            by_letter = {name: float(name == voted) for name in names} if voted else None
        if by_letter is None:
            return None
        return [by_letter[names[order.index(option)]] for option in range(len(order))]

    def _answer(self, session: Session, body: Body) -> Chat:
        """The reply, with log-probabilities if wanted; the first reply shows whether they are available."""
        if self._letters is False:
            return session.post("chat/completions", body, responses.chat)
        asked = {**body, "logprobs": True, "top_logprobs": _LISTED}
        why = "the answer has none"
        try:
            reply = session.post("chat/completions", asked, responses.chat)
            if reply.tokens:
                self._letters = True
                return reply
        except ApiError as error:
            if error.status not in _UNSUPPORTED or error.status == 404 or _is_too_long(error) or self._letters:
                raise
            reply, why = None, error.problem
        if self._letters:
            problem = f"does not return log-probabilities of answers ({why})"
            raise ApiError(problem, "remove logprobs=yes to count votes instead", file=self.client.terms.url)
        reply = reply or session.post("chat/completions", body, responses.chat)
        self._letters = False
        logger.warning("api: the server returns no log-probabilities of answers, so votes are counted")
        return reply

    def _score(self, session: Session, text: ScoreText) -> TokenScores:
        prompt, start = self.before + text.text, len(self.before) + text.start
        if start >= len(prompt):
            return TokenScores(refused="no token to score")
        # One new token is asked for, and ignored, since not every server allows none.
        body = {"model": self.model, "prompt": prompt, "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0}
        try:
            scores = session.post("completions", body, lambda content: scored(prompt, start, content))
        except ApiError as error:
            if self._echoes or error.status not in _UNSUPPORTED or _is_too_long(error):
                raise
            raise no_echo(error.problem).at(self.client.terms.url) from None
        self._echoes = True
        return scores

    def _chat(self, system: str, user: str, most: int) -> Body:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return {"model": self.model, "messages": messages, "temperature": 0, "max_tokens": self.max_tokens or most}


def open_api(spec: ModelSpec, retry: RetryPolicy = RETRY) -> ApiModel:
    """`api:URL,model=NAME` with options parallel, rate, budget, timeout, key, logprobs, max_tokens and before."""
    spec.only("model", "parallel", "rate", "budget", "timeout", "key", "logprobs", "max_tokens", "before")
    if not spec.options.get("model"):
        raise UsageError(f"'{spec.text}' lacks the name of a model", "add model=NAME, as the server calls it")
    key_name, key = _key(spec)
    terms = Terms(
        url=_address(spec.name),
        key=key,
        key_name=key_name,
        parallel=spec.number("parallel", 8),
        rate=_positive(spec, "rate"),
        budget=spec.number("budget", 1) if "budget" in spec.options else None,
        timeout=_positive(spec, "timeout") or 120.0,
        retry=retry,
    )
    return ApiModel(
        Client(terms),
        spec.options["model"],
        spec.text,
        logprobs=spec.option("logprobs", ("yes", "no", "auto"), "auto"),
        max_tokens=spec.number("max_tokens", 1) if "max_tokens" in spec.options else None,
        before=spec.options.get("before", ""),
    )


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    # The address is kept in run folders, so nothing secret may be in it; the text may hold what it must not show.
    if usable and (parts.username or parts.password or parts.query or parts.fragment):
        raise UsageError(
            "the address of 'api:' has a user name, a query or a fragment",
            "remove it, and pass a key with key=VARIABLE",
        )
    if not usable:
        raise UsageError(f"'{text}' is not a server address", "write api:http://HOST:PORT/v1,model=NAME")
    return text.rstrip("/")


def _key(spec: ModelSpec) -> tuple[str, str]:
    """The name of the variable and the key in it; neither is repeated where it is wrong, since it may be the key."""
    name = spec.options.get("key", "REFEREE_API_KEY")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise UsageError("key= is not the name of an environment variable", "store the key in one and give its name")
    key = os.environ.get(name, "").strip()
    if not key and "key" in spec.options:
        raise MissingError("the environment variable given by key= is not set", "set it to the key of the server")
    if not key.isascii() or not key.isprintable():
        raise UsageError(f"the key in {name} has invalid characters", "set it again")
    return name, key


def _positive(spec: ModelSpec, key: str) -> float | None:
    """One option that is a positive number."""
    text = spec.options.get(key)
    if text is None:
        return None
    if not re.fullmatch(r"\d+(\.\d+)?|\.\d+", text, re.ASCII) or not 0 < float(text) < math.inf:
        raise UsageError(f"'{key}={text}' in '{spec.text}' is not valid", "use a positive number")
    return float(text)


def _is_too_long(error: ApiError) -> bool:
    return error.status in (400, 413, 422) and bool(_TOO_LONG.search(error.problem))
