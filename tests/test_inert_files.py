"""Files are data: whatever they name, reading them runs no code, opens no other file and connects to nothing.

Files are forged to name a trap in every place that has a name in it: the request, the command, the policies. They are
sealed again, so that they pass for files as they were written. An audit hook sees all that Python then does.
"""

from __future__ import annotations

import copy
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.storage.atomic_files import whole_file
from cirulla_sim.storage.tables import METADATA, read, read_stored, write_part

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
def watched() -> Iterator[list[str]]:
    """Yield a list of forbidden events in the block."""
    global _events
    _events = events = []
    try:
        yield events
    finally:
        _events = None


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


GREEDY: dict[str, Any] = {"policy": "greedy", "progress": False}
CALLS: dict[str, tuple[Callable[..., cs.Result], dict[str, Any]]] = {
    "simulate": (lambda **options: cs.simulate(**options), {**GREEDY, "hands": 300}),
    "simulate, line-ups": (
        lambda **options: cs.simulate(**options), {"policy": ["greedy", "random"], "hands": 300, "progress": False}
    ),
    "games": (lambda **options: cs.games(**options), {**GREEDY, "games": 100}),
    "games, from a score": (lambda **options: cs.games(**options), {**GREEDY, "at": "score: 38-41", "hands": 300}),
    "games, win table": (
        lambda **options: cs.games(**options), {**GREEDY, "rules": "scopa", "win_table": True, "hands": 300}
    ),
    "compare": (lambda **options: cs.compare(**options), {**GREEDY, "house": "no-matta", "hands": 300}),
    "tournament": (
        lambda **options: cs.tournament(**options),
        {"policy": ["greedy", "random"], "players": 2, "hands": 1000, "progress": False},
    ),
    "odds": (
        lambda **options: cs.odds("wins(us)", **options), {**GREEDY, "hands": 300}
    ),
    "advise": (
        lambda **options: cs.advise(**options),
        {**GREEDY, "at": "table: 5h 2c Kd; me: 7d 2s Jh", "players": 2, "samples": 64},
    ),
}  # fmt: skip
"""A file of every verb that writes one."""

MERGEABLE = [name for name in CALLS if name not in ("odds", "advise")]


