"""The documentation site is built without a warning, from files of the repository alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cirulla_sim
from cirulla_sim.cli.verbs import VERBS
from cirulla_sim.questions.vocabulary import functions
from cirulla_sim.ruleset.catalogue import catalogue

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; the build ends with an error at the first warning, such as a link that leads nowhere."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    closed = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    built = subprocess.run(
        command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, **closed, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert (built.returncode, built.stderr) == (0, "")
    return folder


def test_every_verb_name_function_and_rule_has_its_place(site: Path) -> None:
    def page(name: str) -> str:
        return (site / "reference" / f"{name}.html").read_text("utf-8")

    assert all(f'id="cirulla-sim-{verb}"' in page("commands") for verb in VERBS)
    assert all(f'id="cirulla_sim.{name}"' in page("api") for name in cirulla_sim.__all__)
    assert all(f"<code>{name}</code>" in page("functions") for name in functions())
    names = [*catalogue()["preset"], *catalogue()["house"], *catalogue()["field"]]
    assert all(f"<code>{name}</code>" in page("fields") for name in names)


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    loaded = re.compile(r"<(?:link|script|img|iframe)[^>]*(?:href|src)=[\"']?(?:https?:)?//[^\"' >]*")
    for page in site.rglob("*.html"):
        assert not loaded.findall(page.read_text("utf-8")), page
    for style in site.rglob("*.css"):
        assert not re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", style.read_text("utf-8")), style


def test_studies_and_files_that_pages_link_to_are_part_of_it(site: Path) -> None:
    studies = {path.stem for path in (ROOT / "results").glob("*.md")} - {"README"}
    assert studies == {path.stem for path in (site / "results").glob("*.html")} - {"index"}
    notebooks = {path.name for path in (ROOT / "analyses").glob("*.ipynb")}
    assert notebooks == {path.name for path in (site / "files" / "analyses").glob("*.ipynb")}
    assert "../results/dealing.html" in (site / "tutorials" / "tour.html").read_text("utf-8")
