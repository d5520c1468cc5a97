"""The page as programs see it: what it answers, what it refuses, and that its numbers are those of the command line."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from threading import Thread
from typing import Any

import browsing
import httpx
import polars as pl
import pytest
from page_server import ended, served

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.experiments.progress import Watch
from cirulla_sim.reporting.result import Result
from cirulla_sim.server import allowed, ask_tab, results_tab, runs
from cirulla_sim.server.app import LOOPBACK
from cirulla_sim.server.guard import LONGEST_QUERY
from cirulla_sim.server.tabs import TABS

SERVER = Path(cs.__file__).parent / "server"


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, Any]]:
    with served() as (address, app):
        yield address, app


@pytest.fixture
def client(server: tuple[str, Any]) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server[0], headers={"Accept-Language": "en"}, timeout=60) as client:
        yield client


def run_in(answer: httpx.Response) -> str:
    """The id of the run that a page shows."""
    found = re.search(r'data-run="([^"]+)"', answer.text)
    assert found, answer.text
    return found[1]


def errors_in(answer: httpx.Response) -> dict[str, str]:
    """The errors of a page by field."""
    found = re.findall(r'<span class="error" id="(\w+)-error" role="alert">(.*?)</span>', answer.text)
    return {field: unescape(text) for field, text in found}


def on_the_command_line(capsys: pytest.CaptureFixture[str], command: str, *words: str) -> str:
    """What a command prints."""
    with pytest.raises(SystemExit):
        main([*shlex.split(command)[1:], *words])
    return capsys.readouterr().out


def command_in(text: str) -> str:
    """The command that a page says gives the same numbers."""
    return unescape(re.findall(r'<pre class="command">(.*?)</pre>', text)[-1])


# ------------------------------------------------------------------------------------------------ ask


@pytest.mark.parametrize(
    ("query", "command"),
    [
        ({"question": "barsega and matta"}, "odds 'barsega and matta'"),
        ({"question": "sette >= 2", "at": "io: 7h"}, "odds 'sette >= 2' --at 'io: 7h'"),
        (
            {"question": "barsega", "rules": "cirulla-dossena", "players": "2", "house": "no-matta"},
            "odds barsega --rules cirulla-dossena --players 2 --house no-matta",
        ),
        ({"question": "mean(points(us))", "policy": "greedy", "hands": "600"},
         "odds 'mean(points(us))' --policy greedy --hands 600"),
        ({"question": "wins(us) given barsega(me)", "hands": "3k"}, "odds 'wins(us) given barsega(me)' --hands 3k"),
    ],
)  # fmt: skip
def test_answers_are_those_of_the_command_line(
    client: httpx.Client, query: dict[str, str], command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence, the command to copy, and each file to keep, byte by byte."""
    id = run_in(client.get("/ask", params=query))
    ended(client, id)
    whole = client.get("/ask", params=query)
    assert run_in(whole) == id, "the same question is the same run"
    stored, again = tmp_path / "kept.parquet", tmp_path / "again.parquet"
    printed = on_the_command_line(capsys, f"cirulla-sim {command}", "-o", str(stored))
    assert unescape(re.search(r'<p class="first">(.*?)</p>', whole.text)[1]).replace("\xa0", " ") in printed  # type: ignore[index]
    assert client.get(f"/runs/{id}/result.parquet").content == stored.read_bytes()
    on_the_command_line(capsys, command_in(whole.text), "-o", str(again))
    assert again.read_bytes() == stored.read_bytes()
    for ending, form in (("csv", "csv"), ("md", "markdown"), ("tex", "latex"), ("html", "html"), ("txt", "table")):
        table = on_the_command_line(capsys, f"cirulla-sim {command}", "--format", form, "--lang", "it")
        assert client.get(f"/runs/{id}/table.{ending}", params={"lang": "it"}).text == table


