"""The page as programs see it: what it answers, what it refuses, and that its numbers are those of the command line."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import browsing
import httpx
import numpy as np
import pytest
from browsing import ended

import cirulla_sim as cs
from cirulla_sim.core.cards import PACK
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.experiments.progress import Watch
from cirulla_sim.reporting.result import Result
from cirulla_sim.server import ask_tab, forms, run_pages
from cirulla_sim.server.advise_tab import PLACE_NAMES, RANK_NAMES, SUIT_NAMES, card_places, with_card_moved
from cirulla_sim.server.app import LOOPBACK
from cirulla_sim.server.guard import LONGEST_QUERY
from cirulla_sim.server.rendering import TABS
from cirulla_sim.situation.notation import NOTHING, Situation
from cirulla_sim.situation.people import ABSOLUTE

SERVER = Path(cs.__file__).parent / "server"
Run = Callable[..., tuple[int, str, str]]
POSITION = "table: Ad 5c 7h Kd; me: 7d 2s Jh; i am: first"


@pytest.fixture(scope="module")
def server() -> Any:
    return browsing.client()


@pytest.fixture
def client(server: Any) -> Iterator[Any]:
    yield server
    server.cookies.clear()


def run_in(answer: httpx.Response) -> str:
    """The id of the run that a page shows."""
    found = re.search(r'data-run="([^"]+)"', answer.text)
    assert found, answer.text
    return found[1]


def errors_in(answer: httpx.Response) -> dict[str, str]:
    """The errors of a page by field."""
    found = re.findall(r'<span class="error" id="(\w+)-error" role="alert">(.*?)</span>', answer.text)
    return {field: unescape(text) for field, text in found}


def command_in(text: str) -> list[str]:
    """The arguments of the command that a page says gives the same numbers."""
    return shlex.split(unescape(re.findall(r'<pre class="command">(.*?)</pre>', text)[-1]))[1:]


# ------------------------------------------------------------------------------------------------ the same numbers


@pytest.mark.parametrize(("path", "query", "command"), [
    # the engine, the file and the seed that the address names change nothing
    ("ask", {"question": "sette >= 2", "at": "io: 7h", "engine": "dask", "output": "x.parquet", "seed": "9"},
     "odds 'sette >= 2' --at 'io: 7h'"),
    ("ask", {"question": "mean(points(us))", "rules": "cirulla-dossena", "players": "2", "house": "no-matta",
             "policy": "greedy", "hands": "600"},
     "odds 'mean(points(us))' --rules cirulla-dossena --players 2 --house no-matta --policy greedy --hands 600"),
    ("house-rules", {"house": ["no-matta", "piccola-seven"], "together": "1", "players": "2", "policy": "greedy",
                     "hands": "2k"},
     "compare --house no-matta --house piccola-seven --house no-matta+piccola-seven --players 2 --policy greedy "
     "--hands 2k"),
    ("advise", {"at": "table: Ad 5c 4d; me: 7d 2s Jh; shown next: 2h 3c", "players": "2", "me": "dealer",
                "house": "table-nine", "do": "advise", "samples": "1000", "them": "greedy"},
     "advise --at 'table: Ad 5c 4d; me: 7d 2s Jh; shown next: 2h 3c' --me dealer --players 2 --house table-nine "
     "--policy 'us=careful, them=greedy' --samples 1000"),
])  # fmt: skip
def test_answers_are_those_of_the_command_line(
    client: Any, path: str, query: dict[str, Any], command: str, run: Run, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The sentence, the numbers, the command to copy, tables and charts to keep."""
    monkeypatch.chdir(tmp_path)
    id = run_in(client.get(f"/{path}", params=query))
    answer = ended(client, id)["answer"]
    assert run_in(client.get(f"/{path}", params=query)) == id, "the same question is the same run"
    words = shlex.split(command)
    printed = run(*words, "-o", "kept.parquet")[1]
    run(*command_in(answer), "-o", "again.parquet")
    assert unescape(re.search(r'<p class="first">(.*?)</p>', answer)[1]).replace("\xa0", " ") in printed  # type: ignore[index]
    saved = client.get(f"/runs/{id}/result.parquet")
    assert saved.headers["content-disposition"] == f'attachment; filename="{path}.parquet"'
    Path("page.parquet").write_bytes(saved.content)
    page, *others = (cs.read(f"{name}.parquet").frame for name in ("page", "kept", "again"))
    assert all(page.equals(other) for other in others)
    if path == "ask":
        assert saved.content == Path("kept.parquet").read_bytes()
        for ending, form in (("csv", "csv"), ("tex", "latex"), ("txt", "table")):
            table = run(*words, "--format", form, "--lang", "it")[1]
            assert client.get(f"/runs/{id}/table.{ending}", params={"lang": "it"}).text == table
        run(*shlex.split("plot kept.parquet --size column --lang it -o chart.png"))
        assert client.get(f"/runs/{id}/chart.png?size=column&in=it").content == Path("chart.png").read_bytes()


