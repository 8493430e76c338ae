"""A real browser for pages; tests that need one skip where none is installed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from referee.reports.page.html import Page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from playwright.sync_api import Page as BrowserPage

_PATIENCE = 15
"""Seconds that a page may take to answer."""
_WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""


@dataclass
class Visitor:
    """Opens pages from files, and keeps what they asked for and complained of."""

    browser: Browser
    folder: Path
    contexts: list[BrowserContext] = field(default_factory=list)
    pages: list[BrowserPage] = field(default_factory=list)
    urls: set[str] = field(default_factory=set)
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def visit(
        self,
        contents: Page | str,
        *,
        address: str = "",
        width: int = 1280,
        height: int = 900,
        init: str = "",
        ready: bool = True,
        **options: Any,
    ) -> BrowserPage:
        """A page of these contents; `ready` waits until its items can be searched."""
        file = self.folder / f"page-{len(self.pages)}.html"
        file.write_bytes((contents if isinstance(contents, str) else contents.html()).encode())
        size = {"width": width, "height": height}
        context = self.browser.new_context(viewport=size, reduced_motion="reduce", **options)  # type: ignore[arg-type]
        context.add_init_script(_WATCH + init)
        page = context.new_page()
        page.set_default_timeout(1000 * _PATIENCE)
        page.on("request", lambda request: self.requests.append(request.url.partition("#")[0]))
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.contexts.append(context)
        self.pages.append(page)
        self.urls.add(file.as_uri())
        page.goto(file.as_uri() + address)
        if ready:
            page.wait_for_selector("#browser:not([hidden])")
        return page


def eventually(page: BrowserPage, read: Callable[[], object], expected: object) -> None:
    """Read until it is what is expected: a page answers a click when it has time to, not before the next line runs."""
    deadline = monotonic() + _PATIENCE
    while (seen := read()) != expected and monotonic() < deadline:
        page.wait_for_timeout(20)
    assert seen == expected


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium as the system has it."""
    # A module at a time: while it runs, no other event loop can run in this thread.
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed here")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visitor(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """When the test is over: no page asked for anything but itself, none complained, no policy was violated."""
    visitor = Visitor(browser, tmp_path)
    yield visitor
    violations = [violation for page in visitor.pages for violation in page.evaluate("window.violations ?? []")]
    for context in visitor.contexts:
        context.close()
    assert set(visitor.requests) <= visitor.urls
    assert visitor.complaints == [], visitor.complaints
    assert violations == []
