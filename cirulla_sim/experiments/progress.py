"""Progress of long runs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any

from ..core.console import in_notebook, is_watched

if TYPE_CHECKING:
    from ..storage.tables import ResultTable


class Watch:
    """Follows a run from outside and may stop it; given as ``progress`` to a public function in place of a bar.

    A subclass overrides what it needs. All is called in the thread of the run, and changes nothing in its result.
    """

    def begin(self, number: int, done: int, unit: str) -> None:
        """Some trials are about to be simulated: ``number`` of them, of which ``done`` are done."""

    def played(self, done: int) -> None:
        """``done`` of these trials are done."""

    def draft(self, result: Callable[[], ResultTable]) -> None:
        """There is more to show; ``result`` makes the result so far, which takes as long as some thousand hands."""

    def stopped(self) -> bool:
        """Whether the run is to end soon, as with Ctrl-C; asked after every chunk."""
        return False


@contextmanager
def progress_bar(total: int, done: int, wanted: bool, unit: str = "hands") -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on a terminal and in a notebook; nothing elsewhere.

    It begins with the first trials that are done, so that rate and time left do not count compiling and other
    preparations.
    """
    if not wanted or not is_watched():
        yield lambda number: None
        return
    bar: Any = None

    def played(number: int) -> None:
        nonlocal bar
        if bar is None:
            bar = _bar_class()(
                total=total, initial=done + number, unit=f" {unit}", unit_scale=True, leave=False
            )  # fmt: skip
        else:
            bar.update(number)

    try:
        yield played
    finally:
        if bar is not None:
            bar.close()


def _bar_class() -> Any:
    """The class of progress bars for this terminal or notebook; the one for notebooks takes longer to import."""
    if not in_notebook():
        from tqdm.std import tqdm

        return tqdm
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets gets the bar as text
        from tqdm.auto import tqdm as tqdm_of_notebooks
    return tqdm_of_notebooks


@contextmanager
def waiting(text: str, wanted: bool, after: float = 2.0) -> Iterator[None]:
    """Shows a text on a terminal or in a notebook if something takes longer than so many seconds."""
    timer = Timer(after, print, (text,), {"file": sys.stderr})
    timer.daemon = True
    if wanted and is_watched():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
