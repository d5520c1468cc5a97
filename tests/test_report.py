"""The pages of several results: complete in themselves, with the numbers of the files, and working in a browser."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browsing import ARGUMENTS, CHROMIUM

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.reporting.page.site import front_findings, glossary
from cirulla_sim.reporting.text.cells import marked
from cirulla_sim.reporting.text.findings import Noun, find_sign, rank_rows, who

ENGLISH = language("en")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of two comparisons, a run and a table of odds, and the pages on them."""
    folder = tmp_path_factory.mktemp("report")
    house, pair, run, odds = files_in(folder)
    cs.compare(house=["no-matta", "simple-primiera", "short-game"], policy=["random", "careful"], hands=200,
               progress=False, output=house)  # fmt: skip
    cs.compare(house=["no-matta+simple-primiera", "no-matta"], policy="careful", hands=200, progress=False, output=pair)
    cs.simulate(players=3, policy="greedy", hands=1_234, progress=False, output=run)
    cs.odds(output=odds)
    question, answer = {"en": 'Is <this> "it"?', "it": "È «questo»?"}, {"en": "Yes & no.", "it": "Sì e no."}
    section = cs.Section(question, answer, ((house, None), (run, None)), "both")
    cs.report([section, odds], output=folder / "pages", choose=pair)
    return folder


@pytest.fixture(scope="module")
def pages(folder: Path) -> Path:
    return folder / "pages"


