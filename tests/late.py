"""Functions of the tests compiled when they are called: no worker waits for what another one tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from numba import njit


def late(signature: Any, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """As ``njit`` with a signature, but at the first call."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        compiled = cache(lambda: njit(signature, **options)(function))

        @wraps(function)
        def call(*given: Any) -> Any:
            return compiled()(*given)

        return call

    return decorate
