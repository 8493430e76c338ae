"""Names of models, taken apart."""

from __future__ import annotations

import pytest

from referee.errors import UsageError
from referee.models.spec import parse


@pytest.mark.parametrize(
    ("text", "kind", "name", "options"),
    [
        ("scores:a.txt", "scores", "a.txt", {}),
        ("scores:a.txt,better=lower", "scores", "a.txt", {"better": "lower"}),
        ("hf:Helsinki-NLP/opus-mt-en-de,device=cpu,batch_size=8", "hf", "Helsinki-NLP/opus-mt-en-de",
         {"device": "cpu", "batch_size": "8"}),
        ("scores:a,b.txt", "scores", "a,b.txt", {}),
        ("scores:a,b.txt,better=lower", "scores", "a,b.txt", {"better": "lower"}),
        ("scores:a=b", "scores", "a=b", {}),
        ("scores:a,B=c", "scores", "a,B=c", {}),  # options are in small letters
        ("api:http://localhost:80/v1?x=y,model=m", "api", "http://localhost:80/v1?x=y", {"model": "m"}),
        ("scores:a,better=", "scores", "a", {"better": ""}),
        ("scores:a,x=b=c", "scores", "a", {"x": "b=c"}),
        ("scores:/a b/ü.txt", "scores", "/a b/ü.txt", {}),
    ],
)  # fmt: skip
def test_parts(text: str, kind: str, name: str, options: dict[str, str]) -> None:
    spec = parse(text)
    assert (spec.text, spec.kind, spec.name, spec.options) == (text, kind, name, options)


@pytest.mark.parametrize("text", ["", "scores", "scores:", ":a.txt", ":", "scores:,better=lower"])
def test_what_names_no_model(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(text)
    assert (
        str(raised.value)
        == f"'{text}' is not a model. Write KIND:NAME, such as scores:FILE (see `referee list models`)."
    )
    assert raised.value.exit_code == 2


def test_options_with_a_choice() -> None:
    allowed = ("higher", "lower")
    assert parse("scores:a").option("better", allowed, "higher") == "higher"
    assert parse("scores:a,better=lower").option("better", allowed, "higher") == "lower"
    with pytest.raises(UsageError, match=r"'better=best' in 'scores:a,better=best' is not valid. Choose higher or"):
        parse("scores:a,better=best").option("better", allowed, "higher")


def test_unknown_options_are_refused() -> None:
    parse("scores:a,better=lower").only("better")
    parse("scores:a").only()
    with pytest.raises(UsageError, match=r"'scores:' has no option 'worse'. Choose one of better, other\."):
        parse("scores:a,worse=lower").only("better", "other")
    with pytest.raises(UsageError, match=r"'translations:' has no option 'x'. Remove it\."):
        parse("translations:a,x=y").only()


def test_options_may_be_keywords() -> None:
    spec = parse("hf:NAME,beam=2").with_options({"dtype": "float32", "tokens": 9})
    assert spec == parse("hf:NAME,beam=2,dtype=float32,tokens=9")
    assert parse("pocket").with_options({"beam": 4}) == parse("pocket,beam=4")
    assert parse("api:http://x,model=m").with_options({"logprobs": True}).options["logprobs"] == "yes"
    assert parse("hf:x").with_options({}) == parse("hf:x")
    with pytest.raises(UsageError, match="the option 'beam' of 'hf:NAME,beam=2' is given twice"):
        parse("hf:NAME,beam=2").with_options({"beam": 3})
