"""`api:` any server that speaks the OpenAI protocol: translation and choice by chat, scores where it tells them."""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
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
from referee.models.api.parameters import Body, Parameters
from referee.models.api.prompts import LETTERS
from referee.models.api.responses import Chat
from referee.models.api.session import RETRY, Session, Terms
from referee.models.api.usage import Meter, Prices
from referee.models.spec import ModelSpec
from referee.protocols import Answers, ChooseOption, Identity, ScoreText, TokenScores, TranslateDoc, Translation, Usage

_CHOICE_TOKENS = 16
_LOGPROBS = ("logprobs", "top_logprobs")
_ECHO = ("echo", "logprobs")
_LISTED = 20  # alternatives to ask for at each token: the most that servers give
_CHARACTERS = 100  # of one token, at most
_PACING = frozenset(
    {"parallel", "rate", "budget", "timeout", "key", "price_in", "price_out", "price_cached", "max_cost"}
)

_UNSUPPORTED = frozenset({400, 404, 405, 422, 501})
_TRUNCATED: list[float] = []  # the ballot of an answer that was cut off before its text began
_TOO_LONG = re.compile(
    r"context.?length|context.?(window|size)|too (long|large|many tokens)|maximum.*(length|tokens)", re.I
)

Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass(eq=False)
class ApiModel:
    """A model behind a web service, which calls it `model`. The first request shows what the service can do."""

    client: Client
    model: str
    name: str
    logprobs: str = "auto"
    max_tokens: int | None = None
    before: str = ""
    pacing: frozenset[str] = _PACING
    _echoes: bool = False
    _letters: bool | None = None
    _earlier: tuple[str, ...] = field(default=())

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
        # Questions have a limit of their own unless the user sets one.
        generation = {} if self.max_tokens else {"max_tokens": "2 x characters + 64"}
        return Identity(hashlib.sha256(msgspec.json.encode(settings, order="sorted")).hexdigest(), settings, generation)

    def sent(self) -> str:
        """The parameters that the server refused, what is sent in their place, and where the answers are read."""
        letters = {None: "", True: "answers=logprobs", False: "answers=votes"}[self._letters]
        found_out = letters if self.logprobs == "auto" else ""
        return ",".join(part for part in (found_out, self.client.parameters.text) if part)

    def adapt(self, sent: str) -> None:
        """Begin with what an earlier run found out about the server."""
        known, _, rest = sent.partition(",")
        if not known.startswith("answers="):
            rest = sent
        elif self.logprobs == "auto":
            self._letters = known == "answers=logprobs"
        self.client.parameters.restore(rest)

    def usage(self) -> Usage:
        """Requests, tokens and cost, with those of earlier starts of the run."""
        sent = self.sent()
        states = self._earlier if not sent or sent in self._earlier else (*self._earlier, sent)
        return msgspec.structs.replace(self.client.meter.usage, sent=states)

    def resume(self, earlier: Usage) -> None:
        """Count what earlier starts of the same run used: `max_cost` is for the run as a whole."""
        self._earlier = earlier.sent
        self.client.meter.add(earlier)

    def translate(self, sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, Translation]]:
        """Translations of whole documents, each in one line."""
        cut = empty = 0
        for number, translation in self._in_turn(sources, self._translate, lambda: self.client.answered):
            cut += translation.truncated
            empty += translation.truncated and not translation.text
            yield number, translation
        if cut:
            began = f", {empty} of them before their text began" if empty else ""
            logger.warning("api: %d of %d translations were cut off at max_tokens%s", cut, len(sources), began)

    def choose(self, questions: Sequence[ChooseOption]) -> Answers:
        """Asks with the options as given and reversed: the mean of votes or of log-probabilities for each option."""
        return self._ask(questions, self._choose, lambda: self._letters is not None and self.client.answered)

    def score_texts(self, texts: Sequence[ScoreText]) -> Answers:
        """Log-probabilities of the tokens of each text, from servers that give back the prompt with them."""
        return self._ask(texts, self._score, lambda: self._echoes)

    def _ask(
        self, jobs: Sequence[Job], do: Callable[[Session, Job], TokenScores], settled: Callable[[], bool]
    ) -> Answers:
        """What the jobs give; one that is too long for the model is refused alone."""

        def done(session: Session, job: Job) -> TokenScores:
            try:
                return do(session, job)
            except ApiError as error:
                if not _is_too_long(error):
                    raise
                return TokenScores(refused=f"too long: {error.problem}")

        return self._in_turn(jobs, done, settled)

    def _in_turn(
        self, jobs: Sequence[Job], do: Callable[[Session, Job], Result], settled: Callable[[], bool]
    ) -> Iterator[tuple[int, Result]]:
        """One job after the other until it is settled what the server can do, then all at once."""
        first = 0
        while first < len(jobs) and not settled():
            yield from ((first, answer) for _, answer in self.client.ask(jobs[first : first + 1], do))
            first += 1
        yield from ((first + number, answer) for number, answer in self.client.ask(jobs[first:], do))

    def _translate(self, session: Session, source: TranslateDoc) -> Translation:
        text = source.text
        if not text.strip():
            return Translation("")
        names = {
            "source": prompts.language_name(source.source_lang),
            "target": prompts.language_name(source.target_lang),
        }
        most = 64 + 2 * len(text)

        def read(content: bytes) -> Chat:
            reply = responses.chat(content)
            if len(reply.text) > _CHARACTERS * (self.max_tokens or most):
                raise ValueError(f"{len(reply.text)} characters are more than max_tokens allows")
            return reply

        reply = session.post("chat/completions", self._chat(prompts.TRANSLATE.format(**names), text, most), read)
        return Translation(" ".join(reply.text.split()), reply.truncated)

    def _choose(self, session: Session, question: ChooseOption) -> TokenScores:
        if not 1 <= len(question.options) <= len(LETTERS):
            return TokenScores(refused=f"{len(question.options)} options, one letter each allows {len(LETTERS)}")
        order = range(len(question.options))
        ballots = [self._ballot(session, question, asked) for asked in (order, order[::-1])]
        if _TRUNCATED in ballots:
            return TokenScores(refused="the answer was cut off at max_tokens before its text began")
        valid = [ballot for ballot in ballots if ballot is not None]
        if not valid:
            return TokenScores(refused="no answer names an option, in either order")
        # An answer that cannot be read is a vote for nobody, but it says nothing about probabilities.
        voters = len(valid) if self._letters else len(ballots)
        return TokenScores(tuple(math.fsum(column) / voters for column in zip(*valid, strict=True)))

    def _ballot(self, session: Session, question: ChooseOption, order: Sequence[int]) -> list[float] | None:
        """What one answer gives to each option; None where it names none."""
        names = LETTERS[: len(order)]
        lines = [f"{name}. {question.options[option]}" for name, option in zip(names, order, strict=True)]
        asked = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names
        user = prompts.QUESTION.format(text=question.text, options="\n".join(lines), letters=asked)
        reply = self._answer(session, self._chat(prompts.CHOOSE, user, _CHOICE_TOKENS))
        if reply.truncated and not reply.text.strip():
            return _TRUNCATED
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
            reply = session.post("chat/completions", asked, responses.chat, needed=_LOGPROBS)
            if reply.tokens:
                self._letters = True
            if reply.tokens or (reply.truncated and not reply.text.strip()):
                return reply
        except ApiError as error:
            refused = error.refused in _LOGPROBS
            unsupported = error.status in _UNSUPPORTED and error.status != 404 and not _is_too_long(error)
            if not refused and (self._letters or not unsupported):
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
            scores = session.post("completions", body, lambda content: scored(prompt, start, content), needed=_ECHO)
        except ApiError as error:
            if error.refused in _ECHO:
                raise no_echo(error.problem).at(self.client.terms.url) from None
            if self._echoes or error.status not in _UNSUPPORTED or _is_too_long(error):
                raise
            raise no_echo(error.problem).at(self.client.terms.url) from None
        self._echoes = True
        return scores

    def _chat(self, system: str, user: str, most: int) -> Body:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return {"model": self.model, "messages": messages, "temperature": 0, "max_tokens": self.max_tokens or most}