def test_a_comparison_that_is_stopped_is_that_of_the_command_to_copy(
    client: Any, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_pages, "DRAFTS", 0.01)
    id = run_in(client.get("/house-rules", params={"house": "queen-matta", "hands": "1M", "policy": "greedy"}))
    while not (draft := client.get(f"/runs/{id}?version=").json())["answer"]:
        time.sleep(0.02)
    assert not draft["ended"]
    assert 0 < draft["share"] < 1
    assert client.post(f"/runs/{id}/stop").status_code == 204
    answer = ended(client, id)["answer"]
    Path("page.parquet").write_bytes(client.get(f"/runs/{id}/result.parquet").content)
    part = cs.read("page.parquet")
    assert part.metadata["stopped"] == "interrupted"
    assert f"{part.metadata['hands']:,} of 1,000,000" in answer
    run(*command_in(answer), "-o", "again.parquet")
    assert cs.read("again.parquet").frame.equals(part.frame)


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(("path", "query", "field", "message"), [
    ("ask", {"question": "barsga"}, "question", "did you mean"),
    ("ask", {"question": "wins(us)", "hands": "2M"}, "hands", "--hands '2M' is out of range"),
    ("ask", {"question": "barsega", "policy": "careful"}, "policy", "nobody plays for this answer"),
    ("house-rules", {"policy": "careful"}, "house", "no house rule is chosen"),
    ("advise", {"at": "tabel: Ad"}, "at", "unknown place 'tabel': did you mean 'table'?"),
    ("ask", {"question": "barsega", "rules": "/etc/passwd"}, "rules", "unknown preset '/etc/passwd'"),
    ("ask", {"question": "wins(us)", "policy": "my_policy.py:play"}, "policy", "unknown policy"),
    ("ask", {"question": "barsega", "house": "my.toml"}, "house", "unknown house rule"),
    ("ask", {"question": "can_sweep(next)", "at": "hands.jsonl#0.3"}, "at", "a file cannot be named here"),
    ("ask", {"question": "ties_night", "at": "night: 1 pair a.py:play, 7 pairs, knock-out, 1 hand a round"}, "at",
     "unknown policy 'a.py:play'"),
])  # fmt: skip
def test_what_is_wrong_stands_beside_its_field_in_one_line_and_nothing_begins(
    client: Any, path: str, query: dict[str, Any], field: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if message.startswith(("unknown p", "unknown house", "a file")):  # which may name a file
        monkeypatch.setattr(run_pages.Runs, "start", lambda *given: pytest.fail("a run began"))
    query = query | ({"do": "advise"} if path == "advise" else {})
    answer = client.get(f"/{path}", params=query)
    assert (answer.status_code, list(errors_in(answer))) == (400, [field])
    assert message in errors_in(answer)[field]
    assert "\n" not in errors_in(answer)[field]
    italian = errors_in(client.get(f"/{path}", params=query | {"lang": "it"}))[field]
    assert not re.search(r"\b(valid:|unknown|did you mean)\b", italian), italian


@pytest.mark.parametrize(("path", "field"), [
    ("ask", "question"), ("ask", "at"), ("ask", "hands"), ("house-rules", "hands"), ("advise", "at"),
    ("advise", "score"), ("results", "words"),
])  # fmt: skip
def test_what_was_typed_is_shown_as_text(client: Any, path: str, field: str) -> None:
    typed = '"><b>typed</b>'
    query = {"question": "barsega"} if path == "ask" else {"do": "advise"} if path == "advise" else {}
    text = client.get(f"/{path}", params=query | {field: typed}).text
    assert "<b>typed" not in text
    assert "<b>typed" in unescape(text)


# ------------------------------------------------------------------------------------------------ words of questions


@pytest.mark.parametrize(("lang", "word", "words"), [
    ("en", "sweeps", "sweeps(us, stage 2) >= 2 given barsega(me)"),
    ("it", "scope", "scope(noi, giro 2) >= 2 se barsega(io)"),
])  # fmt: skip
def test_questions_are_answered_completed_and_built_from_lists(client: Any, lang: str, word: str, words: str) -> None:
    for question in ask_tab.EXAMPLES[lang]:
        answer = client.get("/ask", params={"question": question, "hands": "200", "lang": lang})
        assert not ended(client, run_in(answer))["error"]
    assert word in [each["word"] for each in client.get("/ask/words", params={"lang": lang}).json()]
    chosen = {"what": "sweeps", "who": "us", "when": "2", "measure": "at_least", "number": "2", "given_what": "barsega",
              "given_who": "me", "players": "2", "question": "what was there before", "lang": lang}  # fmt: skip
    answer = client.get("/ask/lists", params=chosen)
    assert dict(httpx.URL(answer.headers["location"]).params) == {"question": words, "players": "2"}


# ------------------------------------------------------------------------------------------------ moving cards


def test_a_card_is_where_it_was_put_last() -> None:
    """Random moves against a plain account of them; the text says the same at every step."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        situation = Situation.parse("partner: no aces; score: 3-4")
        lies = dict[int, str]()
        for _ in range(25):
            card, place = int(rng.integers(12)), str(rng.choice(list(PLACE_NAMES)))
            situation = with_card_moved(situation, card, place)
            if lies.get(card) == place:
                del lies[card]
            else:
                lies[card] = place
            assert card_places(situation) == lies
            assert Situation.parse(str(situation)) == situation
        assert Situation.parse(situation.text("it")) == situation
        assert "partner: no aces" in str(situation)
        assert situation.score == (3, 4)
    assert str(with_card_moved(Situation.parse("me: 7h K*; table: .. Ad"), 6, "me")) == "me: K*; table: Ad .."
    assert str(with_card_moved(NOTHING, 6, "me")) == "me: 7h; table:"


def test_a_click_puts_a_card_into_the_address(client: Any) -> None:
    at = ""
    for card, place in (("7d", "me"), ("2s", "me"), ("Ad", "table"), ("Kh", "gone"), ("2s", "table")):
        fields = {"at": at, "card": card, "place": place, "rules": "scopa", "do": "advise"}
        answer = client.get("/advise/put", params=fields)
        assert answer.status_code == 303
        query = dict(httpx.URL(answer.headers["location"]).params)
        at = query.pop("at")
        assert query == {"place": place, "rules": "scopa"}
    assert at == "me: 7d; table: Ad 2s; gone: Kh"
    html = client.get("/advise", params={"at": at}).text
    pressed = dict(re.findall(r'value="(\w+)" formaction="/advise/put" aria-pressed="true" data-place="(\w+)"', html))
    assert pressed == {"7d": "me", "Ad": "table", "2s": "table", "Kh": "gone"}
    assert html.count('aria-pressed="false"') == len(PACK) - 4
    assert 'aria-label="seven of diamonds, in my hand"' in html


# ------------------------------------------------------------------------------------------------ runs


def endless(watch: Watch) -> Result:
    """Work that ends only when it is stopped."""
    watch.begin(10, 0, "hands")
    while not watch.stopped():
        time.sleep(0.005)
    raise KeyboardInterrupt


def test_a_run_ends_when_no_page_asks_about_it_or_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_pages, "SILENCE", 0.5)
    registry = run_pages.Runs()
    run = registry.start("ask", 1, endless)
    for _ in range(8):
        time.sleep(0.1)
        run.heard()
    assert not run.ended.is_set()
    assert run.ended.wait(10)
    assert "ask again" in run.error
    monkeypatch.setattr(run_pages, "MOST_SECONDS", 0.2)
    again = registry.start("ask", 1, endless)
    assert again is not run, "what was cut short is begun again"
    while not again.ended.wait(0.1):
        again.heard()


def test_few_runs_simulate_at_a_time_and_counted_ones_do_not_wait() -> None:
    registry, result = run_pages.Runs(), cs.odds("low", progress=False)
    waiting = [registry.start("ask", number, endless) for number in range(run_pages.UNDER_WAY - 1)]
    assert registry.start("counted", 0, lambda watch: result).ended.wait(10)
    while not all(run.begun.is_set() for run in waiting) or sum(not run.is_waiting for run in waiting) < 2:
        time.sleep(0.01)
    assert sum(not run.is_waiting for run in waiting) == run_pages.SIMULATING == 2
    assert registry.start("ask", 0, endless) is waiting[0]
    waiting.append(registry.start("ask", "the last", endless))
    with pytest.raises(InputError, match="are under way"):
        registry.start("ask", "another", endless)
    for run in waiting:
        run.stop()
        run.ended.wait(10)


def test_a_fault_of_the_program_is_shown_without_a_traceback(
    client: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: object, **named: object) -> Result:
        raise RuntimeError("secret")

    monkeypatch.setattr("cirulla_sim.verbs.functions.odds", broken)
    answer = client.get("/ask", params={"question": "a fault"})
    assert "not because of what you asked" in errors_in(answer)["question"]
    assert "secret" not in answer.text
    assert "secret" in caplog.text


# ------------------------------------------------------------------------------------------------ who may ask


@pytest.mark.parametrize(("names", "loopback", "hosts"), [
    ((), True, {"127.0.0.1:8040": 200, "localhost": 200, "[::1]:8040": 200, "evil.example": 421, "192.168.1.7": 421,
                "127.0.0.1.evil.example": 421, "": 421, "[::1": 421}),
    ((LOOPBACK | {"0.0.0.0", "club"},), False, {"192.168.1.7:8040": 200, "[fe80::1]:8040": 200, "CLUB:8040": 200,
                                                "evil.example": 421, "192.168.1.7.evil.example:8040": 421}),
])  # fmt: skip
def test_only_right_names_of_this_machine_are_answered(names: Any, loopback: bool, hosts: dict[str, int]) -> None:
    page = browsing.client(*names, loopback=loopback)
    answered = {host: page.get("/static/page.js", headers={"Host": host}).status_code for host in hosts}
    assert answered == hosts


def test_other_sites_cannot_ask(client: Any) -> None:
    id = run_in(client.get("/ask", params={"question": "barsega"}))
    for headers, status in (
        ({"Origin": "http://localhost"}, 204), ({}, 204), ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403), ({"Origin": "http://localhost:1"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403),
    ):  # fmt: skip
        assert client.post(f"/runs/{id}/stop", headers=headers).status_code == status, headers
    for mode, status in (("navigate", 200), ("no-cors", 403), ("cors", 403)):  # a link is followed, a picture not shown
        headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode}
        assert client.get("/ask", headers=headers).status_code == status
    assert client.get(f"/runs/{id}/stop").status_code == 405


def test_every_answer_is_bound_by_its_headers_and_loads_nothing_from_elsewhere(client: Any) -> None:
    for path in (*TABS, "/static/page.js", "/static/style.css", "/nothing", "/runs/none"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers
    for path in TABS:
        text = client.get(path).text
        assert f'<a href="{path}" aria-current="page">' in text
        assert not re.findall(r"(?:src|href|action)=\"(?![/#?\"])", text.replace('href="#main"', ""))
        assert not re.findall(r"<style|<script>|\son\w+=|\sstyle=", text)
    for file in (SERVER / "static").iterdir():
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", file.read_text("utf-8"))


def test_what_is_too_large_is_refused(client: Any) -> None:
    assert client.get("/ask", params={"question": "x" * LONGEST_QUERY}).status_code == 414
    assert client.get("/ask", params={f"a{n}": "1" for n in range(300)}).status_code == 400
    assert "nested too deeply" in errors_in(client.get("/ask", params={"question": "(" * 2000}))["question"]


def test_no_path_leads_out_of_a_folder(client: Any) -> None:
    for folder in ("/static/", "/results/pages/"):
        for path in ("../server/app.py", "..%2f..%2fpyproject.toml", "/etc/passwd", "%2e%2e/page.css"):
            assert client.get(f"{folder}{path}").status_code == 404, path


# ------------------------------------------------------------------------------------------------ languages, results


def test_every_sentence_of_the_page_has_its_italian() -> None:
    """Those of templates, of code, and of what is shown by name."""
    texts = {*TABS.values(), *forms.POLICIES.values(), *ask_tab.LABELS.values(), *ask_tab.KINDS.values()}
    texts |= {*RANK_NAMES, *SUIT_NAMES.values(), *ABSOLUTE, *(name for names in PLACE_NAMES.values() for name in names)}
    for template in (SERVER / "templates").glob("*.html"):
        texts |= set(re.findall(r'\bsay\("([^"]+)"', template.read_text("utf-8")))
    for module in SERVER.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "say":
                texts |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
    assert len(texts) > 60
    assert sorted(texts - set(language("it").texts)) == []


# ------------------------------------------------------------------------------------------------ the command


@pytest.mark.slow
def test_open_serves_the_page_until_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "cirulla_sim", "open", "--no-browser", "--port"]
    with subprocess.Popen(command[:-1], stderr=subprocess.PIPE, encoding="utf-8") as program:
        line = program.stderr.readline()  # type: ignore[union-attr]
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert address, line
        assert httpx.get(address[0], follow_redirects=True).url.path == "/ask"
        taken = subprocess.run([*command, address[1]], capture_output=True, encoding="utf-8")
        assert taken.returncode == 2
        assert re.fullmatch(rf"cirulla-sim: --port '{address[1]}': .* \(valid: another\)\n", taken.stderr)
        program.terminate()
        assert program.wait(10) == (1 if sys.platform == "win32" else 130)