def test_charts_are_those_of_the_command_line(
    client: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = run_in(client.get("/ask", params={"question": "histogram(sevens)"}))
    stored = tmp_path / "kept.parquet"
    on_the_command_line(capsys, "cirulla-sim odds histogram(sevens)", "-o", str(stored))
    for ending, size, lang in (("png", "column", "it"), ("pdf", "page", "en"), ("svg", "page", "it")):
        chart = tmp_path / f"chart.{ending}"
        on_the_command_line(capsys, f"cirulla-sim plot {stored} --size {size} --lang {lang} -o {chart}")
        answer = client.get(f"/runs/{id}/chart.{ending}", params={"size": size, "in": lang})
        assert answer.content == chart.read_bytes()
        assert answer.headers["content-disposition"] == f'attachment; filename="ask.{ending}"'


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ({"question": "barsga"}, "question", "did you mean"),
        ({"question": "barsega", "players": "7"}, "players", "--players '7' is out of range"),
        ({"question": "barsega", "players": "2", "rules": "cirullone"}, "players", "cirullone has not that number"),
        (
            {"question": "wins(us)", "hands": "2M"},
            "hands",
            "--hands '2M' is out of range (valid: a whole number from 1",
        ),
        ({"question": "barsega", "policy": "careful"}, "policy", "nobody plays for this answer"),
        ({"question": "barsega", "at": "me: 7x"}, "at", "--at"),
        ({"at": "me: 7h"}, "question", "no question"),
    ],
)
def test_an_error_stands_beside_its_field_in_one_line(
    client: httpx.Client, query: dict[str, str], field: str, message: str
) -> None:
    answer = client.get("/ask", params=query)
    assert answer.status_code == 400
    assert list(errors_in(answer)) == [field]
    assert message in errors_in(answer)[field]
    assert f'aria-describedby="{field}-hint {field}-error"' in answer.text or f'"{field}-error"' in answer.text
    italian = client.get("/ask", params={**query, "lang": "it"})
    assert errors_in(italian)[field] != errors_in(answer)[field]
    if field in ("policy", "at"):  # the bounds of numbers are the page's own
        with pytest.raises(InputError) as refused:
            cs.odds(**query)  # type: ignore[arg-type]
        assert errors_in(answer)[field] == str(refused.value)


