"""What all tests share: compiled code, the order of tests, and fixtures of several test files."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import hypothesis
import pytest

import cirulla_sim
from cirulla_sim.cli import main
from cirulla_sim.reporting.result import Result

if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the programs that tests start would ignore it too, as under nohup


sys.path.insert(0, str(Path(__file__).parent.parent / "analyses"))

os.environ["LC_ALL"] = "C.UTF-8"  # English, whatever the developer's language, in programs that tests start too

FIRST = (
    "test_cards", "test_layers", "test_same_hands", "test_same_numbers", "test_known_answers", "test_captures",
    "test_rules", "test_flat", "test_streams", "test_estimates", "test_exact", "test_agreement",
)  # fmt: skip
"""Files that detect most faults of rules, kernel and statistics within seconds."""

LAST = (
    "test_compare", "test_tournament", "test_expectancy", "test_controls", "test_strata", "test_warmup", "test_readme",
    "test_pages", "test_report", "test_figures", "test_looks", "test_inert_files",
)  # fmt: skip
"""Files that take longest."""


def is_controller(config: pytest.Config) -> bool:
    """Whether this process only distributes tests to workers."""
    return bool(config.getoption("numprocesses", None)) and not hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.register_profile("untimed", deadline=None)  # a busy machine is no fault
    hypothesis.settings.load_profile("untimed")
    if not is_controller(config):
        import study_views  # noqa: F401 (registers the charts and texts of studies, in whatever order tests run)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile everything before the workers start, which would otherwise wait for each other or compile twice."""
    if is_controller(session.config):
        from cirulla_sim.kernel.jit import cache_folder
        from cirulla_sim.verbs.warmup import warm_up

        folder, package = cache_folder(), str(Path(cirulla_sim.__file__).parent)
        if folder is None:
            return
        done = folder / ".complete"  # names the folder of the sources, which numba's index depends on
        if not done.exists() or done.read_text("utf-8") != package:
            try:
                warm_up()
            except RuntimeError as error:
                pytest.exit(str(error), returncode=1)
            done.write_text(package, "utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort tests so that faults are reported early: ``FIRST``, doctests and all others, ``LAST``."""
    order = {name: number - len(FIRST) for number, name in enumerate(FIRST)}
    order |= {name: number + 1 for number, name in enumerate(LAST)}
    items.sort(key=lambda item: order.get(item.path.stem, 0))


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Mapping[str, Result]:
    """Results of every kind, by name; the workers share them."""
    from every_kind import Results

    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if hasattr(request.config, "workerinput") else folder) / "results"
    folder.mkdir(exist_ok=True)
    return Results(folder)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process: exit code, stdout, stderr."""

    def run_command(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return run_command
