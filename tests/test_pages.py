"""The pages of the studies: their numbers are in their files, and a page follows from its files alone."""

from __future__ import annotations

import importlib
import re
import runpy
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest
from every_kind import of_study
from markupsafe import escape
from PIL import Image

import cirulla_sim as cs
from cirulla_sim.core.locale import language, unbroken
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.reporting.charts.figures import figures_of, graphic_of
from cirulla_sim.reporting.page.section import tables_of
from cirulla_sim.reporting.page.site import choices, chooser
from cirulla_sim.reporting.text.sentences import sentence as text_of
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import read_table

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results"
STUDIES = sorted(
    path.stem for path in (ROOT / "analyses").glob("*.py") if "study.carry_out(" in path.read_text("utf-8")
)


def of_name(name: str, monkeypatch: pytest.MonkeyPatch, folder: str = "analyses") -> ModuleType:
    """A study by its name, as its script imports what it needs."""
    monkeypatch.syspath_prepend(ROOT / folder)
    return importlib.import_module(name)


@pytest.mark.parametrize("name", STUDIES)
def test_the_answer_of_a_study_quotes_its_files(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sentences, sample sizes and picture's title are those of its files; Italian ones have the same numbers."""
    study, module = of_name("study", monkeypatch), of_name(name, monkeypatch)
    page, question = (RESULTS / f"{name}.md").read_text("utf-8"), module.QUESTION
    english, italian = (study.answer(module, RESULTS, lang) for lang in ("en", "it"))
    assert page.startswith(f"# {question['en']}\n\n{english}\n\n**{question['it']}** ")
    numbers = [re.findall(r"\d[\d.,]*\d|\d", text) for text in (english, language("it").numerals(italian))]
    assert sorted(numbers[0]) == sorted(numbers[1]) != []
    assert english != italian
    assert re.findall(r"!\[.*?\]\((.*?)\)", page) == [module.CHART]
    for file, figure in module.FILES:
        assert figure in figures_of(read_table(RESULTS / file)[1])
    known = "".join(str(read_table(RESULTS / file)[1]) for file in module.sources(RESULTS))
    assert {*re.findall(r"\d+(?:,\d{3})+", module.METHOD)} <= {f"{int(n):,}" for n in re.findall(r"\d{1,12}", known)}
    frame, metadata, *_ = read_table((RESULTS / module.CHART).with_suffix(".parquet"))
    look = {"figure": None, **getattr(module, "LOOK", {})}
    with Image.open(RESULTS / module.CHART) as picture:
        title = graphic_of(frame, metadata, look["figure"], language("en")).title
        assert picture.info["Title"] == look.get("title", title)


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_every_page_is_written_again_from_its_files(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study, module = of_name("study", monkeypatch), of_name(name, monkeypatch)
    assert study.page(module, RESULTS) == (RESULTS / f"{name}.md").read_text("utf-8")


def test_every_page_has_a_study_and_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {path.stem for path in RESULTS.glob("*.md")} - {"README"}
    monkeypatch.syspath_prepend(ROOT / "analyses")
    every = runpy.run_path(str(ROOT / "analyses" / "__main__.py"), run_name="every")["STUDIES"]
    listed = re.findall(r"`python analyses/(\w+)\.py`", (RESULTS / "README.md").read_text("utf-8"))
    assert sorted(every) == sorted(pages) == STUDIES
    assert list(every) == listed


def test_a_repeated_request_is_not_played_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """But another one is."""
    study, file, calls = of_name("study", monkeypatch), tmp_path / "some.parquet", list[int]()

    def made(hands: int, policy: str) -> int:
        def make() -> tuple[pl.DataFrame, dict[str, str]]:
            calls.append(1)
            return of_study("luck_and_skill").frame, {"command": "", "schema": "study/2"}

        study.store(file, {"hands": (hands,)}, [Experiment(build(), (policy,))], make)
        return len(calls)

    assert [made(5, "greedy"), made(5, "greedy"), made(6, "greedy"), made(6, "random")] == [1, 1, 2, 3]


def test_the_readme_agrees_with_the_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    script = of_name("refresh_pages", monkeypatch, "scripts")
    shown = "".join((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/tutorials/tour.md"))
    monkeypatch.syspath_prepend(ROOT / "analyses")
    passages = list(script.PASSAGE.finditer(shown))
    assert passages
    assert [script.rewritten(passage) for passage in passages] == [passage[0] for passage in passages]
    for alt, path in re.findall(r"!\[(.*?)\]\((docs/.*?\.png)\)", shown):
        with Image.open(ROOT / path) as picture:
            assert alt.startswith(picture.info["Title"])


@pytest.mark.slow
def test_the_pages_of_all_studies_agree_with_their_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their answers, tables and choices are computed again; only the charts are not drawn again."""
    monkeypatch.syspath_prepend(ROOT / "analyses")
    every = runpy.run_path(str(ROOT / "analyses" / "__main__.py"), run_name="every")
    sections, compared = every["sections"](RESULTS), every["compared"](RESULTS)
    results = [result for section in sections for result in section.shown] + [cs.read(file) for file in compared]
    found = choices(results)
    assert found
    for lang, folder in (("en", RESULTS / "report"), ("it", RESULTS / "report" / "it")):
        for section in sections:
            shown = (folder / f"{section.name}.html").read_text("utf-8")
            assert f"<h1>{escape(section.question[lang])}</h1>" in shown
            for sentence in section.sentences(lang):
                assert f"<p>{escape(unbroken(text_of(sentence, language(lang), plain=True)))}</p>" in shown
            for row in (row for result in section.shown for row in tables_of(result, language(lang))[0].groups[0]):
                assert "</th>" + "".join(f"<td>{escape(unbroken(cell))}</td>" for cell in row[1:]) in shown
        match = re.search(r'id="data">(.*?)</script>', (folder / "rules.html").read_text("utf-8"), re.S)
        assert match is not None
        assert match[1] == chooser(found, language(lang))["data"]
