"""Who may ask for what: checked for every request, before anything else looks at it."""

from __future__ import annotations

import ipaddress
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_QUERY = 8_000
"""Characters of a question in an address."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer" forms would be sent without their origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every answer that has no own of this name."""


class Guard:
    """Answers only requests to a host by its right name, from pages of its own, with an address of a bounded length.

    A name of another host may be made to lead here (DNS rebinding), so only numbers and ``hosts`` are answered; only
    loopback numbers if ``loopback``. ``request.state.is_foreign`` says that another site's page asks.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], loopback: bool) -> None:
        self._app, self._hosts, self._loopback = app, hosts, loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        elsewhere = headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
        scope.setdefault("state", {})["is_foreign"] = elsewhere
        if (status := self._refused(scope, headers, elsewhere)) is not None:
            await PlainTextResponse(f"{status.phrase}\n", status)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)

    def _refused(self, scope: Scope, headers: Headers, elsewhere: bool) -> HTTPStatus | None:
        """Why a request is not answered; of another site's only a link that a person follows is, and runs nothing."""
        host = headers.get("host", "")
        if not self._is_own(host):
            return HTTPStatus.MISDIRECTED_REQUEST
        if len(scope.get("query_string", b"")) > LONGEST_QUERY:
            return HTTPStatus.REQUEST_URI_TOO_LONG
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return HTTPStatus.FORBIDDEN
        followed = (scope["method"], headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest", "document")) == (
            "GET", "navigate", "document"
        )  # fmt: skip
        return HTTPStatus.FORBIDDEN if elsewhere and not followed else None

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._hosts or ipaddress.ip_address(name).is_loopback or not self._loopback
        except ValueError:
            return False
