"""Files that appear whole or not at all, each with one writer at a time."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from time import monotonic, sleep

from ..core.arguments import read_text
from ..core.errors import InputError

_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
"""Errors of the machine, not of the user."""

LOCK_SECONDS = 0.2
"""How long to try for a lock: another run may be removing its lock file just now."""

REPLACE_SECONDS = 1.0
"""How long to try to replace a file or folder on Windows, which refuses while another program has it open."""


def _place(path: Path) -> Path:
    """The path of a file to write, a link followed; raises ``InputError`` if it cannot be a file."""
    if os.path.islink(path):
        path = path.resolve()
    if not path.parent.is_dir():
        raise InputError(
            "{path}: the folder {folder!r} does not exist (make it, or name a folder that does)", path, path.parent
        )
    if os.path.isdir(path):
        raise InputError("{path}: is a folder (name a file in it)", path)
    if os.path.exists(path) and not path.is_file():
        raise InputError("{path}: is no regular file, and a device is not replaced (name another file)", path)
    return path


def _unwritable(path: Path, error: OSError) -> Exception:
    """The error for a file that cannot be written: of the machine, or of the user who names another."""
    if error.errno in _DISK:
        return OSError(error.errno, error.strerror, str(path))
    return InputError("{path}: cannot be written: {reason} (name a folder you may write to)", path, error.strerror)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yields the name of a file to write, which then replaces ``path``; nothing of it stays on failure.

    A link stays a link: its target is replaced. Raises ``InputError`` before anything is done if the folder does not
    exist or cannot be written.
    """
    path = _place(path)
    with _scratch(path, path) as scratch:
        yield scratch / path.name
        _put(scratch / path.name, path)


@contextmanager
def _scratch(path: Path, place: Path) -> Iterator[Path]:
    """Yields a new folder beside ``place`` that is removed at the end; its errors are raised as those of ``path``."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", suffix=".part", dir=place.parent))
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        yield folder
    except OSError as error:
        named = Path(error.filename) if isinstance(error.filename, (str, os.PathLike)) else folder
        if error.errno is None or folder not in (named, *named.parents):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _put(written: Path, place: Path) -> None:
    """Put what is written in its place, so that it outlasts a loss of power."""
    _to_disk(written)
    replace(written, place)
    _to_disk(place.parent)


FOLDER_LIST = "files.json"
"""The file of a written folder that lists its files, by which a later run knows the folder as its own."""


def write_folder(path: Path, files: Mapping[str, str], force: bool = False) -> None:
    """Write a folder of text files, by relative path, whole or not at all.

    A folder that this function wrote is replaced. One that has other files is replaced with ``force`` alone, and those
    files stay in it. Raises ``InputError``, with nothing written, as ``other_files`` does.
    """
    others, place = other_files(path, force), path.resolve()
    texts = {**files, FOLDER_LIST: json.dumps(sorted({*files, FOLDER_LIST}), indent=1) + "\n"}
    with _scratch(path, place) as scratch:
        new, old = scratch / "new", scratch.with_suffix(".old")
        for name, text in texts.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_text(text, "utf-8", newline="\n")
        for name in others - set(texts):
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(place / name, new / name)
        try:
            if place.is_dir():
                replace(place, old)
            _put(new, place)
        finally:
            if old.exists() and not place.exists():
                replace(old, place)
            shutil.rmtree(old, ignore_errors=True)


def other_files(path: Path, force: bool = False) -> set[str]:
    """The files of a folder that ``write_folder`` did not write.

    Raises ``InputError`` if there are any and no ``force``, and if the path cannot be such a folder.
    """
    place = path.resolve()
    if not place.parent.is_dir():
        raise InputError("-o {path!r}: there is no folder {folder!r} (valid: a folder that exists)", path, path.parent)
    if place.exists() and not place.is_dir():
        raise InputError("-o {path!r} is a file (valid: the name of a folder)", path)
    others = _files_in(place) - _listed(place) if place.is_dir() else set()
    if others and not force:
        raise InputError(
            "-o {path!r} has files of others, such as {file!r} (name another folder, or give --force to write into it)",
            path, min(others),
        )  # fmt: skip
    return others


def _files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def _listed(folder: Path) -> set[str]:
    """The files that a folder's list names; none if there is no list, or one of something else."""
    try:
        names = json.loads(read_text(folder / FOLDER_LIST))
    except (OSError, ValueError, RecursionError):
        return set()
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()


def replace(path: Path, target: Path) -> None:
    """Put a file or folder in the place of another; on Windows again for a while, if it is open in another program."""
    until = monotonic() + REPLACE_SECONDS
    while True:
        try:
            path.replace(target)
        except PermissionError:
            if sys.platform != "win32" or monotonic() > until:
                raise
            sleep(REPLACE_SECONDS / 20)
        else:
            return


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, would outlast a loss of power; Windows opens no folders."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def sole_writer(path: Path) -> Iterator[None]:
    """Locks a file for writing, and clears parts that killed runs left.

    The lock file beside it is removed while the lock is held, so that none stays. That is safe because ``filelock``
    discards a lock on a file that was removed between its opening and its locking, and tries again; on Windows, where
    an open file cannot be removed, it removes the file itself. A killed run leaves its lock file, which locks nothing.

    Raises ``InputError`` if another process or thread writes the file, and as ``whole_file`` does.
    """
    from filelock import FileLock, Timeout  # here since only runs that write a file need it

    path = _place(path)
    lock_file = path.with_name(f".{path.name}.lock")
    lock = FileLock(lock_file, timeout=LOCK_SECONDS, poll_interval=LOCK_SECONDS / 10)
    try:
        lock.acquire()
    except Timeout:
        if not lock_file.exists():  # it could not be created, as in some system folders
            raise _unwritable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))) from None
        raise InputError("{path}: another run is writing it (wait for it, or name another file)", path) from None
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        for part in path.parent.glob(f".{escape(path.name)}.*.part"):
            shutil.rmtree(part, ignore_errors=True)
        yield
    finally:
        with suppress(OSError):
            lock_file.unlink()
        lock.release()
