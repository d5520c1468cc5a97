"""The page answered in this process, or looked at with a browser."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from starlette.testclient import TestClient

CHROMIUM = Path("/usr/bin/chromium")

ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

LOOKS = ((390, "dark", "it"), (1400, "light", "en"))
"""Widths, colour schemes and languages in which pages are looked at."""


def client() -> TestClient:
    """The page answered in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have another package than httpx
        from starlette.testclient import TestClient

    from cirulla_sim.server.app import create_app

    return TestClient(create_app(), base_url="http://localhost", follow_redirects=False)


@contextmanager
def browser_page(address: str, width: int = 1400, scheme: str = "light", lang: str = "en") -> Iterator[Page]:
    """A page of a browser; whatever its console says is wrong fails the test."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, locale=lang, base_url=address,  # type: ignore[arg-type]
        )  # fmt: skip
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        yield page
        assert wrong == []
        browser.close()


def faults(page: Page) -> list[str]:
    """What axe-core finds wrong with a page, and whether it is wider than its window."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    found = [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in Axe().run(page).response["violations"]]
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return found + ["wider than the window"] * wide
