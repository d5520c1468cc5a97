"""Files of one request that hold different hands or games, merged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ..core.arguments import paths_of
from ..core.errors import InputError
from ..engine.policies import in_file, is_own, parse_policy
from ..engine.trials import policy_sources
from ..experiments.checkpoints import Checkpoint, Saving
from ..experiments.runner import Execution, Job, carry_out
from ..reporting.result import Result
from ..storage.request import Request
from .options import Arguments, Option, flag_of, options_of

MERGED = ("simulate", "games", "compare", "tournament")
"""The verbs whose files can be merged; each module has ``job_of``."""

INDIVISIBLE = ("unpaired", "control_hands", "until_decided", "check")
"""Parts of a question that depend on all the hands of a run."""


def run(files: Any, given: Arguments) -> Result:
    """The result; raises ``InputError`` for files that cannot be merged."""
    paths = paths_of("FILE", files)
    if len(paths) < 2:
        raise InputError("combine merges files (valid: two files or more of one request)")
    target, force = given["output"], given["force"]
    if target is not None and target.exists():
        if any(path.exists() and target.samefile(path) for path in paths):
            raise InputError("-o {target!r} is one of the files to merge (name another file)", target)
        if not force:
            raise InputError("-o {target!r} exists already (give --force to replace it, or name another file)", target)
    parts = [Checkpoint.read(path) for path in paths]
    request, schema = _request(parts[0]), parts[0].metadata["schema"]
    _check_policies(parts, given["policy"])
    unit = request.effort.unit
    held = [span for part in parts if part.metadata["schema"] == schema for span in part.spans(unit)]
    first = min(span.start for span in held)
    request = request.resized(max(span.end for span in held) - first, first)
    saving = Saving(target, tuple(paths), force=force)
    return Result.of(carry_out(_job(paths[0], request), Execution(saving=saving)))


def _request(part: Checkpoint) -> Request:
    """The request of a file; raises ``InputError`` for one whose files cannot be merged."""
    path, metadata = part.path, part.metadata
    kind = metadata["schema"].partition("/")[0]
    request = Request.from_json(metadata["request"]) if "request" in metadata else None
    if request is None or request.verb not in MERGED:
        raise InputError(
            "{path}: holds {kind!r}, which cannot be merged (valid: files of {merged})", path, kind, MERGED
        )
    for name in (*INDIVISIBLE, *(("games",) if request.verb == "compare" else ())):
        if name in request.question:
            raise InputError(
                "{path}: was made with {flag}, which requires one run (valid: files made without it)",
                path, flag_of(name),
            )  # fmt: skip
    return request


def _check_policies(parts: Sequence[Checkpoint], named: Sequence[str]) -> None:
    """Raise ``InputError`` unless every policy of the user's own in the files is ``named`` and has the same source.

    A policy in a ``.py`` file is checked before any of its code is run; of one in a module the fingerprint tells.
    """
    allowed = {parse_policy(name).bare for name in named}
    used = set()
    for path, about, _ in parts:
        named_there = Request.from_json(about["request"]).policies if "request" in about else ()
        for name in filter(is_own, named_there):
            own = parse_policy(name).bare
            if own not in allowed:
                raise InputError(
                    "FILE {path}: is of the policy {own!r}, whose code is not part of cirulla-sim (if you trust it, "
                    "name it: --policy {own})",
                    path, own,
                )  # fmt: skip
            used.add(own)
            if in_file(name) and policy_sources([name])[name] != dict(about.get("sources") or {}).get(name):
                raise InputError(
                    "--policy {own!r}: its source is not the one that made {path} (valid: the same)", own, path
                )
    for own in sorted(allowed - used):
        raise InputError("--policy {own!r}: none of the files is of this policy (leave it out)", own)


def _job(path: Path, request: Request) -> Job[Any]:
    """The job of a request from a file, each argument checked as if it were given now."""
    try:
        for option in options_of(request.verb):
            if option.name in request.question and not _is_valid(option, request.question[option.name]):
                raise ValueError(option.name)
        job: Job[Any] = import_module(f".{request.verb}", __package__).job_of(request)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError("FILE {path}: its request is not valid (valid: a file as it was written)", path) from error
    return job


def _is_valid(option: Option, value: Any) -> bool:
    """Whether a value of JSON types is one that the option can have."""
    if option.switch:
        return isinstance(value, bool)
    if option.many:
        return isinstance(value, list)
    read_again: bool = json.loads(json.dumps(option.read(option.flag, value))) == value
    return read_again
