"""Test functions compiled at their first call, so that no test worker waits for the functions of another."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from numba import njit

from cirulla_sim.kernel.types import Signature


def late(signature: Signature, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """As ``njit`` with a signature of the kernel, but at the first call."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        compiled = cache(lambda: njit(signature.numba, **options)(function))

        @wraps(function)
        def call(*arguments: Any) -> Any:
            return compiled()(*arguments)

        return call

    return decorate