def open_api(spec: ModelSpec, retry: RetryPolicy = RETRY) -> ApiModel:
    """`api:URL,model=NAME` with the options of its kind; prices are per million tokens."""
    spec.only("model", "logprobs", "max_tokens", "before", *sorted(_PACING))
    if not spec.options.get("model"):
        raise UsageError(f"'{spec.text}' lacks the name of a model", "add model=NAME, as the server calls it")
    key_name, key = _key(spec)
    terms = Terms(
        url=_address(spec.name),
        key=key,
        key_name=key_name,
        parallel=spec.number("parallel", 8),
        rate=_positive(spec, "rate"),
        timeout=_positive(spec, "timeout") or 120.0,
        retry=retry,
    )
    budget = spec.number("budget", 1) if "budget" in spec.options else None
    meter = Meter(budget, _prices(spec), _positive(spec, "max_cost"))
    # A limit that the user sets holds for reasoning too.
    parameters = Parameters(reasoning=0) if "max_tokens" in spec.options else Parameters()
    return ApiModel(
        Client(terms, meter, parameters),
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


def _prices(spec: ModelSpec) -> Prices | None:
    given = [_price(spec, key) for key in ("price_in", "price_out", "price_cached")]
    prompt, completion, cached = given
    if prompt is not None and completion is not None:
        return Prices(prompt, completion, prompt if cached is None else cached)
    if "max_cost" in spec.options or given != [None, None, None]:
        problem = f"'{spec.text}' lacks prices to count the cost"
        raise UsageError(problem, "add price_in= and price_out=, the prices per million tokens")
    return None


def _price(spec: ModelSpec, key: str) -> float | None:
    """One option that is a price, which may be 0."""
    text = spec.options.get(key)
    return 0.0 if text is not None and re.fullmatch(r"0(\.0*)?", text) else _positive(spec, key)


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
