"""``cirulla-sim open``: the page for people without a terminal."""

from __future__ import annotations

import errno
import socket
import threading
import webbrowser
from ipaddress import ip_address

import click

from ..core.arguments import count
from ..core.errors import InputError
from ..core.messages import Message
from ..verbs.functions import LANG
from .commands import options, remark
from .verbs import VERBS

PORT = 8040
"""The usual port, so that an address that a friend sends works here."""

_REFUSED = (errno.EADDRINUSE, errno.EACCES)
"""Errors of a port that is taken, or that only administrators may have; Windows may give the second for the first."""

_ONE_AT_A_TIME = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
"""The option with which a port has one program at a time, and the next at once; Windows shares it with the second."""


@click.command("open", epilog=VERBS["open"].epilog)
@click.option("--port", metavar="N", help=f"Port.  [default: {PORT}, or another if it is taken]")
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True,
              help="Address to listen at; 0.0.0.0 lets every computer of your network in.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@options(LANG)
def command(port: str | None, host: str, no_browser: bool, lang: str) -> None:
    """Open a page in the browser: ask questions, compare house rules, read results.

    It runs on this computer until you press Ctrl-C, and only programs on this computer can reach it unless you name
    another --host. It is in Italian or English as the browser prefers. It requires cirulla-sim[page].
    """
    try:
        import uvicorn

        from ..server.app import LOOPBACK, create_app
        from ..server.run_pages import preload
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in ("starlette", "uvicorn", "anyio", "h11"):
            raise
        raise InputError('open requires {package!r} (pip install "cirulla-sim[page]")', missing.name) from None

    listening = _socket(host, port)
    bound, taken = ip_address(listening.getsockname()[0]), listening.getsockname()[1]
    machine = socket.gethostname().lower()
    names = {host.lower(), machine, f"{machine.partition('.')[0]}.local"}
    app = create_app(LOOPBACK if bound.is_loopback else LOOPBACK | names, bound.is_loopback)
    config = uvicorn.Config(
        app, log_level="warning", ws="none", lifespan="off", server_header=False, proxy_headers=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    named = machine if bound.is_unspecified else f"[{host}]" if ":" in host else host
    threading.Thread(target=preload, daemon=True).start()
    remark(Message("The page is at http://{host}:{port}/ (Ctrl-C ends it)", named, taken), lang)
    if not no_browser:
        webbrowser.open(f"http://{'localhost' if bound.is_unspecified else named}:{taken}/")
    while thread.is_alive():
        thread.join(0.2)


def _socket(host: str, port: str | None) -> socket.socket:
    """A socket that listens; raises ``InputError`` that names the flag for an address or a port that it cannot have."""
    number = PORT if port is None else count("--port", port, 1, 65535)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for choice in (number, 0) if port is None else (number,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, _ONE_AT_A_TIME, 1)
        try:
            listening.bind((host, choice))
        except OSError as error:
            listening.close()
            if error.errno in _REFUSED and port is None and choice:
                continue
            flag, given = ("--port", number) if error.errno in _REFUSED else ("--host", host)
            raise InputError("{flag} {given!r}: {reason} (valid: another)", flag, given, error.strerror) from None
        listening.listen(128)
        return listening
    raise AssertionError