def forged(metadata: dict[str, Any], trap: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The metadata with the trap in each place by itself, and in all places."""
    policy, module = f"{trap}/{TRAP}.py:play", f"{TRAP}:play"
    source = blake2b((trap / f"{TRAP}.py").read_bytes(), digest_size=16).hexdigest()
    address, rules = f"tcp://{TRAP}:8786", str(trap / "rules.toml")
    paths = {name: str(trap / f"{name}.parquet") for name in ("output", "records", "resume", "file", "path")}
    engine = {"engine": "dask", "scheduler": address, "threads": 500}
    words = (
        f"--policy {policy} --engine dask --scheduler {address} --rules {rules} --records {paths['records']} "
        f"--resume {paths['resume']} -o {paths['output']}"
    )
    policies = {"policies": [policy], "sources": {policy: source, module: source}}

    def request(**parts: Any) -> dict[str, Any]:
        return {"request": copy.deepcopy(metadata["request"]) | parts}

    same = metadata["request"]
    line_ups = [
        [dict.fromkeys(line_up, own) for line_up in same["line_ups"]] or [{"all": own}]
        for own in (policy, module, f"{policy}+silent", f"search:8:{module}")
    ]
    yield "command", {"command": f"{metadata['command']} {words}"}
    top = {**engine, **paths, "rules": rules, "deal": rules, "against": [rules], "preset": rules}
    yield "policies", policies
    yield DRAWN, top
    for changed in line_ups:
        yield "line-ups", {**request(line_ups=changed), **policies}
    yield "rules", request(rules=same["rules"] | {"name": rules})
    yield "preset", request(rules=same["rules"] | {"preset": rules})
    yield "question", request(question=same["question"] | engine | paths)
    yield (
        "names in the question",
        request(question=same["question"] | {"policy": policy, "rules": rules, "house": [rules], "against": [rules]}),
    )
    yield "situation", request(situation={"deal": rules, "record": paths["records"]})
    yield "request", request(**engine, **paths)
    yield "verb", request(verb=f"{TRAP}")
    yield "all", {
        **engine, **paths, **policies, "command": f"cirulla-sim simulate {words}",
        **request(line_ups=line_ups[0], rules=same["rules"] | {"name": rules}),
    }  # fmt: skip


def reseal(file: Path, target: Path, changed: dict[str, Any]) -> None:
    frame, metadata = read(file)
    stored = {name: text for name, text in read_stored(file).items() if name.startswith("cirulla_sim_")}
    with whole_file(target) as part:
        write_part(frame, part, metadata | changed, stored)


DRAWN = "top"
"""The forgery whose charts are drawn, too: it is accepted, and drawing takes most of the time."""


def shown(file: Path, drawn: bool) -> None:
    """Everything that shows a file; charts and all formats in both languages if it is to be ``drawn``."""
    with suppress(InputError):
        result = cs.read(file)
        languages = itertools.cycle(("en", "it"))
        for form in ("table", "json", "csv", "markdown", "latex", "html"):
            for lang in ("en", "it") if drawn else (next(languages),):
                with suppress(InputError):
                    result.text(form, lang=lang)
        for lang in ("en", "it"):
            with suppress(InputError):
                result.describe(lang)
    if drawn and result.metadata["schema"].startswith(("simulate", "compare")):  # others are drawn in the same way
        cs.report([file], output="pages", force=True)
    for verb in ("table", "describe", *(["plot"] if drawn else [])):
        with pytest.raises(SystemExit) as end:
            main([verb, str(file)])
        assert end.value.code in (None, 0, 2)


def carried_on(name: str, file: Path, other: Path) -> None:
    """Everything that carries on with a file."""
    function, arguments = CALLS[name]
    with suppress(InputError):
        function(**arguments, output=file)
    with suppress(InputError):
        function(**arguments, resume=file, output="resumed.parquet", force=True)
    with suppress(InputError):
        cs.combine([file, other], output="both.parquet", force=True)
    with suppress(InputError):
        cs.combine([other, file], output="both.parquet", force=True)
    with suppress(InputError):
        cs.combine([file, file.with_name("none.parquet")])


def test_a_sprung_trap_is_detected(trap: Path) -> None:
    with watched() as events, pytest.raises(InputError):
        cs.simulate(policy=f"{TRAP}:nothing", hands=10, progress=False)
    assert events
    assert (trap / "sprung").exists()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", CALLS)
def test_a_forged_file_does_nothing(name: str, trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "tournament":  # costs are measured in a moment
        monkeypatch.setattr("cirulla_sim.experiments.tournament_pairings._MEASURED_SECONDS", 0.002)
    function, arguments = CALLS[name]
    file, later, target, target_later = (Path(f"{name}.parquet") for name in ("one", "later", "forged", "forged_later"))
    function(**arguments, output=file)
    unit = "games" if "games" in arguments else "hands"
    if name in MERGEABLE:
        function(**arguments | {f"first_{unit[:-1]}": arguments[unit]}, output=later)
    else:
        later.write_bytes(file.read_bytes())
    shown(file, False)  # what is imported and compiled at first is so now
    carried_on(name, file, later)
    for what, changed in forged(read(file)[1], trap):
        reseal(file, target, changed)
        reseal(later, target_later, changed)
        with watched() as events:
            shown(target, what == DRAWN)
            carried_on(name, target, target_later)
        assert not events, (what, events)
        assert not (trap / "sprung").exists(), what
        assert what != DRAWN or name == "advise" or Path("forged.png").exists()
        for left in ("resumed.parquet", "both.parquet"):
            Path(left).unlink(missing_ok=True)


def texts(value: Any, name: str = "") -> Any:
    """A value of JSON types with the trap in place of every policy, rule set and preset."""
    if isinstance(value, dict):
        return {key: texts(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [texts(item, name) for item in value]
    if isinstance(value, str) and name in ("policies", "policy", "line_up", "all", "us", "them", "dealer", "others"):
        return f"{TRAP}:play"
    return value


def test_a_forged_hand_record_does_nothing(trap: Path) -> None:
    hand = cs.hand(number=1, players=2, policy="greedy").record
    rules = str(trap / "rules.toml")
    file = Path("hand.json")
    file.write_text(json.dumps(hand), "utf-8")
    cs.hand(record=file, coach=True, samples=4)
    for changed in (
        texts(hand) | {"policies": [f"{trap}/{TRAP}.py:play"] * 2, "policy": f"{TRAP}:play"},
        hand | {"rules": {"preset": rules}},
        hand | {"rules": hand["rules"] | {"base": rules, "name": rules}},
        hand | {"engine": "dask", "scheduler": f"tcp://{TRAP}:8786", "output": str(trap / "out.parquet")},
    ):
        file.write_text(json.dumps(changed), "utf-8")
        coach = ["show", "--record", str(file), "--coach", "--samples", "4"]
        with watched() as events:
            for words in (coach, ["advise", "--at", f"{file}#0.1", "--samples", "4"]):
                with pytest.raises(SystemExit) as end:
                    main(words)
                assert end.value.code in (None, 0, 2)
        assert not events
        assert not (trap / "sprung").exists()


def test_a_forged_game_imports_nothing(trap: Path) -> None:
    """A saved game names its policies: a policy of the user's own is imported only if the user names it again."""
    from cirulla_sim.verbs.play import play as play_game

    file = Path("game.jsonl")

    def play(*answers: str, **arguments: Any) -> None:
        left = iter(answers)
        play_game(lambda text: None, lambda prompt: next(left, None), output=file, **arguments)

    play("1", "1", seed=8)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for own in (f"{trap}/{TRAP}.py:play", f"{TRAP}:play"):
        changed = json.dumps([texts(line) for line in lines]).replace(f"{TRAP}:play", own)
        file.write_text("".join(f"{json.dumps(line)}\n" for line in json.loads(changed)), "utf-8")
        assert own in file.read_text("utf-8")
        for arguments in ({"seed": 8}, {}):
            with watched() as events, pytest.raises(InputError):
                play("1", **arguments)
            assert not events
            assert not (trap / "sprung").exists()


def test_a_user_policy_must_have_the_source_recorded_in_the_files(trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    with pytest.raises(InputError, match=r"--policy 'own.py:play': its source is not the one that made a.parquet"):
        cs.combine(parts, policy=named)
    assert not (trap / "sprung").exists()
    own.unlink()
    with pytest.raises(InputError, match=r"'own.py' cannot be read"):
        cs.combine(parts, policy=named)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places in a value of JSON types."""
    if path:
        yield path
    for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from leaves(value[name], (*path, name))


@pytest.mark.parametrize("deep", ["[" * 200_000 + "]" * 200_000, '{"x":' * 200_000 + "1" + "}" * 200_000])
def test_metadata_nested_too_deep_are_refused_wherever(deep: str) -> None:
    file = Path("x.parquet")
    result = cs.simulate(players=2, hands=100, **GREEDY)
    places = [(), *(place for place in leaves(result.metadata) if "fields" not in place[:-1])]
    assert ("request", "rules", "fields") in places
    for place in places:
        changed: Any = {"all": copy.deepcopy(result.metadata)}
        inner: Any = changed
        for name in ("all", *place)[:-1]:
            inner = inner[name]
        inner[("all", *place)[-1]] = "deep"
        text = json.dumps(changed["all"]).replace('"deep"', deep)
        result.frame.write_parquet(file, metadata={METADATA: text})
        with pytest.raises(InputError, match=r"x\.parquet: is not a result file") as refused:
            cs.read(file)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("schema", "rows"), [("simulate/2", 200_001), ("odds/2", 200_001), ("a-study/2", 1_000_001)])
def test_more_rows_than_a_file_can_have_are_not_even_decoded(
    schema: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that are all the same take no room in a file, and gigabytes in memory."""
    monkeypatch.setattr("cirulla_sim.storage.tables._frame", lambda parquet: pytest.fail("decoded"))
    file = Path("x.parquet")
    frame = pl.DataFrame({"estimate": [0.5]}).select(pl.all().repeat_by(rows).explode())
    frame.write_parquet(file, metadata={METADATA: json.dumps({"schema": schema})})
    assert file.stat().st_size < 10_000
    with pytest.raises(InputError, match=f"its table has {rows:_} rows, and at most {rows - 1:_} are possible"):
        cs.read(file)


SPOILT_RECORDS: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "a column less": lambda rows: rows.drop(rows.columns[3]),
    "a column more": lambda rows: rows.with_columns(pl.lit(TRAP).alias("x")),
    "another type": lambda rows: rows.with_columns(pl.col(rows.columns[3]).cast(pl.String)),
    "other hands": lambda rows: rows.with_columns(pl.col("hand").reverse()),
    "nulls": lambda rows: rows.with_columns(pl.lit(None).cast(pl.Int16).alias(rows.columns[3])),
}


@pytest.mark.parametrize("what", ["no parquet", "other metadata", *SPOILT_RECORDS])
def test_records_that_are_not_of_the_run_are_refused(what: str) -> None:
    """They are read to be resumed, and nothing but the run itself wrote them."""
    rows, out = Path("rows.parquet"), Path("out.parquet")
    run: dict[str, Any] = {**GREEDY, "players": 2, "output": out, "records": rows}
    cs.simulate(**run, hands=300)
    frame, texts = pl.read_parquet(rows), {METADATA: pl.read_parquet_metadata(rows)[METADATA]}
    if what == "no parquet":
        rows.write_bytes(b"PAR1" + b"x" * 100 + b"PAR1")
    elif what == "other metadata":
        frame.write_parquet(rows, metadata={METADATA: "[" * 100_000})
    else:
        SPOILT_RECORDS[what](frame).write_parquet(rows, metadata=texts)
    before = rows.read_bytes()
    with watched() as events, pytest.raises(InputError, match=r"^--records '.*rows.parquet.*\(give --force to begin"):
        cs.simulate(**run, hands=600)
    assert not events
    assert what in ("other hands", "nulls") or rows.read_bytes() == before
    assert len(cs.simulate(**run, hands=600, force=True).frame)
    assert pl.read_parquet(rows)["hand"].to_list() == list(range(600))


@pytest.mark.parametrize("against", [True, [None], [[]], "x", ["x"], []])
def test_a_comparison_of_nights_names_nights(against: Any) -> None:
    file, nights = (
        Path("x.parquet"),
        ("night: 4 pairs, swiss, 2 rounds of 2 hands", "night: 4 pairs, knock-out, 2 hands"),
    )
    result = cs.compare(at=nights[0], against=nights[1], hands=20, output=file, **GREEDY)
    changed = copy.deepcopy(result.metadata["request"])
    changed["question"]["against"] = against
    reseal(file, file, {"request": changed})
    if against == []:
        assert cs.read(file).describe()
    else:
        with pytest.raises(InputError, match=r"x\.parquet: (its request does not name the nights|--at: )"):
            cs.read(file)


def test_an_error_is_one_line_whatever_a_path_holds() -> None:
    for read_path in (cs.read, cs.Game.from_records, lambda path: cs.hand(record=path)):
        with pytest.raises(InputError) as refused:
            read_path("no\nsuch\nfile")
        assert "no such file: " in str(refused.value)


def test_a_file_without_a_seal_is_read_without_another_process() -> None:
    """Beside a file of another program lies a malicious module, named as one that a process would import."""
    file = Path("foreign.parquet")
    pl.DataFrame({"quantity": ["knock"]}).write_parquet(file, metadata={METADATA: json.dumps({"schema": "simulate/2"})})
    Path("polars.py").write_text("from pathlib import Path\nPath('sprung').touch()\n", "utf-8")
    with watched() as events, pytest.raises(InputError, match="has no column 'per'"):
        read(file)
    assert not events
    assert not Path("sprung").exists()
