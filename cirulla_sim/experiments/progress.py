"""Progress of long runs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any

from ..core.console import in_notebook, is_watched
from ..core.locale import language, preferred_language
from ..core.messages import Message

if TYPE_CHECKING:
    from ..storage.tables import ResultTable


class Watch:
    """Follows a run from outside and may stop it; given as ``progress`` to a public function in place of a bar.

    A subclass overrides what it needs. All is called in the thread of the run, and changes nothing in its result.
    """

    @contextmanager
    def following(self, number: int, done: int, unit: str) -> Iterator[None]:
        """Between ``begin`` and ``end``."""
        self.begin(number, done, unit)
        try:
            yield
        finally:
            self.end()

    def expected(self, policy: str, seconds: float, whole: float) -> None:
        """A hand of a policy of the user's own takes so many seconds, and the ``whole`` run about so many."""

    def begin(self, number: int, done: int, unit: str) -> None:
        """Some trials are about to be simulated: ``number`` of them, of which ``done`` are done."""

    def played(self, done: int) -> None:
        """``done`` of these trials are done."""

    def draft(self, result: Callable[[], ResultTable]) -> None:
        """There is more to show; ``result`` makes the result so far, which takes as long as some thousand hands."""

    def stopped(self) -> bool:
        """Whether the run is to end soon, as with Ctrl-C; asked after every chunk."""
        return False

    def end(self) -> None:
        """No more of these trials are simulated."""


NOBODY = Watch()
"""Nobody follows the run."""


class ProgressBar(Watch):
    """A bar with rate and time left.

    It begins with the first trials that are done, so that rate and time left do not count compiling and other
    preparations.
    """

    _bar: Any = None

    def expected(self, policy: str, seconds: float, whole: float) -> None:
        text = Message("A hand of {policy!r} takes {seconds}, and this run about {whole}.",
                       policy, duration(seconds), duration(whole))  # fmt: skip
        print(language(preferred_language()).translate(text), file=sys.stderr)

    def begin(self, number: int, done: int, unit: str) -> None:
        self._number, self._unit = number, unit

    def played(self, done: int) -> None:
        if self._bar is None:
            self._bar = _bar_class()(
                total=self._number, initial=done, unit=f" {self._unit}", unit_scale=True, leave=False
            )  # fmt: skip
        else:
            self._bar.update(done - self._bar.n)

    def end(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def duration(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> duration(0.25), duration(4.2), duration(400), duration(40_000)
    ('0.2 s', '4.2 s', '6.7 min', '11 h')
    """
    number, unit = (
        (seconds, "s") if seconds < 90 else (seconds / 60, "min") if seconds < 5400 else (seconds / 3600, "h")
    )
    return f"{number:.{number < 10:d}f} {unit}"


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
def show_if_slow(text: str, wanted: bool, after: float = 2.0) -> Iterator[None]:
    """Shows a text on a terminal or in a notebook if something takes longer than so many seconds."""
    timer = Timer(after, print, (text,), {"file": sys.stderr})
    timer.daemon = True
    if wanted and is_watched():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