@pytest.mark.parametrize(
    "query",
    [
        {"question": "barsega", "rules": "my.toml"},
        {"question": "barsega", "rules": "/etc/passwd"},
        {"question": "wins(us)", "policy": "my_policy.py:play"},
        {"question": "wins(us)", "policy": "search:1000"},
        {"question": "barsega", "house": "my.toml"},
        {"question": "can_sweep(next)", "at": "hands.jsonl#0.3"},
        {
            "question": "wins_night(pair 1)",
            "at": "night: 1 pair my_policy.py:play, 7 pairs careful, 4 rounds of 8 hands",
        },
    ],
)
def test_no_file_can_be_named(client: httpx.Client, query: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a name is refused before anything opens, imports or looks for it."""
    monkeypatch.setattr(ask_tab, "_odds", lambda *given: pytest.fail("a run began"))
    answer = client.get("/ask", params=query)
    assert answer.status_code == 400
    assert len(errors_in(answer)) == 1


def test_what_the_page_does_not_name_is_no_argument(client: httpx.Client, tmp_path: Path) -> None:
    """An engine, a scheduler, an output or another option in the address changes nothing."""
    others = {"output": str(tmp_path / "a.parquet"), "engine": "dask", "scheduler": "tcp://127.0.0.1:1", "seed": "9",
              "records": str(tmp_path / "b"), "threads": "99", "resume": "x", "progress": "1"}  # fmt: skip
    plain = run_in(client.get("/ask", params={"question": "barsegon"}))
    assert run_in(client.get("/ask", params={"question": "barsegon", **others})) == plain
    assert not list(tmp_path.iterdir())


def test_lists_become_words(client: httpx.Client) -> None:
    chosen = {"what": "sweeps", "who": "us", "when": "2", "measure": "at_least", "number": "2", "given_what": "barsega",
              "given_who": "me", "players": "2", "question": "what was there before"}  # fmt: skip
    for lang, words in (
        ("en", "sweeps(us, stage 2) >= 2 given barsega(me)"),
        ("it", "scope(noi, giro 2) >= 2 se barsega(io)"),
    ):
        answer = client.get("/ask/lists", params={**chosen, "lang": lang})
        assert answer.status_code == 303
        query = httpx.URL(answer.headers["location"]).params
        assert dict(query) == {"question": words, "players": "2"}
        assert client.get("/ask", params={**query, "hands": "200"}).status_code == 200


def test_words_to_complete_are_those_of_the_language(client: httpx.Client) -> None:
    for lang, word in (("en", "sweeps"), ("it", "scope")):
        words = client.get("/ask/words", params={"lang": lang}).json()
        assert word in [each["word"] for each in words]


@pytest.mark.parametrize("lang", ["en", "it"])
def test_examples_are_answered(client: httpx.Client, lang: str) -> None:
    for question in ask_tab.EXAMPLES[lang]:
        answer = client.get("/ask", params={"question": question, "hands": "200", "lang": lang})
        assert not ended(client, run_in(answer))["error"]


# ------------------------------------------------------------------------------------------------ house rules


def test_a_comparison_is_that_of_the_command_line(
    client: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = {"house": ["no-matta", "piccola-seven"], "together": "1", "players": "2", "policy": "greedy", "hands": "4k"}
    id = run_in(client.get("/house-rules", params=query))
    answer = ended(client, id)["answer"]
    stored = tmp_path / "kept.parquet"
    command = ("compare --house no-matta --house piccola-seven --house no-matta+piccola-seven --players 2 "
               "--policy greedy --hands 4k")  # fmt: skip
    on_the_command_line(capsys, f"cirulla-sim {command}", "-o", str(stored))
    assert client.get(f"/runs/{id}/result.parquet").content == stored.read_bytes()
    assert "No matta" in answer
    on_the_command_line(capsys, command_in(answer), "-o", str(tmp_path / "again.parquet"))
    assert (tmp_path / "again.parquet").read_bytes() == stored.read_bytes()


def test_a_comparison_narrows_and_can_be_stopped(
    client: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there when it is stopped is what the command to copy gives, number by number."""
    monkeypatch.setattr(runs, "DRAFTS", 0.01)
    monkeypatch.setattr(runs, "RARER", 0)
    id = run_in(client.get("/house-rules", params={"house": "queen-matta", "hands": "1M", "policy": "greedy"}))
    widths: list[float] = []
    until = time.monotonic() + 60
    while len(set(widths)) < 3 and time.monotonic() < until:
        answer = client.get(f"/runs/{id}").json()
        assert not answer["ended"]
        if answer["answer"]:
            assert 0 < answer["share"] < 1
            widths.append(_half_width(client, id, tmp_path))
        time.sleep(0.05)
    assert widths[0] > widths[-1]
    assert client.post(f"/runs/{id}/stop").status_code == 204
    answer = ended(client, id)["answer"]
    stored = tmp_path / "kept.parquet"
    stored.write_bytes(client.get(f"/runs/{id}/result.parquet").content)
    part = cs.read(stored)
    assert part.metadata["stopped"] == "interrupted"
    command = command_in(answer)
    assert f"--hands {part.metadata['hands']} " in command
    on_the_command_line(capsys, command, "-o", str(tmp_path / "again.parquet"))
    assert cs.read(tmp_path / "again.parquet").frame.equals(part.frame)
    assert f"{part.metadata['hands']:_} of 1_000_000" in answer


def _half_width(client: httpx.Client, id: str, folder: Path) -> float:
    file = folder / "draft.parquet"
    file.write_bytes(client.get(f"/runs/{id}/result.parquet").content)
    row = pl.read_parquet(file).filter(quantity="points", side="all", kind="difference").row(0, named=True)
    return float(row["ci_high"] - row["ci_low"])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"policy": "careful"}, "house"),
        ({"house": "no-mata"}, "house"),
        ({"house": "no-matta", "hands": "5M"}, "hands"),
        ({"house": "no-matta", "policy": "my.py:f"}, "policy"),
        ({"house": "no-matta", "rules": "x.toml"}, "rules"),
        ({"house": ["short-game", "long-game"], "together": "1"}, "house"),
    ],
)
def test_a_comparison_that_cannot_be_is_refused_beside_its_field(
    client: httpx.Client, query: dict[str, str], field: str
) -> None:
    answer = client.get("/house-rules", params=query)
    assert answer.status_code == 400
    assert list(errors_in(answer)) == [field]


