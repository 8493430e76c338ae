"""The real thing on loopback: `transformers serve` with a small model made on the spot.

It gives no log-probabilities, so what is shown of them here is that their absence is noticed.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from referee.models.api.chat import ApiModel, open_api
from referee.models.api.errors import ApiError
from referee.models.spec import parse
from referee.protocols import ChooseOption, ScoreText, TranslateDoc

pytestmark = pytest.mark.slow

START_S = 120.0
TEMPLATE = "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}assistant: "
SOURCES = [
    TranslateDoc(("The cat put the cup into the box.", "It was too full."), "en", "de"),
    TranslateDoc(("Where is the spoon?",), "en", "fr"),
    TranslateDoc(("The bird sat on the fence.",), "en", "es"),
]
QUESTION = ChooseOption(
    "The dog did not eat the apple because it was not hungry. What was not hungry?", ("dog", "apple")
)


@dataclass(frozen=True)
class Served:
    url: str
    name: str
    log: Path

    def opened(self, options: str = "") -> ApiModel:
        return open_api(parse(f"api:{self.url},model={self.name}{options}"))

    def lines(self, text: str) -> int:
        return self.log.read_text(encoding="utf-8").count(text)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    for package in ("fastapi", "uvicorn", "openai", "starlette"):
        pytest.importorskip(package, reason=f"transformers serve needs {package}")
    program = Path(sys.executable).with_name("transformers")
    if not program.exists():
        pytest.skip(f"there is no {program}")
    folder = tmp_path_factory.mktemp("served")
    name = _checkpoint(folder / "llama")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "log.txt"
    command = [str(program), "serve", name, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hub"), "PYTHONWARNINGS": "default"}
    with log.open("w") as file, subprocess.Popen(command, stdout=file, stderr=file, env=offline) as process:
        try:
            _wait(process, port, log)
            yield Served(f"http://127.0.0.1:{port}/v1", name, log)
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def _checkpoint(folder: Path) -> str:
    """A model of the Llama family, which has no longest input, and a way to write down a chat."""
    from tests.support import tiny_models as tiny

    tiny.make("llama", folder)
    tokenizer = tiny.transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    return str(folder)


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health", timeout=2).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    pytest.fail(f"transformers serve did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")


def test_translations_come_and_are_the_same_twice(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    model = served.opened(",max_tokens=24")
    first = dict(model.translate(SOURCES))
    assert sorted(first) == [0, 1, 2]
    assert all(answer.text and "\n" not in answer.text for answer in first.values())
    assert len(set(first.values())) == 3  # each of its own text
    alone = served.opened(",max_tokens=24,parallel=1")
    assert dict(alone.translate(SOURCES)) == first
    assert all("max_tokens" in line for line in caplog.messages)


def test_questions_are_asked_in_both_orders(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    before = served.lines("POST /v1/chat/completions")
    model = served.opened()
    first = dict(model.choose([QUESTION, QUESTION]))
    assert caplog.messages == ["api: the server returns no log-probabilities of answers, so votes are counted"]
    assert served.lines("POST /v1/chat/completions") == before + 4
    assert served.lines("Ignoring unsupported fields in the request: {") > 0
    assert first[0] == first[1]  # the same question
    # A model that knows nothing seldom names a letter; where it does, votes are counted in halves.
    scores = first[0]
    assert scores.refused == "no answer names an option, in either order" or sum(scores.logprobs) in (0.5, 1.0)
    assert dict(served.opened(",logprobs=no").choose([QUESTION])) == {0: scores}


def test_log_probabilities_are_said_to_be_missing(served: Served) -> None:
    before = served.lines("POST /v1/completions")
    with pytest.raises(ApiError, match="does not return the log-probabilities of a given text"):
        list(served.opened().score_texts([ScoreText("The cat sat."), ScoreText("The dog sat.")]))
    assert served.lines("POST /v1/completions") == before + 1
    with pytest.raises(ApiError, match="does not return log-probabilities of answers"):
        list(served.opened(",logprobs=yes").choose([QUESTION]))


def test_a_model_that_is_not_served(served: Served) -> None:
    model = open_api(parse(f"api:{served.url},model=other"))
    with pytest.raises(ApiError, match="400 Bad Request: Server is pinned to"):
        list(model.translate(SOURCES))


def test_an_address_that_is_not_there(served: Served) -> None:
    model = open_api(parse(f"api:{served.url}/no,model=other"))
    with pytest.raises(ApiError, match="404 Not Found"):
        list(model.translate(SOURCES))
