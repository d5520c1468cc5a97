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
import pytest
from browsing import ended

import cirulla_sim as cs
from cirulla_sim.core.cards import with_letters
from cirulla_sim.core.locale import language
from cirulla_sim.experiments.progress import Watch
from cirulla_sim.reporting.result import Result
from cirulla_sim.server import forms, results_tab, run_pages
from cirulla_sim.server.advise_tab import CLAUSES, ZONES
from cirulla_sim.server.app import LOOPBACK
from cirulla_sim.server.choice_cards import RANK_NAMES, SUIT_NAMES
from cirulla_sim.server.guard import LONGEST_QUERY
from cirulla_sim.server.rendering import TABS
from cirulla_sim.situation.notation import Situation

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
    found = re.search(r'data-run="([^"]+)"', answer.text)
    assert found, answer.text
    return found[1]


def errors_in(answer: httpx.Response) -> dict[str, str]:
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
    ("advise", {"at": "i am: dealer; table: Ad 5c 4d; me: 7d 2s Jh; shown next: 2h 3c", "players": "2",
                "house": "table-nine", "do": "advise", "samples": "1000", "them": "greedy"},
     "advise --at 'i am: dealer; table: Ad 5c 4d; me: 7d 2s Jh; shown next: 2h 3c' --players 2 --house table-nine "
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
    first = unescape(re.search(r'<p class="first">(.*?)</p>', answer)[1]).replace("\xa0", " ")  # type: ignore[index]
    assert with_letters(first) in printed
    saved = client.get(f"/runs/{id}/table.parquet")
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
    Path("page.parquet").write_bytes(client.get(f"/runs/{id}/table.parquet").content)
    part = cs.read("page.parquet")
    assert part.metadata["stopped"] == "interrupted"
    assert f"{part.metadata['hands']:,} of 1,000,000" in answer
    run(*command_in(answer), "-o", "again.parquet")
    assert cs.read("again.parquet").frame.equals(part.frame)


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(("path", "query", "field", "message"), [
    ("ask", {"question": "barsga"}, "question", "did you mean"),
    ("ask", {"question": "wins(us)", "hands": "2M"}, "hands", "“Hands” '2M' is out of range"),
    ("ask", {"question": "wins(us) given dealer", "top": "3"}, "top", "“Only the highest” '3' requires “Split by”"),
    ("ask", {"question": "can_sweep(next)", "at": "me: 7h 7h"}, "at", "“What you know”: "),
    ("ask", {"question": "how often do we win the hand with a joker?"}, "question", "I know nothing of 'joker'"),
    ("house-rules", {"own": "title = 'x'\nfields = { piccola = 7 }"}, "own", "line 2: unknown field 'piccola'"),
    ("house-rules", {"own": "preset = 'cirulla'\ntarget = 'x'"}, "own", "own.toml, line 2: target 'x' is not valid"),
    ("house-rules", {"own": "\x00]"}, "own", "“Rules of your own”: own.toml, line 1: is not valid TOML"),
    ("ask", {"question": "barsega", "policy": "careful"}, "policy", "nobody plays for this answer"),
    ("house-rules", {"policy": "careful"}, "house", "no house rule is chosen"),
    ("house-rules", {"hand_low": "21"}, "hand_low", "three cards that total 9 or less, points” '21' is out of"),
    ("house-rules", {"hand_low": "2", "own": "target = 26"}, "own", "cannot be combined with points of your own"),
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
    for text in (errors_in(answer)[field], italian):
        assert not re.search(r"--[a-z]|\bodds\b|\badvise\b|cirulla-sim|/tmp", text), text


@pytest.mark.parametrize(("path", "field"), [
    ("ask", "question"), ("ask", "at"), ("ask", "hands"), ("house-rules", "hands"), ("advise", "at"),
    ("results", "words"),
])  # fmt: skip
def test_what_was_typed_is_shown_as_text(client: Any, path: str, field: str) -> None:
    typed = '"><b>typed</b>'
    query = {"question": "barsega"} if path == "ask" else {"do": "advise"} if path == "advise" else {}
    text = client.get(f"/{path}", params=query | {field: typed}).text
    assert "<b>typed" not in text
    assert "<b>typed" in unescape(text)


# ------------------------------------------------------------------------------------------------ words of questions


@pytest.mark.parametrize(("lang", "word", "example"), [
    ("en", "sweeps", "sweeps(us, with ace)"), ("it", "scope", "scope(noi, con asso)"),
])  # fmt: skip
def test_words_are_completed_and_examples_can_be_followed(client: Any, lang: str, word: str, example: str) -> None:
    assert word in [each["word"] for each in client.get("/ask/words", params={"lang": lang}).json()]
    links = re.findall(r'<li><a href="([^"]+)">([^<]+)</a>', client.get("/ask", params={"lang": lang}).text)
    address = next(address for address, text in links if unescape(text) == example)
    assert dict(httpx.URL(unescape(address)).params) == {"question": example}
    answer = client.get(unescape(address), params={"question": example, "hands": "200", "lang": lang})
    assert not ended(client, run_in(answer))["error"]


def test_another_fair_reading_of_a_plain_question_can_be_followed(client: Any) -> None:
    asked = {"question": "quante volte busso in una smazzata?", "players": "2", "lang": "it"}
    answer = ended(client, run_in(client.get("/ask", params=asked)))["answer"]
    links = [
        dict(httpx.URL(unescape(link)).params) for link in re.findall(r'class="note"><a href="(/ask[^"]+)"', answer)
    ]
    assert links == [{"players": "2", "question": text} for text in ("knocks(me)", "mean(knocks(me))")]


def test_a_plain_question_may_name_its_rules(client: Any) -> None:
    asked = {"question": "in scopone scientifico, odds of three sevens", "rules": "cirulla", "players": ""}
    assert "Scopone scientifico" in ended(client, run_in(client.get("/ask", params=asked)))["answer"]


# ------------------------------------------------------------------------------------------------ playing on


def test_choices_are_cards_that_can_be_played_on(client: Any) -> None:
    """The choices of an answer with the position after each, then what the next player may do with a card."""
    at = {"at": "io sono: primo; io: 7h 3h 4d; tavola: Ad 5♣ 7s Kd", "players": "2", "lang": "it"}
    id = run_in(client.get("/advise", params=at | {"do": "advise", "samples": "1000"}))
    answer = ended(client, id)["answer"]
    advised = cs.advise(at="i am: first; me: 7h 3h 4d; table: Ad 5c 7s Kd", players=2, samples=1000, progress=False)
    assert answer.count("data-after") == len(set(advised.frame["play"]))
    best = re.search(r'choice best" data-after="([^"]*)".*?class="hidden">(.*?): <.*?"said" [^>]*>(.*?)<', answer, re.S)
    assert best
    assert best[2].startswith("accusare con tre di cuori sette di cuori quattro di denari, la matta vale")
    assert re.findall(r"\b[A-K2-7][hdcs]\b", best[3]) == [], "cards have symbols"
    after = Situation.parse(unescape(best[1]))
    assert (after.to_play, after.points[0], after.of("me").exact.bit_count()) == ("next", 3, 2)  # type: ignore[union-attr]
    html = client.get("/advise/plays", params=at | {"at": unescape(best[1]), "card": "Js"}).text
    assert [Situation.parse(unescape(text)).to_play for text in re.findall(r'data-after="([^"]*)"', html)] == ["me"]
    for wrong in ({"card": "7h"}, {"card": "Js", "show": "Js Qs Ks"}, {"card": "x"}, {"card": "Js", "at": ""}):
        answer = client.get("/advise/plays", params=at | {"at": unescape(best[1])} | wrong)
        assert (answer.status_code, answer.text.count('class="error"')) == (400, 1), wrong


def test_choices_that_cannot_be_told_apart_are_perhaps_the_best(client: Any) -> None:
    """All of them, and no other; what the first is worth and what was assumed stand in sight, with suit symbols."""
    asked = {"at": "table: 5s Jh 2c; me: 7d 4s Kh", "do": "advise", "samples": "1000"}
    answer = unescape(ended(client, run_in(client.get("/advise", params=asked)))["answer"]).replace("\xa0", " ")
    verdicts = re.findall(r'class="verdict">(.*?)<', answer)
    assert verdicts[:2] == ["perhaps the best"] * 2
    assert all(verdict.endswith("points behind") for verdict in verdicts[2:])
    assert answer.count('class="choice best"') == 2
    shown = answer.partition("<details>")[0]
    assert re.search(r"First of five: 7♦ takes 2♣ 5♠, [\d.]+ ± [\d.]+ points over the others", shown)
    assert "Assumed: I am the second player or" in shown
    sentences = re.sub(r"<[^>]*>", "", answer.partition('class="keep"')[0])
    assert re.findall(r"\b[A-K2-7][hdcs]\b", sentences) == []


def test_a_position_that_is_typed_is_written_in_one_way(client: Any) -> None:
    typed = {"at": "mine: 7 of hearts, 4♣; table: none", "lang": "it"}
    assert "posto 'mine' non esiste" in client.get("/advise/text", params=typed).text
    typed["at"] = "me: 7 of hearts, 4♣; table: none"
    text = client.get("/advise/text", params=typed).text
    assert text == "io: 7h 4♣; tavola: vuota"
    assert f'value="{text}"' in client.get("/advise", params=typed).text


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


def is_waiting(run: run_pages.PageRun) -> bool:
    """Whether a run is to simulate as soon as others have ended."""
    return run.begun.is_set() and not run.simulates and not run.ended.is_set()


def test_few_runs_simulate_at_a_time_and_counted_ones_do_not_wait() -> None:
    registry, result = run_pages.Runs(), cs.odds("low", progress=False)
    waiting = [registry.start("ask", number, endless) for number in range(run_pages.OF_ONE - 1)]
    assert registry.start("counted", 0, lambda watch: result).ended.wait(10)
    while not all(run.begun.is_set() for run in waiting) or sum(not is_waiting(run) for run in waiting) < 2:
        time.sleep(0.01)
    assert sum(not is_waiting(run) for run in waiting) == run_pages.SIMULATING == 2
    advice = registry.start("advise", 0, endless)
    while not (advice.simulates or advice.ended.is_set()):
        time.sleep(0.01)
    assert advice.simulates, "advice does not wait behind long questions"
    advice.stop()
    waiting[0].heard()
    for run in waiting:
        run.stop()
        assert run.ended.wait(10)


def test_whoever_asks_is_answered_and_the_oldest_runs_make_room() -> None:
    """One computer that asks for ever does not keep another one waiting, and its own oldest run ends."""
    registry = run_pages.Runs()
    many = [registry.start("ask", number, endless, "greedy") for number in range(run_pages.OF_ONE)]
    assert registry.start("ask", 0, endless, "greedy") is many[0], "asked for again, it is not the oldest any more"
    last = registry.start("ask", "last", endless, "greedy")
    assert many[1].ended.wait(10)
    assert not any(run.ended.is_set() for run in (many[0], *many[2:], last))
    while sum(run.simulates for run in (*many, last) if not run.ended.is_set()) < 2:
        time.sleep(0.01)
    other = registry.start("ask", "other", endless, "other")
    assert other.begun.wait(10)
    next(run for run in many if run.simulates and not run.ended.is_set()).stop()
    while is_waiting(other):
        time.sleep(0.01)
    everybody = [
        registry.start("ask", number, endless, str(number)) for number in range(100, 100 + run_pages.UNDER_WAY)
    ]
    assert not any(run.stopped() for run in everybody)
    assert sum(not run.stopped() for run in (*many, last, other, *everybody)) <= run_pages.UNDER_WAY
    for run in (*many, last, other, *everybody):
        run.stop()
        assert run.ended.wait(10)


def test_a_run_says_how_many_hands_it_will_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_pages.PageRun("ask", endless)
    run.simulates = True
    run.begin(1_000_000, 0, "hands")
    run.played(500)
    monkeypatch.setattr(run_pages, "monotonic", lambda: run._started + 5)
    said = run_pages.status(run, language("en"))
    assert said == "500 of 1,000,000 simulated · stops after 120 s, with about 10,000"
    run.played(100_000)
    assert run_pages.status(run, language("it")) == "100.000 su 1.000.000 già simulate · ancora 45 s circa"


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
    for mode, dest, status in (("navigate", "document", 200), ("navigate", "iframe", 403), ("no-cors", "image", 403),
                               ("cors", "empty", 403)):  # fmt: skip
        for site in ("cross-site", "same-site"):
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
            assert client.get("/ask", headers=headers).status_code == status
    assert client.post("/results/file", content=b"x", headers={"Origin": "http://evil.example"}).status_code == 403


@pytest.mark.parametrize(("path", "query", "filled"), [
    ("ask", {"question": "wins(us)", "hands": "900001"}, 'value="wins(us)"'),
    ("house-rules", {"house": "no-matta"}, 'value="no-matta" checked'),
    ("advise", {"at": POSITION, "do": "advise"}, "7d"),
])  # fmt: skip
def test_a_link_of_another_site_fills_the_form_in_and_runs_nothing(
    client: Any, path: str, query: dict[str, Any], filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_pages.Runs, "start", lambda *given: pytest.fail("a run began"))
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    answer = client.get(f"/{path}", params=query, headers=headers)
    assert answer.status_code == 200
    assert filled in answer.text
    assert "data-run=" not in answer.text


# ------------------------------------------------------------------------------------------------ own rules, own files


def test_points_that_are_filled_in_are_a_house_rule(client: Any, tmp_path: Path) -> None:
    (file := tmp_path / "own.toml").write_text("title = 'Ours'\nfields = { hand_low = 2, hand_triple = 7 }")
    query = {"hand_low": "2", "hand_triple": "7", "house": "no-matta", "together": "1", "hands": "500"}
    answered = client.get("/house-rules", params=query | {"policy": "greedy"})
    assert "[fields]\nhand_low = 2\nhand_triple = 7" in answered.text, "the command names a file, which stands below"
    id = run_in(answered)
    assert "“No matta + Points of our own”" in ended(client, id)["answer"]
    (page := tmp_path / "page.parquet").write_bytes(client.get(f"/runs/{id}/table.parquet").content)
    house = ("no-matta", str(file), f"no-matta+{file}")
    typed = cs.compare(house=house, hands=500, policy="greedy", progress=False)
    assert cs.read(page).frame["estimate"].equals(typed.frame["estimate"])


def test_rules_of_ones_own_are_compared_as_on_the_command_line(client: Any, run: Run, tmp_path: Path) -> None:
    texts = {"ours.toml": "title = 'A piccola up to ten'\nfields = { piccola_max = 10 }",
             "club.toml": "preset = 'cirulla'\npiccola_max = 7", "bare.toml": "piccola_max = 7"}  # fmt: skip
    for (name, text), option in zip(texts.items(), ("--house", "--against", "--against"), strict=True):
        file = tmp_path / name
        file.write_text(text, "utf-8")
        id = run_in(client.get("/house-rules", params={"own": text, "hands": "500", "policy": "greedy"}))
        ended(client, id)
        page = tmp_path / "page.parquet"
        page.write_bytes(client.get(f"/runs/{id}/table.parquet").content)
        run("compare", option, str(file), "--hands", "500", "--policy", "greedy", "-o", str(tmp_path / "own.parquet"))
        columns = ["quantity", "side", "estimate", "ci_low", "ci_high"]
        assert cs.read(page).frame.select(columns).equals(cs.read(tmp_path / "own.parquet").frame.select(columns))
        (tmp_path / "own.parquet").unlink()


def test_where_hands_are_the_same_games_are_played_or_offered(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played if nothing else is compared, offered beside a rule that changes hands, and of no use to other rules."""
    monkeypatch.setattr("cirulla_sim.verbs.compare.USUAL_GAMES", 50)
    query: dict[str, Any] = {"house": "short-game", "hands": "200", "policy": "greedy"}
    assert "Hands in a game" in ended(client, run_in(client.get("/house-rules", params=query)))["answer"]
    both = query | {"house": ["short-game", "no-matta"]}
    answer = ended(client, run_in(client.get("/house-rules", params=both)))["answer"]
    assert "In none of 200 hands does this change anything: A game to 26." in answer.replace("\xa0", " ")
    address = unescape(re.search(r'href="([^"]*games=2k[^"]*)"', answer)[1])  # type: ignore[index]
    assert httpx.URL(address).params == httpx.QueryParams(both | {"games": "2k"})
    nothing = {"house": "open-partners", "players": "2", "hands": "200", "policy": "greedy"}
    answer = ended(client, run_in(client.get("/house-rules", params=nothing)))["answer"]
    assert '<p class="first">In none of 200\xa0hands does this change anything: ' in answer
    assert "<figure>" not in answer
    assert "games=" not in answer


def test_a_result_file_is_opened_and_anything_else_is_refused(client: Any, tmp_path: Path) -> None:
    result = cs.simulate(hands=200, policy="greedy", progress=False)
    file = result.save(tmp_path / "four.parquet").read_bytes()
    address = client.post("/results/file?name=four.parquet", content=file).json()["address"]
    answer = ended(client, run_in(client.get(address)))["answer"]
    assert result.describe().splitlines()[0] in unescape(answer).replace("\xa0", " ")
    id = address.rpartition("/")[2]
    assert client.get(f"/runs/{id}/table.parquet").content == file
    chosen = client.get(f"/runs/{id}/file", params={"file": "chart.pdf?size=page&in=it"})
    assert client.get(chosen.headers["location"]).content.startswith(b"%PDF")
    assert client.get(f"/runs/{id}/file", params={"file": "//evil.example"}).status_code == 404
    refused = client.post("/results/file?name=four.parquet", content=file[:-9], headers={"Accept-Language": "it"})
    assert (refused.status_code, refused.json()["error"][:12]) == (400, "four.parquet")
    assert "/tmp" not in refused.text
    assert client.post("/results/file", content=b"x" * (results_tab.MOST_BYTES + 1)).status_code == 413


def test_pages_of_studies_stand_in_the_frame_of_all_pages(client: Any) -> None:
    for lang, name in (("en", "rules.html"), ("it", "it/matta.html")):
        headers = {"Accept-Language": lang}
        page = client.get(f"/results/pages/{name}", headers=headers).text
        assert page.count("<main") == page.count('<header class="bar">') == 1
        assert f'<html lang="{lang}">' in page
        assert 'href="/ask"' in page
        other = client.get(f"/results/pages/{name}", params={"lang": "it" if lang == "en" else "en"}, headers=headers)
        assert (
            httpx.URL(other.headers["location"]).path
            == f"/results/pages/{'it/rules' if lang == 'en' else 'matta'}.html"
        )


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
    texts = {*TABS.values(), *forms.LABELS.values()}
    texts |= {*RANK_NAMES, *SUIT_NAMES, *(text for said in ZONES.values() for text in said[:2])}
    texts |= {title for title, _ in CLAUSES.values()}
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