# ------------------------------------------------------------------------------------------------ runs


class Endless:
    """Work that ends only when it is stopped."""

    def __init__(self) -> None:
        self.stopped = False

    def __call__(self, watch: Watch) -> Result:
        watch.begin(10, 0, "hands")
        while not watch.stopped():
            time.sleep(0.005)
        self.stopped = True
        raise KeyboardInterrupt


def wait_for(is_true: Any, seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not is_true() and time.monotonic() < until:
        time.sleep(0.01)
    assert is_true()


def test_a_run_ends_when_no_page_asks_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "SILENCE", 1.0)
    work, registry = Endless(), runs.Runs()
    run = registry.start("ask", 1, work)
    for _ in range(15):
        time.sleep(0.1)
        run.heard()
    assert not work.stopped
    run.ended.wait(10)
    assert work.stopped
    assert "ask again" in run.error
    assert registry.start("ask", 1, work) is not run, "what was cut short is begun again"


def test_a_run_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_SECONDS", 0.2)
    run = runs.Runs().start("ask", 1, Endless())
    began = time.monotonic()
    run.ended.wait(10)
    assert 0.1 < time.monotonic() - began < 5


def test_few_runs_simulate_at_a_time_and_not_many_are_under_way() -> None:
    registry = runs.Runs()
    works = [Endless() for _ in range(runs.UNDER_WAY)]
    started = [registry.start("ask", number, work) for number, work in enumerate(works)]
    wait_for(lambda: all(run.begun.is_set() for run in started))
    wait_for(lambda: sum(not run.is_waiting for run in started) == runs.SIMULATING)
    with pytest.raises(InputError, match="are under way"):
        registry.start("ask", "another", Endless())
    assert registry.start("ask", 0, Endless()) is started[0]
    for run in started:
        run.stop()
    for run in started:
        run.ended.wait(10)
    counted = registry.start("ask", "counted", lambda watch: cs.odds("low", progress=watch))
    counted.ended.wait(10)
    assert counted.is_whole


def test_only_the_latest_runs_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_RUNS", 3)
    registry = runs.Runs()
    result = cs.odds("low", progress=False)
    started = []
    for number in range(6):
        started.append(registry.start("ask", number, lambda watch: result))
        started[-1].ended.wait(10)
    assert [registry.get(run.id) is run for run in started] == [False] * 3 + [True] * 3


def test_a_fault_of_the_program_is_shown_without_a_traceback(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: object) -> Result:
        raise RuntimeError("secret")

    monkeypatch.setattr(ask_tab, "_odds", broken)
    answer = client.get("/ask", params={"question": "a fault"})
    assert "not because of what you asked" in errors_in(answer)["question"]
    assert "secret" not in answer.text
    assert "secret" in caplog.text


def test_a_watch_stops_a_run_and_changes_nothing_in_it() -> None:
    """The verbs take it in the place of a progress bar."""

    class After(Watch):
        def __init__(self, most: int) -> None:
            self.most, self.done, self.units, self.drafts = most, 0, [], []

        def begin(self, number: int, done: int, unit: str) -> None:
            self.units.append((number, done, unit))

        def played(self, done: int) -> None:
            self.done = done

        def draft(self, result: Any) -> None:
            self.drafts.append(result().metadata["hands"])

        def stopped(self) -> bool:
            return self.done >= self.most

    watch = After(10**9)
    whole = cs.simulate(policy="greedy", hands=3000, progress=watch)
    assert whole.frame.equals(cs.simulate(policy="greedy", hands=3000, progress=False).frame)
    assert (watch.units, watch.done, watch.drafts[-1]) == ([(3000, 0, "hands")], 3000, 3000)
    watch = After(100)
    part = cs.compare(house="no-matta", policy="greedy", hands="10M", progress=watch)
    assert part.exit_code == 130
    assert 100 <= part.metadata["hands"] == watch.done < 10**7
    again = cs.compare(house="no-matta", policy="greedy", hands=watch.done, progress=False)
    assert again.frame.equals(part.frame)
    assert part.same_numbers == again.command != part.command


