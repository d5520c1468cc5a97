"""The page of several results: complete in itself, with the numbers of the files, and working in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.reporting.page.section import inlined

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LANGUAGES = ("en", "it")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a comparison, a run and a table of odds."""
    folder = tmp_path_factory.mktemp("report")
    house, run, odds = files_in(folder)
    cs.compare(house=["no-matta", "table-nine", "short-game"], policy=["greedy", "random"], hands=400, progress=False,
               output=house)  # fmt: skip
    cs.simulate(players=3, policy="greedy", hands=12_345, progress=False, output=run)
    cs.odds(output=odds)
    return report_in(folder, folder / "page.html")


def files_in(folder: Path) -> tuple[Path, ...]:
    return tuple(folder / f"{name}.parquet" for name in ("house", "run", "odds"))


def report_in(folder: Path, output: Path) -> Path:
    """Write the page of the files in a folder."""
    house, run, odds = files_in(folder)
    question, answer = {"en": 'Is <this> "it"?', "it": "È «questo»?"}, {"en": "Yes & no.", "it": "Sì e no."}
    section = cs.Section(question, answer, ((house, None), (run, None)))
    return cs.report([section, odds], output=output)


class Elements(HTMLParser):
    """The ids of a page, the addresses that it loads, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.loaded: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids[str(value)] += 1
            if name in ("src", "srcset", "data", "action") or (
                name.endswith("href") and not str(value).startswith("#")
            ):
                self.loaded.append(str(value))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_loads_nothing_else(page: Path) -> None:
    text = page.read_text("utf-8")
    elements = Elements(text)
    assert elements.loaded == []
    assert not re.search(r"@import|url\((?!['\"]?#)", text)
    assert [name for name, times in elements.ids.items() if times > 1] == []
    assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', text)) <= set(elements.ids)


def test_every_language_has_its_texts_and_numbers(page: Path) -> None:
    text = page.read_text("utf-8")
    for lang, phrase in (("en", "12,345 hands"), ("it", "12.345 smazzate")):
        assert f'lang="{lang}"' in text
        assert phrase in Elements(text).text
    assert Elements(text).text.count("È «questo»?") == Elements(text).text.count('Is <this> "it"?') == 2


def test_the_data_of_all_choices_is_in_the_page(page: Path) -> None:
    text = page.read_text("utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    frame = cs.read(page.parent / "house.parquet").frame
    assert set(data["found"]) == {"4"}
    for policy in ("greedy", "random"):
        for quantity, side, scale in (("points", "all", 1), ("margin", "dealer", 1), ("wins_hand", "dealer", 100)):
            rows = frame.filter(policy=policy, quantity=quantity, side=side, kind="difference").rows(named=True)
            assert {row["rules"]: round(scale * row["estimate"], 6) for row in rows} == {
                rule: cell[0] for rule, cell in data["found"]["4"][policy][quantity].items()
            }


def test_the_same_files_give_the_same_bytes(page: Path, tmp_path: Path) -> None:
    assert report_in(page.parent, tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_only_coordinates_of_a_chart_are_rounded() -> None:
    svg = '<svg viewBox="0 0 1 1"><path id="p" d="M 1.23456 7.5"/><text>80.000 smazzate, 0.12345</text></svg>'
    assert inlined(svg, "a-", "t").partition(">")[2] == (
        '<path id="a-p" d="M 1.23 7.5"/><text>80.000 smazzate, 0.12345</text></svg>'
    )


def test_invalid_reports_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"does not end in \.html"):
        cs.report("x.parquet", output=tmp_path / "page.pdf")
    with pytest.raises(InputError, match="there is no such file"):
        cs.report(tmp_path / "x.parquet", output=tmp_path / "page.html")
    with pytest.raises(InputError, match="no file to report on"):
        cs.report([], output=tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


_CHECK = """
<script>
const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {
  const page = frame.contentWindow, doc = frame.contentDocument, said = {errors};
  const visible = (lang) => [...doc.querySelectorAll("h2 ." + lang)].filter((e) => e.getClientRects().length).length;
  const wide = () => doc.documentElement.scrollWidth - doc.documentElement.clientWidth;
  said.over = [wide()];
  doc.querySelector('[data-set-lang="it"]').click();
  said.italian = [visible("it"), visible("en")];
  said.over.push(wide());
  doc.querySelector('[data-set-lang="en"]').click();
  said.english = [visible("it"), visible("en")];
  for (const one of doc.querySelectorAll("details")) one.open = true;
  said.over.push(wide());
  const table = [...doc.querySelectorAll(".en table.sortable")].find((one) => one.tBodies[0].rows.length > 3);
  const first = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent).join("|");
  const before = first();
  const head = table.querySelector("th button");
  head.click();
  const down = first();
  head.click();
  said.sorted = [before !== down, down !== first()];
  const drawn = () => doc.querySelector(".drawn").innerHTML, form = doc.querySelector(".chooser").elements;
  const pictures = [drawn()];
  form.policy.value = "random";
  form.policy.dispatchEvent(new Event("change"));
  pictures.push(drawn());
  form.quantity.value = "margin";
  form.quantity.dispatchEvent(new Event("change"));
  pictures.push(drawn());
  doc.querySelector(".rules input").click();
  pictures.push(drawn());
  said.pictures = new Set(pictures).size;
  said.command = doc.getElementById("command").textContent;
  const phone = [...doc.querySelectorAll(".phone.en")].filter((e) => e.getClientRects().length).length;
  said.phone = phone > 0;
  document.title = "done";
  document.querySelector("pre").textContent = JSON.stringify(said);
});
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to look at the page with")
@pytest.mark.parametrize("width", [390, 1400])
def test_the_page_works_in_a_browser(page: Path, tmp_path: Path, width: int) -> None:
    """No errors, nothing wider than the screen; languages, sorting and choices work."""
    caught = "<script>window.wrong = []; addEventListener('error', (e) => wrong.push(String(e.message)));</script>"
    text = page.read_text("utf-8").replace("<head>", f"<head>{caught}", 1)
    (tmp_path / "page.html").write_text(text, "utf-8")
    check = _CHECK.replace("said = {errors}", "said = {errors: page.wrong}")
    (tmp_path / "check.html").write_text(
        f'<iframe src="page.html" style="border:0;width:{width}px;height:900px"></iframe><pre></pre>{check}', "utf-8"
    )
    done = subprocess.run(
        [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--allow-file-access-from-files", "--virtual-time-budget=20000",
         f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1500,1000", "--dump-dom",
         (tmp_path / "check.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    match = re.search(r"<pre>(\{.*?\})</pre>", done.stdout, re.S)
    assert match, done.stdout[-500:] + done.stderr[-500:]
    result = json.loads(match[1].replace("&amp;", "&").replace("&gt;", ">").replace("&lt;", "<"))
    assert result["errors"] == []
    assert max(result["over"]) <= 0
    assert result["italian"][0] > 0 == result["italian"][1]
    assert result["english"][1] > 0 == result["english"][0]
    assert result["sorted"] == [True, True]
    assert result["pictures"] == 4
    assert "--policy random" in result["command"]
    assert result["phone"] == (width < 700)
