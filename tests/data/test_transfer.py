from __future__ import annotations

import gzip
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.support.hostile_server import Script, cut, ranged, reset, serving, stall, status, whole
from tests.support.wanted_files import BODY, NEW_TAG, OTHER, QUICK, TAG, error_of, fetch, left, source, unknown


@pytest.mark.parametrize(
    ("silent", "cause"), [(True, "the server stopped sending"), (False, "the connection was lost (peer closed")]
)
def test_a_break_is_resumed_where_it_happened(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture, silent: bool, cause: str
) -> None:
    web.play(stall(web, BODY, 1000, ETag=TAG) if silent else cut(BODY, 1000, ETag=TAG), ranged(BODY, TAG))
    result = fetch(source(web), tmp_path)
    assert result.path.read_bytes() == BODY
    assert left(tmp_path) == ["set/file.txt"]
    assert web.ranges == [None, "bytes=1000-"]
    assert web.requests[1]["if-range"] == TAG
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith(f"set/file.txt: retrying in 0.01 s: {cause}")


def test_a_reset_connection_is_tried_again(web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    web.play(reset(), reset(BODY, 1000, ETag=TAG), ranged(BODY, TAG))
    result = fetch(source(web), tmp_path)
    assert result.path.read_bytes() == BODY
    assert len(web.requests) == 3
    assert [note.split(": ")[1] for note in caplog.messages] == ["retrying in 0.01 s", "retrying in 0.02 s"]


def test_a_server_that_is_silent_for_ever_is_given_up(web: Script, tmp_path: Path) -> None:
    web.play(stall(web, BODY, 1000, ETag=TAG))
    message = error_of(source(web), tmp_path)
    assert message == (
        f"{web.url}/file.txt: cannot be downloaded: the server stopped sending (attempt 3). Check the connection, "
        "then run the same command again to resume."
    )
    assert len(web.requests) == 3
    assert left(tmp_path) == ["set/file.txt.part", "set/file.txt.part.json"]
    assert (tmp_path / "set/file.txt.part").read_bytes() == BODY[:1000]


def test_the_next_run_goes_on_with_the_part(web: Script, tmp_path: Path) -> None:
    web.play(cut(BODY, 1000, ETag=TAG))
    error_of(source(web), tmp_path, replace(QUICK, attempts=1))
    web.play(ranged(BODY, TAG))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert web.ranges == [None, "bytes=1000-"]


def test_a_whole_part_needs_no_request(web: Script, tmp_path: Path) -> None:
    web.play(cut(BODY, 1000, ETag=TAG))
    error_of(source(web), tmp_path, replace(QUICK, attempts=1))
    (tmp_path / "set/file.txt.part").write_bytes(BODY)
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert len(web.requests) == 1


@pytest.mark.parametrize("headers", [{}, {"ETag": 'W/"weak"'}])
def test_a_part_that_nothing_vouches_for_is_started_anew(web: Script, tmp_path: Path, headers: dict[str, str]) -> None:
    web.play(cut(BODY, 1000, **headers), whole(BODY))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert web.ranges == [None, None]


def test_the_date_of_change_vouches_where_there_is_no_tag(web: Script, tmp_path: Path) -> None:
    date = "Wed, 01 Jan 2020 00:00:00 GMT"
    web.play(cut(BODY, 1000, Last_Modified=date), whole(BODY, Last_Modified=date))
    fetch(source(web), tmp_path)
    assert web.requests[1]["if-range"] == date


def test_a_damaged_note_beside_the_part_means_starting_anew(web: Script, tmp_path: Path) -> None:
    web.play(cut(BODY, 1000, ETag=TAG))
    error_of(source(web), tmp_path, replace(QUICK, attempts=1))
    (tmp_path / "set/file.txt.part.json").write_bytes(b"{")
    web.play(ranged(BODY, TAG))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert web.ranges == [None, None]


def test_a_server_that_ignores_ranges_is_started_anew(web: Script, tmp_path: Path) -> None:
    web.play(cut(BODY, 1000, ETag=TAG), whole(BODY, ETag=TAG))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert web.ranges == [None, "bytes=1000-"]


def test_a_file_that_changed_between_attempts_is_started_anew(web: Script, tmp_path: Path) -> None:
    web.play(cut(OTHER, 10, ETag=TAG), ranged(BODY, NEW_TAG))
    assert fetch(unknown(web), tmp_path).path.read_bytes() == BODY
    assert web.ranges == [None, "bytes=10-"]


def test_a_changed_file_is_noticed_even_if_the_server_sends_its_rest(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rest = BODY[1000:]
    place = f"bytes 1000-{len(BODY) - 1}/{len(BODY)}"
    careless = status(206, rest, Content_Range=place, ETag=NEW_TAG)
    web.play(cut(b"x" * len(BODY), 1000, ETag=TAG), careless, ranged(BODY, NEW_TAG))
    assert fetch(unknown(web), tmp_path).path.read_bytes() == BODY
    assert caplog.messages[1] == "set/file.txt: retrying in 0.02 s: the file has changed at the source, starting again"
    assert web.ranges == [None, "bytes=1000-", None]


@pytest.mark.parametrize("place", ["bytes 0-9/10240", "bytes 999-10239/10240", "nonsense", ""])
def test_a_wrong_content_range_is_not_believed(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture, place: str
) -> None:
    web.play(cut(BODY, 1000, ETag=TAG), status(206, BODY[1000:], Content_Range=place, ETag=TAG), ranged(BODY, TAG))
    assert fetch(unknown(web), tmp_path).path.read_bytes() == BODY
    assert caplog.messages[1].endswith("the server sent a different part of the file, starting again")
    assert web.ranges == [None, "bytes=1000-", None]


def test_a_range_that_the_server_does_not_have_is_started_anew(web: Script, tmp_path: Path) -> None:
    web.play(cut(BODY, 1000, ETag=TAG), status(416), ranged(BODY, TAG))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert web.ranges == [None, "bytes=1000-", None]


def test_a_server_that_promises_more_than_it_sends(web: Script, tmp_path: Path) -> None:
    web.play(cut(BODY, len(BODY) - 1, ETag=TAG))
    message = error_of(unknown(web), tmp_path)
    assert "cannot be downloaded: the connection was lost (peer closed connection" in message
    assert "(attempt 3)" in message
    assert len(web.requests) == 3
    assert left(tmp_path) == ["set/file.txt.part", "set/file.txt.part.json"]


def test_a_length_that_is_not_the_known_one_is_an_error_at_once(web: Script, tmp_path: Path) -> None:
    for body in (BODY + b"more", BODY[:-1]):
        web.play(whole(body, ETag=TAG))
        message = error_of(source(web), tmp_path)
        assert message == (
            f"{web.url}/file.txt: expected {len(BODY)} bytes, but the source has {len(body)}. Report it, or copy "
            "the file there yourself."
        )
        assert left(tmp_path) == []
    assert len(web.requests) == 2


def test_a_server_that_sends_more_than_it_promises(web: Script, tmp_path: Path) -> None:
    web.play(lambda handler: handler.answer(200, BODY + b"more", Content_Length=len(BODY)))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY


def test_a_body_without_length_may_not_be_longer_than_known(web: Script, tmp_path: Path) -> None:
    web.play(lambda handler: handler.answer(200, BODY + b"more"))
    message = error_of(source(web), tmp_path)
    assert f"expected {len(BODY)} bytes, but the server sends more" in message
    assert left(tmp_path) == []
    assert len(web.requests) == 1


def test_a_body_without_length_that_is_too_short_is_tried_again(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    web.play(lambda handler: handler.answer(200, BODY[:1000], ETag=TAG), ranged(BODY, TAG))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert caplog.messages == [f"set/file.txt: retrying in 0.01 s: the response ended after 1000 of {len(BODY)} bytes"]
    assert web.ranges == [None, "bytes=1000-"]


@pytest.mark.parametrize("known", [True, False])
def test_an_empty_body(web: Script, tmp_path: Path, known: bool) -> None:
    web.play(whole(b""))
    message = error_of(source(web) if known else unknown(web), tmp_path)
    assert (
        f"expected {len(BODY)} bytes, but the source has 0" if known else "the file at the source is empty"
    ) in message
    assert left(tmp_path) == []
    assert len(web.requests) == 1


@pytest.mark.parametrize("code", [500, 502, 503])
def test_a_server_in_trouble_is_tried_again(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    web.play(status(code), status(code), whole(BODY))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert caplog.messages[0].startswith(f"set/file.txt: retrying in 0.01 s: the server returned {code} ")
    assert caplog.messages[1].startswith(f"set/file.txt: retrying in 0.02 s: the server returned {code} ")
    assert len(web.requests) == 3


def test_a_server_that_asks_to_wait_is_obeyed(web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    web.play(status(429, Retry_After=1), whole(BODY))
    begin = time.monotonic()
    fetch(source(web), tmp_path)
    assert 1.0 <= time.monotonic() - begin < 2.0
    assert caplog.messages == ["set/file.txt: retrying in 1 s: the server returned 429 Too Many Requests"]


def test_a_date_to_wait_for_is_understood_and_nonsense_is_not(
    web: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    past = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    web.play(status(503, Retry_After=past), status(503, Retry_After="soon"), whole(BODY))
    fetch(source(web), tmp_path)
    assert [note.split(": ")[1] for note in caplog.messages] == ["retrying in 0 s", "retrying in 0.02 s"]


def test_a_server_that_asks_for_too_much_patience_is_given_up(web: Script, tmp_path: Path) -> None:
    web.play(status(429, Retry_After=3600))
    message = error_of(source(web), tmp_path)
    assert (
        "the server returned 429 Too Many Requests, asking to wait 3600 s. Run the same command again later." in message
    )
    assert len(web.requests) == 1


@pytest.mark.parametrize(("code", "reason"), [(404, "Not Found"), (403, "Forbidden"), (410, "Gone")])
def test_a_file_that_is_not_there_is_an_error_at_once(web: Script, tmp_path: Path, code: int, reason: str) -> None:
    web.play(status(code))
    message = error_of(source(web), tmp_path)
    assert message == (
        f"{web.url}/file.txt: cannot be downloaded: the server returned {code} {reason}. Report it, or copy "
        "the file there yourself."
    )
    assert len(web.requests) == 1
    assert left(tmp_path) == []


def test_redirects_are_followed_but_not_for_ever(web: Script, tmp_path: Path) -> None:
    web.play(status(302, Location="/elsewhere"), whole(BODY))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert [request["path"] for request in web.requests] == ["/file.txt", "/elsewhere"]
    (tmp_path / "set/file.txt").unlink()
    web.play(status(302, Location="/file.txt"))
    assert "cannot be opened" in error_of(source(web), tmp_path)
    web.play(status(302, Location="ftp://127.0.0.1/file.txt"))
    assert "cannot be opened" in error_of(source(web), tmp_path)
    assert left(tmp_path) == []


def test_a_web_page_is_not_the_file(web: Script, tmp_path: Path) -> None:
    web.play(whole(b"<html>please log in</html>", Content_Type="text/html; charset=utf-8"))
    assert "the server sent a web page instead of the file" in error_of(unknown(web), tmp_path)
    assert left(tmp_path) == []


def test_a_body_that_is_packed_on_the_way_is_refused(web: Script, tmp_path: Path) -> None:
    web.play(whole(gzip.compress(BODY), Content_Encoding="gzip"))
    assert "the server sent the file encoded as gzip" in error_of(unknown(web), tmp_path)
    assert left(tmp_path) == []


def test_a_part_that_was_not_asked_for_is_refused(web: Script, tmp_path: Path) -> None:
    web.play(status(206, BODY, Content_Range=f"bytes 0-{len(BODY) - 1}/{len(BODY)}"))
    assert "the server sent only a part of the file" in error_of(source(web), tmp_path)
    assert left(tmp_path) == []


def test_no_server_at_all(web: Script, tmp_path: Path) -> None:
    with serving() as gone:
        nowhere = source(gone)
    message = error_of(nowhere, tmp_path)
    assert "cannot be downloaded: the connection was lost (" in message
    assert "(attempt 3)" in message
    assert left(tmp_path) == []


def test_an_interruption_keeps_the_part(web: Script, tmp_path: Path) -> None:
    web.play(stall(web, BODY, 1000, ETag=TAG))

    def interrupt(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(source(web), tmp_path, progress=interrupt)
    web.play(ranged(BODY, TAG))
    assert fetch(source(web), tmp_path).path.read_bytes() == BODY
    assert web.ranges == [None, "bytes=1000-"]