# ------------------------------------------------------------------------------------------------ who may ask


def test_only_this_machine_by_its_right_name_is_answered(client: httpx.Client) -> None:
    port = client.base_url.port
    for host, status in (
        (f"127.0.0.1:{port}", 200), (f"localhost:{port}", 200), (f"[::1]:{port}", 200), ("localhost", 200),
        ("evil.example", 421), (f"evil.example:{port}", 421), ("192.168.1.7", 421), ("127.0.0.1.evil.example", 421),
        ("", 421), ("[::1", 421),
    ):  # fmt: skip
        assert client.get("/ask", headers={"Host": host}).status_code == status, host


def test_on_a_network_numbers_and_the_names_of_this_machine_are_answered() -> None:
    network = browsing.client(LOOPBACK | {"0.0.0.0", "club"}, loopback=False)
    for host, status in (
        ("192.168.1.7:8040", 200), ("[fe80::1]:8040", 200), ("club", 200), ("CLUB:8040", 200), ("127.0.0.1", 200),
        ("localhost", 200), ("evil.example", 421), ("192.168.1.7.evil.example:8040", 421), ("", 421), ("[::1", 421),
    ):  # fmt: skip
        assert network.get("/static/page.js", headers={"Host": host}).status_code == status, host


def test_other_sites_cannot_ask(client: httpx.Client) -> None:
    own = f"http://127.0.0.1:{client.base_url.port}"
    id = run_in(client.get("/ask", params={"question": "barsega"}))
    for headers, status in (
        ({"Origin": own}, 204), ({}, 204), ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403),
    ):  # fmt: skip
        assert client.post(f"/runs/{id}/stop", headers=headers).status_code == status, headers
    for mode, status in (
        ("navigate", 200),
        ("no-cors", 403),
        ("cors", 403),
    ):  # a link is followed, a picture is not shown
        headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode}
        assert client.get("/ask", headers=headers).status_code == status
    assert client.get(f"/runs/{id}/stop").status_code == 405


def test_every_answer_has_the_headers_that_bind_it(client: httpx.Client) -> None:
    for path in ("/ask", "/static/page.js", "/static/style.css", "/nothing", "/runs/none", "/results"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers


def test_pages_load_nothing_from_elsewhere_and_have_no_script_or_style_of_their_own(client: httpx.Client) -> None:
    for tab in TABS:
        text = client.get(tab.path).text
        assert not re.findall(r"(?:src|href|action)=\"(?![/#?\"])", text.replace('href="#main"', ""))
        assert not re.findall(r"<style|<script>|\son\w+=|\sstyle=", text)
    for file in (SERVER / "static").iterdir():
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", file.read_text("utf-8"))


def test_what_is_too_large_is_refused(client: httpx.Client) -> None:
    id = run_in(client.get("/ask", params={"question": "barsega"}))
    assert client.post(f"/runs/{id}/stop", content=b"x" * (1 << 17)).status_code == 413
    assert client.get("/ask", params={"question": "x" * LONGEST_QUERY}).status_code == 414
    assert client.get("/ask", params={f"a{n}": "1" for n in range(300)}).status_code == 400
    assert "nested too deeply" in errors_in(client.get("/ask", params={"question": "(" * 2000}))["question"]


@pytest.mark.parametrize("path", ["../server/app.py", "..%2f..%2fpyproject.toml", "/etc/passwd", "%2e%2e/page.css"])
def test_no_path_leads_out_of_a_folder(client: httpx.Client, path: str) -> None:
    for folder in ("/static/", "/results/pages/"):
        assert client.get(f"{folder}{path}").status_code == 404


# ------------------------------------------------------------------------------------------------ languages, results


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [("it-IT,it;q=0.9,en;q=0.8", "it"), ("en-GB,en;q=0.9,it;q=0.5", "en"), ("de", "en"), ("*", "en")],
)
def test_the_language_is_the_browsers_until_another_is_chosen(client: httpx.Client, accepted: str, lang: str) -> None:
    headers = {"Accept-Language": accepted}
    assert f'<html lang="{lang}">' in client.get("/ask", headers=headers).text
    other = "en" if lang == "it" else "it"
    assert f'<html lang="{other}">' in client.get("/ask", params={"lang": other}, headers=headers).text
    assert f'<html lang="{other}">' in client.get("/house-rules", headers=headers).text  # remembered


