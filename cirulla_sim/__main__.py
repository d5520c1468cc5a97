"""``python -m cirulla_sim`` and the command ``cirulla-sim``: the command line, once it is read."""

from __future__ import annotations

import atexit
import gc
import os

from .core import signals


def main() -> None:
    """Run the command line; a signal while it is still being read ends it without a word, as nothing is lost then."""
    signals.exit_at_once()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads that nothing here uses
    gc.set_threshold(100_000)  # imports make many objects and little garbage
    atexit.register(gc.freeze)  # a last collection would only return memory that the system takes back anyway
    from .cli import main as begin

    try:
        begin()
    except SystemExit as end:
        if end.code == signals.EXIT_CODE:
            signals.exit_now()
        raise


if __name__ == "__main__":
    main()
