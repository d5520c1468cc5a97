"""Files are data: whatever they name, reading them runs no code, opens no other file and connects to nothing.

Files are forged to name a trap wherever they name something, and sealed again, so that they pass for files as they were
written. An audit hook sees all that Python then does. Files that no run writes are refused in one line that says why.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.storage import tables
from cirulla_sim.storage.tables import METADATA, SCHEMA, read_table, write_table

TRAP = "zz_trap"
"""What forged files name, and nothing else does."""

OUTSIDE = ("socket", "subprocess", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "webbrowser")
"""What events begin with that reach outside the process."""

_events: list[str] | None = None


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _events is None:
        return
    names = arguments[:1] if event in ("import", "open", "os.mkdir", "os.remove", "os.rename") else ()
    if event.startswith(OUTSIDE) or any(TRAP in str(name) for name in names):
        _events.append(f"{event} {arguments[:2]}")


sys.addaudithook(_hook)


@contextmanager
def watched(trap: Path) -> Iterator[None]:
    """Fail if a forbidden event happens in the block, or the trap is sprung."""
    global _events
    _events = events = []
    try:
        yield
    finally:
        _events = None
    assert not events
    assert not (trap / "sprung").exists()


@pytest.fixture(autouse=True)
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the trap, beside the working folder; importing the trap leaves a file there."""
    folder, work = tmp_path / TRAP, tmp_path / "work"
    folder.mkdir()
    work.mkdir()
    monkeypatch.setattr(sys, "path", list(sys.path))
    code = f"from pathlib import Path\nPath({str(folder / 'sprung')!r}).touch()\ndef play(view, plays):\n    return 0\n"
    for file in (folder / f"{TRAP}.py", work / f"{TRAP}.py"):
        file.write_text(code, "utf-8")
    (folder / "rules.toml").write_text('preset = "cirulla"\n', "utf-8")
    monkeypatch.chdir(work)
    monkeypatch.delitem(sys.modules, TRAP, raising=False)
    return folder


GREEDY: dict[str, Any] = {"policy": "greedy", "players": 2, "progress": False}
CALLS: dict[str, dict[str, Any]] = {
    "simulate": {"hands": 300},
    "games": {"at": "score: 38-41", "hands": 300},
    "compare": {"house": "no-matta", "hands": 300},
    "tournament": {"policy": ["greedy", "random"], "hands": 1000},
    "odds": {"question": "wins(us)", "hands": 300},
    "advise": {"at": "table: 5h 2c Kd; me: 7d 2s Jh", "samples": 64},
}
"""A file of every verb that writes one."""


def reseal(file: Path, target: Path, changed: dict[str, Any]) -> None:
    """Write a file again with changed metadata and a digest of the new bytes."""
    frame, metadata, stored = read_table(file)
    write_table(frame, target, metadata | changed, stored)


def forged(metadata: dict[str, Any], trap: Path) -> Iterator[dict[str, Any]]:
    """Changes of the metadata that name the trap: as policies, as rules, as files, engines and addresses."""
    policy, module, rules = f"{trap}/{TRAP}.py:play", f"{TRAP}:play", str(trap / "rules.toml")
    source = blake2b((trap / f"{TRAP}.py").read_bytes(), digest_size=16).hexdigest()
    names = {name: str(trap / f"{name}.parquet") for name in ("output", "records", "resume", "file", "path")}
    names |= {"engine": "dask", "scheduler": f"tcp://{TRAP}:8786", "rules": rules, "deal": rules, "preset": rules}
    request = metadata["request"]
    for own in (policy, module):
        line_ups = [dict.fromkeys(line_up, own) for line_up in request["line_ups"]] or [{"all": own}]
        named = {"policies": [own], "sources": {own: source}, "command": f"cirulla-sim simulate --policy {own}"}
        yield {**named, **names, "request": request | {"line_ups": line_ups}}
    yield {"request": request | {"rules": request["rules"] | {"name": rules, "preset": rules}}}
    yield {
        "request": request
        | {"question": request["question"] | names | {"policy": policy, "against": [rules], "house": [rules]}}
    }
    yield {"request": request | {"situation": {"deal": rules, "record": names["records"], "at": f"record: {rules}"}}}


def test_a_sprung_trap_is_detected(trap: Path) -> None:
    with pytest.raises(AssertionError), watched(trap), suppress(InputError):
        cs.simulate(policy=f"{TRAP}:nothing", hands=10, progress=False)
    assert (trap / "sprung").exists()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("verb", CALLS)