def test_every_sentence_of_the_page_has_its_italian() -> None:
    """Those of templates, of code, and of what is shown by name."""
    texts = {tab.title for tab in TABS} | set(allowed.POLICIES.values())
    texts |= set(ask_tab.LABELS.values()) | set(ask_tab.KINDS.values())
    for template in (SERVER / "templates").glob("*.html"):
        texts |= set(re.findall(r'\bsay\("([^"]+)"', template.read_text("utf-8")))
    for module in SERVER.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "say":
                texts |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
    assert len(texts) > 60
    assert sorted(texts - set(language("it").texts)) == []


def test_results_are_found_by_their_words(client: httpx.Client) -> None:
    every = results_tab.studies("en")
    assert len(every) > 15
    for lang in ("en", "it"):
        answer = client.get("/results", params={"words": "matta primiera", "lang": lang})
        names = re.findall(r'href="/results/pages/([^"]+)"', answer.text)
        assert 0 < len(names) < len(every)
        for name in names:
            study = client.get(f"/results/pages/{name}")
            assert "matta" in study.text.lower()
            assert "'unsafe-inline'" in study.headers["content-security-policy"].split("style-src")[1].split(";")[0]
            assert "script-src 'self';" in study.headers["content-security-policy"]


def test_without_the_studies_the_tab_says_so(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(results_tab, "REPORT", tmp_path / "nowhere")
    results_tab.files.cache_clear()
    results_tab.studies.cache_clear()
    assert "come with a clone" in client.get("/results").text
    results_tab.files.cache_clear()
    results_tab.studies.cache_clear()


# ------------------------------------------------------------------------------------------------ many at once


def test_twenty_tabs_are_answered_while_others_simulate(client: httpx.Client) -> None:
    """Counted answers do not wait for simulations, however many are waiting."""
    slow = [
        run_in(client.get("/house-rules", params={"house": "no-matta", "hands": "1M", "policy": name}))
        for name in ("careful", "greedy", "search:4", "search:16")
    ]
    answers: list[str] = []
    tabs = [
        Thread(
            target=lambda n=number: answers.append(client.get("/ask", params={"question": f"hearts >= {n % 3}"}).text)
        )
        for number in range(20)
    ]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join(30)
    assert len(answers) == 20
    assert all('class="first"' in answer for answer in answers)
    for id in slow:
        assert not client.get(f"/runs/{id}").json()["ended"]
        client.post(f"/runs/{id}/stop")


# ------------------------------------------------------------------------------------------------ the command


def test_open_serves_the_page_until_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "cirulla_sim", "open", "--no-browser", "--port"]
    with subprocess.Popen([*command, "0"], stderr=subprocess.PIPE, encoding="utf-8") as refused:
        assert "--port '0' is out of range (valid: a whole number from 1 to 65_535" in refused.stderr.read()  # type: ignore[union-attr]
    with subprocess.Popen(command[:-1], stderr=subprocess.PIPE, encoding="utf-8") as program:
        line = program.stderr.readline()  # type: ignore[union-attr]
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert address, line
        answer = httpx.get(address[0], follow_redirects=True)
        assert answer.url.path == "/ask"
        taken = subprocess.run([*command, address[1]], capture_output=True, encoding="utf-8")
        assert taken.returncode == 2
        assert re.fullmatch(rf"cirulla-sim: --port '{address[1]}': .* \(valid: another\)\n", taken.stderr)
        program.terminate()
        assert program.wait(10) == (1 if sys.platform == "win32" else 130)


def test_without_its_packages_open_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(SystemExit) as end:
        main(["open"])
    assert end.value.code == 2
    assert "open requires 'uvicorn' (pip install 'cirulla-sim[page]')" in capsys.readouterr().err
