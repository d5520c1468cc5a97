"""``python -m cirulla_sim`` and the command ``cirulla-sim``: the command line, once it is read."""

from __future__ import annotations

import atexit
import gc
import signal


def main() -> None:
    """Run the command line; Ctrl-C while it is still being read ends it without a word, as nothing is lost then."""
    gc.set_threshold(100_000)  # imports make many objects and little garbage
    atexit.register(gc.freeze)  # a last collection would only return memory that the system takes back anyway
    waiting = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if waiting:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main as begin

    if waiting:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    begin()


if __name__ == "__main__":
    main()
