"""How far a long run is."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(number: int, done: int, wanted: bool, unit: str = "hands") -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on a terminal and in a notebook; nothing elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets gets the bar as text
        from tqdm.auto import tqdm

    quiet = not wanted or not (_in_notebook() or sys.stderr.isatty())
    with tqdm(total=number, initial=done, unit=f" {unit}", unit_scale=True, disable=quiet, leave=False) as bar:
        yield lambda more: bar.update(more) and None


@contextmanager
def waiting(said: str | None) -> Iterator[None]:
    """Tells somebody at a terminal or a notebook what is going on, where it takes long and nothing can be counted."""
    if said is not None and (_in_notebook() or sys.stderr.isatty()):
        print(said, file=sys.stderr)
    yield


def _in_notebook() -> bool:
    """Whether a notebook's kernel runs this, which shows what is printed though it is no terminal."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None