def test_a_forged_file_does_nothing(verb: str, trap: Path) -> None:
    file, target = Path("file.parquet"), Path("forged.parquet")
    function, arguments = getattr(cs, verb), GREEDY | CALLS[verb]
    function(**arguments, output=file)

    def every_reader(target: Path) -> None:
        for words in (["table"], ["table", "--format", "json"], ["describe"]):
            with pytest.raises(SystemExit) as end:
                main([*words, str(target)])
            assert end.value.code in (None, 0, 2)
        for carry_on in (
            lambda: function(**arguments, output=target),
            lambda: function(**arguments, resume=target, output="resumed.parquet", force=True),
            lambda: cs.combine([target, file], output="both.parquet", force=True),
        ):
            with suppress(InputError):
                carry_on()

    every_reader(file)  # what is imported and compiled at first is so now
    for changed in forged(read_table(file)[1], trap):
        reseal(file, target, changed)
        with watched(trap):
            every_reader(target)


def texts(value: Any, name: str = "") -> Any:
    """A value of JSON types with the trap in place of every policy."""
    if isinstance(value, dict):
        return {key: texts(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [texts(item, name) for item in value]
    is_policy = name in ("policies", "policy", "line_up", "all", "us", "them", "dealer", "others")
    return f"{TRAP}:play" if is_policy and isinstance(value, str) else value


def test_a_forged_hand_record_does_nothing(trap: Path) -> None:
    hand, rules = cs.hand(number=1, players=2, policy="greedy").record, str(trap / "rules.toml")
    file = Path("hand.json")
    file.write_text(json.dumps(hand), "utf-8")
    cs.hand(record=file, coach=True, samples=4)
    for changed in (
        texts(hand) | {"policies": [f"{trap}/{TRAP}.py:play"] * 2, "policy": f"{TRAP}:play"},
        hand | {"rules": hand["rules"] | {"preset": rules, "base": rules, "name": rules}},
        hand | {"engine": "dask", "scheduler": f"tcp://{TRAP}:8786", "output": str(trap / "out.parquet")},
    ):
        file.write_text(json.dumps(changed), "utf-8")
        coach = ["show", "--record", str(file), "--coach", "--samples", "4"]
        with watched(trap):
            for words in (coach, ["advise", "--at", f"{file}#0.1", "--samples", "4"]):
                with pytest.raises(SystemExit) as end:
                    main(words)
                assert end.value.code in (None, 0, 2)


def test_a_forged_game_imports_nothing(trap: Path) -> None:
    """A saved game names its policies: a policy of the user's own is imported only if the user names it again."""
    file, game = Path("game.jsonl"), cs.Game(players=2, policy="greedy", seed=8)
    for _ in range(2):
        game.play(1)
    game.save(file)
    lines = [texts(json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    assert f"{TRAP}:play" in file.read_text("utf-8")
    with watched(trap), pytest.raises(InputError, match="imported only if"):
        cs.Game.from_records(file)


def test_a_user_policy_must_have_the_source_recorded_in_the_files(trap: Path) -> None:
    own, named = Path("own.py"), "own.py:play"
    own.write_text("def play(view, plays):\n    return 0\n", "utf-8")
    parts = [Path("a.parquet"), Path("b.parquet")]
    for number, part in enumerate(parts):
        cs.simulate(policy=named, hands=200, first_hand=200 * number, output=part, progress=False)
    with pytest.raises(InputError, match=r"FILE a.parquet: is of the policy 'own.py:play'.*--policy own.py:play"):
        cs.combine(parts)
    assert cs.combine(parts, policy=named).metadata["hands"] == 400
    with pytest.raises(InputError, match=r"--policy 'other.py:play': none of the files is of this policy"):
        cs.combine(parts, policy=[named, "other.py:play"])
    own.write_text((trap / f"{TRAP}.py").read_text("utf-8"), "utf-8")
    for files in (parts, parts[::-1]):
        with watched(trap), pytest.raises(InputError, match=rf"its source is not the one that made {files[0]}"):
            cs.combine(files, policy=named)


FRAMES: list[tuple[str, Callable[[pl.DataFrame], pl.DataFrame]]] = [
    ("no column 'side' of the type String", lambda frame: frame.drop("side")),
    ("no column 'n' of the type Int64", lambda frame: frame.cast({"n": pl.Float64})),
    ("a column 'x', which no such file has", lambda frame: frame.with_columns(x=1)),
    ("a control character, '\\x1b'", lambda frame: frame.with_columns(quantity=pl.lit("\x1b]0;owned\x07"))),
    ("a control character, '\\u202e'", lambda frame: frame.with_columns(side=pl.lit("all\u202e"))),
    ("a number that is none", lambda frame: frame.with_columns(estimate=float("nan"))),
    ("a negative error", lambda frame: frame.with_columns(std_error=-1.0)),
    ("a number of trials that no run has", lambda frame: frame.with_columns(n=pl.lit(-1, pl.Int64))),
    ("a number beyond all results", lambda frame: frame.with_columns(estimate=1e308)),
    ("a number beyond all results", lambda frame: frame.with_columns(estimate=-float("inf"))),
    ("1_999 quantities", lambda frame: pl.concat([frame.head(1)] * 1999).with_columns(
        quantity=pl.concat_str(pl.lit("points_"), pl.int_range(1999).cast(pl.String)))),
    ("an interval upside down", lambda frame: frame.with_columns(ci_low="ci_high", ci_high="ci_low")),
    ("a kind that no result has", lambda frame: frame.with_columns(kind=pl.lit("truth"))),
    ("a row twice", lambda frame: frame.vstack(frame.head(1))),
    ("'1/2' beside", lambda frame: frame.with_columns(exact=pl.lit("1/2"))),
    ("'DROP TABLE' beside", lambda frame: frame.with_columns(exact=pl.lit("DROP TABLE"))),
]  # fmt: skip


ABOUT: list[tuple[str, dict[str, Any]]] = [
    ("it has no metadata of a result", {"schema": 2}),
    ("its request is of 'simulate', and its table of 'games'", {"schema": "games/2"}),
    ("its request is not valid", {"request": {"verb": "simulate"}}),
    ("its seed and its request do not agree", {"seed": 7}),
    ("its policies and its request do not agree", {"policies": ["search"]}),
    ("a control character, '\\r'", {"command": "cirulla-sim\rforged"}),
]
"""Changes of the metadata that no run makes."""


@pytest.fixture
def result() -> cs.Result:
    return cs.simulate(hands=100, **GREEDY)


def assert_refused(reason: str, file: Path = Path("x.parquet")) -> None:
    with pytest.raises(InputError) as refused:
        cs.read(file)
    assert str(refused.value).startswith(f"{file}: no result of cirulla-sim (")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("reason", "spoilt"), FRAMES)
def test_a_table_that_no_run_writes_is_refused(
    reason: str, spoilt: Callable[[pl.DataFrame], pl.DataFrame], result: cs.Result
) -> None:
    write_table(spoilt(result.frame), Path("x.parquet"), result.metadata)
    assert_refused(reason)


@pytest.mark.parametrize(("reason", "changed"), ABOUT)
def test_metadata_that_no_run_writes_are_refused(reason: str, changed: dict[str, Any], result: cs.Result) -> None:
    write_table(result.frame, Path("x.parquet"), result.metadata | changed)
    assert_refused(reason)


def test_a_study_without_its_view_is_refused_in_one_line(result: cs.Result) -> None:
    write_table(result.frame, Path("x.parquet"), result.metadata | {"schema": "study/2"})
    with pytest.raises(InputError, match=r"^x\.parquet: its table cannot be shown: KeyError, 'view'"):
        cs.plot("x.parquet", output="x.png")


def test_a_file_of_another_program_or_too_large_is_refused(result: cs.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    file, deep = Path("x.parquet"), "[" * 100_000 + "]" * 100_000
    result.frame.write_parquet(file, metadata={METADATA: json.dumps(result.metadata)})
    assert_refused("it has no digest")
    file.write_bytes(b"text")
    assert_refused("it has no digest")
    with monkeypatch.context() as nested:
        nested.setattr(tables.json, "dumps", lambda *_, **__: f'{{"schema": "simulate/2", "request": {deep}}}')
        write_table(result.frame, Path("x.parquet"), result.metadata)
    assert_refused("it has no metadata of a result")
    write_table(result.frame, Path("x.parquet"), result.metadata)
    monkeypatch.setattr(tables, "LEAST_A_ROW", 1 << 30)
    for name, bound, reason in (
        ("MOST_BYTES", file.stat().st_size, "it is larger than any"),
        ("MOST_ROWS", len(result.frame), f"and at most {len(result.frame) - 1:_} are possible"),
        ("MOST_METADATA", len(json.dumps(result.metadata, separators=(",", ":"))), "it has no metadata of a result"),
    ):
        with monkeypatch.context() as smaller:
            smaller.setattr(tables, name, bound)
            cs.read(file)
            smaller.setattr(tables, name, bound - 1)
            assert_refused(reason)


def repeated(text: str, rows: int) -> pa.Array:
    """A text in every row, which takes a few bytes of a file."""
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array([text]))


def hostile(rows: int, texts: str = "points", **changed: Any) -> pa.Table:
    """A table of the right columns; all its rows are the same, but for the columns that are changed or new."""
    values = {pl.String: repeated(texts, rows), pl.Float64: np.zeros(rows), pl.Int64: np.ones(rows, np.int64)}
    columns = {name: values[dtype] for name, dtype in SCHEMA.items()} | changed
    return pa.table(list(columns.values()), [name.rstrip("!") for name in columns])


HOSTILE: dict[str, tuple[Callable[[], pa.Table], str, dict[str, Any]]] = {
    "long texts": (lambda: hostile(60_000, "x" * 20_000), "more text than any", {}),
    "one long text": (lambda: hostile(10, value=["x" * 10**7] * 10), "more text than any", {}),
    "rows": (lambda: hostile(200_000), "has 200_000 rows, and at most 65_536", {}),
    "rows of scores": (lambda: hostile(2_000_000), "has 2_000_000 rows, and at most", {"schema": "a-study/2"}),
    "a name twice": (lambda: hostile(10, **{"side!": repeated("us", 10)}), "its table cannot be read", {}),
    "columns": (
        lambda: hostile(60_000, **{f"x{number}": repeated("x" * 1000, 60_000) for number in range(100)}),
        "a column 'quantity', which no such file has", {"schema": "a-study/2"},
    ),
    "lists": (lambda: hostile(2, x=[[1] * 10**6] * 2), "a column 'x', which no such file has", {"schema": "a-study/2"}),
    "metadata": (lambda: hostile(10), "no metadata of a result", {"x": [[]] * 10**6}),
}  # fmt: skip
"""Small files that stand for a lot: a table, why it is refused, and changes of the metadata."""

STEPS = 20_000
"""Calls of functions while a file is read, at most."""


@contextmanager
def steps() -> Iterator[list[int]]:
    """Counts the calls of functions in the block."""
    count = [0]

    def note(frame: Any, event: str, argument: Any) -> None:
        count[0] += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield count
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_small_file_that_stands_for_a_lot_is_refused_at_once(name: str, result: cs.Result) -> None:
    """Under a limit of steps, whatever the table: reading looks at no row by itself."""
    table, reason, changed = HOSTILE[name]
    texts = {METADATA: json.dumps({**result.metadata, **changed}), tables._DIGEST: tables._UNSEALED}
    file = BytesIO()
    with pq.ParquetWriter(file, table().schema, store_schema=False, compression="zstd") as writer:
        writer.write_table(table())
        writer.add_key_value_metadata(texts)
    assert len(file.getvalue()) < 10**7
    Path("x.parquet").write_bytes(tables._sealed(file.getvalue()))
    with steps() as count:
        assert_refused(reason)
    assert count[0] < STEPS


def test_long_texts_take_steps_in_proportion(result: cs.Result) -> None:
    """LaTeX and other formats of 160 values, of 50 characters and of 5000."""
    frame, counts = result.frame.head(160), []
    for long in (50, 5000):
        write_table(
            frame.with_columns(value=pl.int_range(pl.len()).cast(pl.String) + "%_" * (long // 2)),
            Path("x.parquet"), result.metadata,
        )  # fmt: skip
        for form in ("latex", "html", "markdown", "table"):
            with steps() as count:
                cs.read("x.parquet").text(form, all=True)
            counts.append(count[0])
    for short, long in zip(counts[:4], counts[4:], strict=True):
        assert long < 5000 / 50 * short


def test_a_damaged_file_is_refused(result: cs.Result) -> None:
    """Each of 150 flipped bits, evenly spread through the file, is detected."""
    file = result.save("x.parquet")
    whole = file.read_bytes()
    for place in range(4, len(whole), len(whole) // 150):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        assert_refused("digest")


SPOILT_RECORDS: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "a column less": lambda rows: rows.drop(rows.columns[3]),
    "another type": lambda rows: rows.with_columns(pl.col(rows.columns[3]).cast(pl.String)),
    "fewer rows": lambda rows: rows.head(299),
}


@pytest.mark.parametrize("what", ["no parquet", "other metadata", *SPOILT_RECORDS])
def test_records_that_are_not_of_the_run_are_refused(what: str, trap: Path) -> None:
    """They are read to be resumed, and nothing but the run itself wrote them."""
    rows = Path("rows.parquet")
    run: dict[str, Any] = {**GREEDY, "output": "out.parquet", "records": rows}
    cs.simulate(**run, hands=300)
    frame, texts = pl.read_parquet(rows), {METADATA: pl.read_parquet_metadata(rows)[METADATA]}
    if what == "no parquet":
        rows.write_bytes(b"PAR1" + b"x" * 100 + b"PAR1")
    elif what == "other metadata":
        frame.write_parquet(rows, metadata={METADATA: "[" * 100_000})
    else:
        SPOILT_RECORDS[what](frame).write_parquet(rows, metadata=texts)
    before = rows.read_bytes()
    with watched(trap), pytest.raises(InputError, match=r"^--records '.*rows.parquet.*\(give --force to begin"):
        cs.simulate(**run, hands=600)
    assert rows.read_bytes() == before
    cs.simulate(**run, hands=600, force=True)
    assert pl.read_parquet(rows)["hand"].to_list() == list(range(600))