def files_in(folder: Path) -> tuple[Path, ...]:
    return tuple(folder / f"{name}.parquet" for name in ("house", "pair", "run", "odds"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Elements(HTMLParser):
    """The ids of a page, the addresses in it, the texts of its pictures, and its own text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.addresses: list[str] = []
        self.pictures: list[str] = []
        self.lang = self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: str(value) for name, value in attrs}
        self.ids.update(filter(None, [values.get("id")]))
        self.addresses += [values[name] for name in ("src", "srcset", "data", "action", "href") if name in values]
        if tag == "html":
            self.lang = values["lang"]
        if values.get("role") == "img":
            self.pictures.append(values["aria-label"])

    def handle_data(self, data: str) -> None:
        self.text += data


def elements(page: Path) -> Elements:
    return Elements(page.read_text("utf-8"))


# ------------------------------------------------------------------------------------------------ pages


@pytest.mark.slow
def test_every_address_is_a_file_of_the_folder_or_a_name_on_the_page(pages: Path) -> None:
    every = {page: elements(page) for page in sorted(pages.rglob("*.html"))}
    assert [page.name for page in every if page.parent == pages] == [
        "both.html", "glossary.html", "index.html", "odds.html", "rules.html"
    ]  # fmt: skip
    for page, found in every.items():
        assert [name for name, times in found.ids.items() if times > 1] == []
        for address in found.addresses:
            file, _, name = address.partition("#")
            target = (page.parent / file).resolve() if file else page
            assert target.is_relative_to(pages.resolve()), address
            assert target.is_file(), (page, address)
            assert not name or name in every[target].ids, (page, address)
        assert set(re.findall(r"url\(#([^)]+)", page.read_text("utf-8"))) <= set(found.ids)
        assert all(40 < len(alt) < 2000 for alt in found.pictures)


def test_pages_have_the_numbers_of_the_files_in_every_language(folder: Path, pages: Path) -> None:
    """Also the alternative text of a picture: the numbers of the rows that are drawn."""
    for path, lang, phrase in (("both.html", "en", "1,234 hands"), ("it/both.html", "it", "1.234 smazzate")):
        found = elements(pages / path)
        assert found.lang == lang
        assert phrase in found.text.replace("\u00a0", " ")
        assert ('Is <this> "it"?' in found.text) == (lang == "en")
        assert ("Le domande" in elements(pages / path.replace("both", "index")).text) == (lang == "it")
    assert len(glossary("en")) == len(glossary("it")) > 20
    text = elements(pages / "both.html").pictures[0]
    frame = cs.read(folder / "house.parquet").frame.filter(quantity="points", side="all", kind="difference")
    for row in frame.iter_rows(named=True):
        if row["estimate"]:
            assert marked(row, ENGLISH) in text, text


def test_the_chooser_has_every_rule_and_pair(folder: Path, pages: Path) -> None:
    text = (pages / "rules.html").read_text("utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    assert list(data["players"]["4"]) == ["careful", "random"]  # careful players first
    careful = data["players"]["4"]["careful"]
    assert set(careful) == {"no-matta", "simple-primiera", "short-game", "no-matta+simple-primiera"}
    assert data["rules"]["no-matta"] == ["No matta", "No card is wild."]
    for file, rules in (("house", "simple-primiera"), ("pair", "no-matta+simple-primiera"), ("pair", "no-matta")):
        frame = cs.read(folder / f"{file}.parquet").frame.filter(rules=rules, kind="difference")
        if "policy" in frame.columns:
            frame = frame.filter(policy="careful")
        for name, quantity, side, scale in (
            ("points", "points", "all", 1), ("margin", "margin", "dealer", 1), ("wins", "wins_hand", "dealer", 100),
        ):  # fmt: skip
            assert careful[rules][name][0] == round(
                scale * frame.filter(quantity=quantity, side=side)["estimate"][0], 5
            )


# ------------------------------------------------------------------------------------------------ findings


def test_findings_are_significant_and_come_in_the_order_of_their_questions(folder: Path) -> None:
    def row(estimate: float, error: float = 0.1) -> dict[str, object]:
        ends = {"ci_low": estimate - 2 * error, "ci_high": estimate + 2 * error, "std_error": error}
        return {"quantity": "margin", "kind": "difference", "per": "hand", "exact": None, "estimate": estimate} | ends

    def section(*sentences: object) -> cs.Section:
        answer = dict.fromkeys(("en", "it"), sentences)
        return cs.Section({"en": "?", "it": "?"}, answer, ((files_in(folder)[0], None),))  # type: ignore[arg-type]

    weak, strong, none = (find_sign("dealing", row(x), who=who("careful")) for x in (0.5, 5.0, 0.05))
    tied = rank_rows("rank.points", {Noun("text", "a"): row(9.0), Noun("text", "b"): row(8.95)})
    assert front_findings([section(none), section(tied, none)], "en") == []
    assert front_findings([section(weak), section(none, strong), section("A text.")], "en") == [(0, 0), (1, 1)]
    assert len(front_findings([section(strong)] * 9, "en")) == 5


# ------------------------------------------------------------------------------------------------ the folder


@pytest.mark.slow
def test_the_same_files_give_the_same_bytes_and_a_report_replaces_only_a_report(folder: Path, tmp_path: Path) -> None:
    output, odds = tmp_path / "pages", files_in(folder)[3]
    cs.report(odds, output=output, title="Other", date="2026-01-31")
    assert "2026-01-31" in elements(output / "index.html").text
    (output / "mine.txt").write_text("mine", "utf-8")
    before = contents(output)
    with pytest.raises(InputError, match=r"has files of others, such as 'mine\.txt'"):
        cs.report(odds, output=output)
    assert contents(output) == before
    cs.report(odds, output=output, force=True, lang="it")
    assert (output / "mine.txt").read_text("utf-8") == "mine"
    assert (elements(output / "index.html").lang, elements(output / "en" / "index.html").lang) == ("it", "en")
    (output / "mine.txt").unlink()
    cs.report(odds, output=tmp_path / "again", lang="it")
    assert contents(output) == contents(tmp_path / "again")


def test_a_failure_leaves_what_was_there(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output, odds = tmp_path / "pages", files_in(folder)[3]
    cs.report(odds, output=output)
    before, write = contents(output), Path.write_text

    def full(path: Path, *rest: object, **others: object) -> int:
        if path.name == "style.css":
            raise OSError(28, "No space left on device")
        return write(path, *rest, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space"):
        cs.report(odds, output=output, title="Other")
    assert contents(output) == before
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


# ------------------------------------------------------------------------------------------------ in a browser


CHECK = """
<script>
addEventListener("load", () => {
  const [study, rules] = [...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument);
  const root = study.documentElement, form = rules.querySelector(".chooser").elements;
  const shown = () => rules.querySelector(".result").textContent;
  const table = study.querySelector("table.sortable"), order = () => table.textContent;
  const texts = [shown()], orders = [order()];
  for (let times = 0; times < 2; times++) {
    [...table.querySelectorAll("thead button")].slice(-1)[0].click();
    orders.push(order());
  }
  for (const [name, value] of [["first", "simple-primiera"], ["second", "no-matta"], ["quantity", "margin"]]) {
    form[name].value = value;
    form[name].dispatchEvent(new Event("change", { bubbles: true }));
    texts.push(shown());
  }
  const command = rules.querySelector(".result pre").textContent;
  const found = [root.scrollWidth - root.clientWidth, new Set(orders).size, new Set(texts).size, command];
  document.querySelector("pre").textContent = JSON.stringify(found);
});
</script>
"""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to look at the pages with")
def test_the_pages_work_in_a_browser(pages: Path, tmp_path: Path) -> None:
    """Nothing is wider than the screen; sorting and choices work."""
    frames = "".join(f'<iframe src="{(pages / name).as_uri()}" style="width:390px;height:900px"></iframe>'
                     for name in ("both.html", "rules.html"))  # fmt: skip
    (tmp_path / "check.html").write_text(f"{frames}<pre></pre>{CHECK}", "utf-8")
    done = subprocess.run(
        [str(CHROMIUM), *ARGUMENTS, "--allow-file-access-from-files", f"--user-data-dir={tmp_path / 'profile'}",
         "--virtual-time-budget=20000", "--dump-dom", (tmp_path / "check.html").as_uri()],
        capture_output=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    match = re.search(r"<pre>(\[.*?\])</pre>", done.stdout, re.S)
    assert match, done.stdout[-500:] + done.stderr[-500:]
    wider, orders, texts, command = json.loads(match[1])
    assert (wider, orders, texts) == (0, 3, 4)
    houses = "--house simple-primiera --house no-matta --house no-matta+simple-primiera"
    assert f"{houses} --policy careful" in command
