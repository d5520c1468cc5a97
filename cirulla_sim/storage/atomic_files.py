"""Files that appear whole or not at all, each with one writer at a time: temporary files, locks, the disk."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep

from ..core.arguments import read_text
from ..core.errors import InputError
from ..core.messages import Message

DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
"""Errors of the machine, not of the user."""

LOCK_SECONDS = 0.2
"""How long to try for a lock: another run may be removing its lock file just now."""

REPLACE_SECONDS = 1.0
"""How long to try to replace a file or folder on Windows, which refuses while another program has it open."""

LONGEST_NAME = 200
"""Bytes of a name that others are made of: systems allow 255."""


def sibling_path(path: Path, ending: str, start: str = "") -> Path:
    """The path of a file beside another, named after it; a name too long for that is replaced by its digest.

    >>> str(sibling_path(Path("folder/x.parquet"), ".lock", "."))
    'folder/.x.parquet.lock'
    >>> len(sibling_path(Path("x" * 255), ".lock", ".").name)
    38
    """
    name = os.fsencode(path.name)
    stem = path.name if len(name) <= LONGEST_NAME else blake2b(name, digest_size=16).hexdigest()
    return path.with_name(f"{start}{stem}{ending}")


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


def unwritable(path: Path, error: OSError) -> Exception:
    """The error for a file that cannot be written: of the machine, or of the user who names another."""
    if error.errno in DISK:
        return OSError(error.errno, error.strerror, str(path))
    return InputError("{path}: cannot be written: {reason} (name another file)", path, Message(str(error.strerror)))


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yields the name of a file to write, which then replaces ``path``; nothing of it stays on failure.

    A link stays a link: its target is replaced. Raises ``InputError`` if it cannot be written, and ``OSError`` if the
    disk is full or fails.
    """
    with _whole(path, _place(path)) as part:
        yield part


@contextmanager
def _whole(path: Path, place: Path) -> Iterator[Path]:
    """Yields the name of a file or folder to make, which then replaces ``place``; errors are raised as of ``path``."""
    part = sibling_path(place, f".{token_hex(4)}.part", ".")
    old = part.with_suffix(".old")
    try:
        yield part
        to_disk(part)
        if part.is_dir() and place.is_dir():
            replace(place, old)
        replace(part, place)
        to_disk(place.parent)
    except OSError as error:
        if error.errno is None or not str(error.filename or part).startswith((str(part), str(place))):
            raise
        raise unwritable(path, error) from None
    finally:
        if old.exists() and not place.exists():
            replace(old, place)
        for left in (part, old):
            _remove(left)


def _remove(path: Path) -> None:
    """Remove a file or folder, if it is there and can be removed."""
    with suppress(OSError):
        path.unlink()
    shutil.rmtree(path, ignore_errors=True)


FOLDER_LIST = "files.json"
"""The file of a written folder that lists its files, by which a later run knows the folder as its own."""


def write_folder(path: Path, files: Mapping[str, str], force: bool = False) -> None:
    """Write a folder of text files, by relative path, whole or not at all.

    A folder that this function wrote is replaced. One that has other files is replaced with ``force`` alone, and those
    files stay in it. Raises ``InputError``, with nothing written, as ``other_files`` does.
    """
    others, place = other_files(path, force), path.resolve()
    texts = {**files, FOLDER_LIST: json.dumps(sorted({*files, FOLDER_LIST}), indent=1) + "\n"}
    with _whole(path, place) as new:
        for name in (*texts, *(others - set(texts))):
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            if name in texts:
                (new / name).write_text(texts[name], "utf-8", newline="\n")
            else:
                shutil.copy2(place / name, new / name)


def other_files(path: Path, force: bool = False) -> set[str]:
    """The files of a folder that ``write_folder`` did not write.

    Raises ``InputError`` if there are any and no ``force``, and if the path cannot be such a folder.
    """
    place = path.resolve()
    if not place.parent.is_dir():
        raise InputError("-o {path!r}: there is no folder {folder!r} (valid: a folder that exists)", path, path.parent)
    if place.exists() and not place.is_dir():
        raise InputError("-o {path!r} is a file (valid: the name of a folder)", path)
    there = {file.relative_to(place).as_posix() for file in place.rglob("*") if not file.is_dir()}
    try:
        listed = json.loads(read_text(place / FOLDER_LIST))
    except (OSError, ValueError, RecursionError):
        listed = None
    others = there - {name for name in listed if isinstance(name, str)} if isinstance(listed, list) else there
    if others and not force:
        raise InputError(
            "-o {path!r} has files of others, such as {file!r} (name another folder, or give --force to write into it)",
            path, min(others),
        )  # fmt: skip
    return others


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


def to_disk(path: Path) -> None:
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
    lock_file = sibling_path(path, ".lock", ".")
    lock = FileLock(lock_file, timeout=LOCK_SECONDS, poll_interval=LOCK_SECONDS / 10)
    try:
        lock.acquire()
    except Timeout:
        if not lock_file.exists():  # it could not be created, as in some system folders
            raise unwritable(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))) from None
        raise InputError("{path}: another run is writing it (wait for it, or name another file)", path) from None
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        for part in path.parent.glob(escape(sibling_path(path, ".", ".").name) + "*.part"):
            _remove(part)
        yield
    finally:
        with suppress(OSError):
            lock_file.unlink()
        lock.release()
