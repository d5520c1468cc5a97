"""A page that is served in a thread, for tests of what it answers and of how it looks in a browser."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from cirulla_sim.server.app import create_app


@contextmanager
def served() -> Iterator[tuple[str, Any]]:
    """Yields the address of a page and its application; both are gone at the end."""
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


def ended(client: httpx.Client, id: str, seconds: float = 60) -> dict[str, Any]:
    """What the page hears of a run when it has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        heard: dict[str, Any] = client.get(f"/runs/{id}").json()
        if heard["ended"]:
            return heard
        time.sleep(0.05)
    raise AssertionError(f"run {id} has not ended")
