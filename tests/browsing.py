"""The page answered in this process, or served and looked at with a browser."""

from __future__ import annotations

import shutil
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from starlette.testclient import TestClient

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
"""The program that shows pages, if there is one: without it, the tests that need it are skipped."""

ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def client(*served: Any, **options: Any) -> TestClient:
    """The page answered in this process; the arguments are those of ``create_app``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have another package than httpx
        from starlette.testclient import TestClient

    from cirulla_sim.server.app import create_app

    return TestClient(create_app(*served, **options), base_url="http://localhost", follow_redirects=False)


def ended(client: TestClient, id: str, seconds: float = 120) -> dict[str, Any]:
    """What the page hears of a run when it has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        heard: dict[str, Any] = client.get(f"/runs/{id}?version=").json()
        if heard["ended"]:
            return heard
        time.sleep(0.05)
    raise AssertionError(f"run {id} has not ended")


@contextmanager
def served() -> Iterator[tuple[str, Any]]:
    """Yields the address of a page and its application; both are gone at the end."""
    import uvicorn

    from cirulla_sim.server.app import create_app

    app = create_app()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", lifespan="off", proxy_headers=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", app
        finally:
            server.should_exit = server.force_exit = True
            thread.join(10)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser; without one the test is skipped."""
    if CHROMIUM is None:
        pytest.skip("neither chromium nor chrome is there")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@contextmanager
def opened(
    chromium: Browser, address: str, width: int = 1400, scheme: str = "light", lang: str = "en", **options: Any
) -> Iterator[Page]:
    """A page of a browser; the test fails if its console says that something is wrong, or if it loads from elsewhere.

    Answers that refuse a request are not wrong.
    """
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, locale=lang, base_url=address,  # type: ignore[arg-type]
        permissions=["clipboard-read", "clipboard-write"], **options,
    )  # fmt: skip
    page, wrong = context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if "status of 40" not in line.text else None)
    page.on("request", lambda sent: None if sent.url.startswith((address, "data:")) else wrong.append(sent.url))
    yield page
    context.close()
    assert wrong == []


def faults(page: Page) -> list[str]:
    """What axe-core finds wrong with a page, and whether it is wider than its window."""
    page.wait_for_load_state()  # colours are those of the style sheet only then
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    found = [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in Axe().run(page).response["violations"]]
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return found + ["wider than the window"] * wide
