"""A real browser for pages; tests that need one skip where none is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
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


_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  {folders}
  <cachedir>{cache}</cachedir>
  <selectfont><rejectfont><glob>*</glob></rejectfont><acceptfont><glob>*/{name}*</glob></acceptfont></selectfont>
</fontconfig>
"""


def only_fonts(name: str, folder: Path) -> dict[str, str]:
    """The environment of a machine that has no other fonts than those whose files start with a name."""
    program = shutil.which("fc-list")
    if program is None:
        pytest.skip("fontconfig is not installed here")
    listed = subprocess.run([program, ":", "file"], capture_output=True, text=True, check=True).stdout
    files = [Path(line.partition(":")[0]) for line in listed.splitlines()]
    folders = sorted({str(file.parent) for file in files if file.name.startswith(name)})
    if not folders:
        pytest.skip(f"no font of {name} is installed here")
    config = folder / f"{name}.conf"
    listing = "".join(f"<dir>{path}</dir>" for path in folders)
    config.write_text(_FONTS.format(folders=listing, cache=folder / "cache", name=name), encoding="utf-8")
    return {"FONTCONFIG_FILE": str(config)}


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium as the system has it, with the fonts named by `--fonts`, else with all."""
    # A module at a time: while it runs, no other event loop can run in this thread.
    name = getattr(request, "param", None) or request.config.getoption("--fonts")
    fonts = only_fonts(name, tmp_path_factory.mktemp("fonts")) if name else {}
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed here")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"], env={**os.environ, **fonts}
        )
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
