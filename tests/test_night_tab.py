"""The tab of an evening: from the names to the standings, the forecast of the command, refusals beside their fields."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import polars as pl
import pytest
from browsing import LOOKS, browser_page, client, faults
from page_server import served

import cirulla_sim as cs
from cirulla_sim.core.locale import language
from cirulla_sim.experiments.club_match import DECIDED
from cirulla_sim.experiments.club_night import ClubNight
from cirulla_sim.experiments.night_rounds import all_rounds
from cirulla_sim.server.guard import LONGEST_QUERY
from cirulla_sim.server.night_tab import WAYS
from cirulla_sim.situation.night import FORMATS

if TYPE_CHECKING:
    from httpx import Response

NAMES = ("Anna e Bruno", "Carla & Dino", "Elsa <b>e</b> Furio", "Gina: e Ivo", "Lea e Mario")
SETUP = {"pairs": "\r\n".join(NAMES), "format": "swiss", "rounds": "3", "hands": "4", "minutes": "5", "seed": "7"}


def went_to(response: Response) -> dict[str, list[str]]:
    """The query of the address that an answer leads to."""
    assert response.status_code == 303, response.text
    return parse_qs(urlsplit(response.headers["location"]).query)


def night_of(query: dict[str, list[str]]) -> ClubNight:
    given = {name: values[0] for name, values in query.items() if name in SETUP}
    return ClubNight.of(**given, played=query.get("played", []))


# ------------------------------------------------------------------------------------------------ rounds


def test_a_night_is_played_to_its_end() -> None:
    """Draw by draw against the domain; all of it is in the address, and in the file."""
    page = client()
    night = ClubNight.of(**SETUP)
    query = {name: [value] for name, value in SETUP.items()}
    for number in (1, 2, 3):
        night = night.drawn()
        query = went_to(page.get(f"/evening/draw?{urlencode(query, doseq=True)}"))
        assert night_of(query) == night
        first, second = night.rounds[-1]
        results = {"first1": "28", "second1": "15", "decided2": f"cappotto {second.pairs[1] + 1}"}
        night = night.with_result(number, 1, "28-15").with_result(number, 2, f"cappotto {second.pairs[1] + 1}")
        query = went_to(page.get(f"/evening/results?{urlencode(query | results | {'round': number}, doseq=True)}"))
        assert night_of(query) == night
        html = page.get(f"/evening?{urlencode(query, doseq=True)}").text
        lines = re.findall(r"<tr><td>(\d+)</td><th scope=\"row\">(.*?)</th><td>(\d+)</td>", html)
        assert [(int(place), unescape(name), int(points)) for place, name, points in lines] == [
            (line.place, night.names[line.pair], line.victory_points) for line in night.standings()
        ]
        assert ("/evening/draw" in html) == (number < 3)
        assert first.pairs != second.pairs
    text = page.get(f"/evening/evening.json?{urlencode(query, doseq=True)}")
    assert ClubNight.from_text(text.text) == night
    opened = page.post("/evening/open", content=urlencode({"text": text.text}))
    assert night_of(went_to(opened)) == night
    undone = went_to(page.get(f"/evening/undo?{urlencode(query, doseq=True)}"))
    assert night_of(undone) == night.undrawn()


def test_score_sheets_have_every_table_hand_and_bye() -> None:
    night = ClubNight.of(**SETUP).drawn()
    html = unescape(client().get(f"/evening/sheets?{urlencode(night.arguments(), doseq=True)}").text)
    assert html.count('<table class="to-fill">') == 2
    for match in night.rounds[0]:
        for pair in match.pairs:
            assert html.count(NAMES[pair]) == 2
    assert f"{NAMES[night.byes(1)[0]]} has a bye." in html
    for hand in range(1, 5):
        assert html.count(f'<th scope="row">{hand}</th><td></td><td></td>') == 2
    assert "11–9: 2–3;" in html
    assert "20–0: 27+." in html
    knock_out = ClubNight.of(**SETUP | {"format": "knock-out"}).drawn()
    html = client().get(f"/evening/sheets?{urlencode(knock_out.arguments(), doseq=True)}").text
    assert html.count("Tie-break 3") == 1
    assert "Victory points" not in html


def test_names_are_shown_as_text() -> None:
    night = ClubNight.of(**SETUP).drawn()
    for path in ("", "/sheets"):
        html = client().get(f"/evening{path}?{urlencode(night.arguments(), doseq=True)}").text
        assert "Elsa &lt;b&gt;e&lt;/b&gt; Furio" in html
        assert "<b>e</b>" not in html


def test_the_largest_night_fits_an_address() -> None:
    """64 pairs with long names that all meet: 63 rounds of 32 tables."""
    names = [f"{number:02} {'x' * 37}" for number in range(64)]
    played = ["; ".join(f"{a + 1}-{b + 1} 100-100" for a, b in tables) for tables in all_rounds(64).tolist()]
    night = ClubNight.of(names, "all play all", hands=24, minutes="120", seed=2**64 - 1, played=played)
    query = urlencode(night.arguments() | {"pairs": "\n".join(names)}, doseq=True)
    assert len(query) < LONGEST_QUERY
    assert "Final standings" in client().get(f"/evening?{query}").text


# ------------------------------------------------------------------------------------------------ refusals


def error_of(html: str, field: str) -> str:
    match = re.search(rf'id="{field}(?:-error)?">(.*?)<|id="{field}-error" role="alert">(.*?)<', html)
    return unescape(match[1] or match[2]) if match else ""


@pytest.mark.parametrize(("fields", "field", "reason"), [
    ({"pairs": "Anna"}, "pairs", "1 names are not valid"), ({"pairs": "Anna\nanna"}, "pairs", "'anna' is named twice"),
    ({"pairs": "Anna\nBruno = a.py:play"}, "pairs", "unknown strength 'a.py:play'"),
    ({"format": "swis"}, "format", "did you mean 'swiss'?"),
    ({"rounds": "x"}, "rounds", "--rounds 'x' is not a number"),
    ({"hands": "99"}, "hands", "--hands '99' is out of range"), ({"minutes": "soon"}, "minutes", "--minutes 'soon'"),
    ({"seed": "-1"}, "seed", "--seed '-1'"), ({"forecast": "yes", "nights": "1"}, "nights", "--nights '1' is out of"),
    ({"forecast": "yes", "rules": "x.toml"}, "rules", "unknown preset 'x.toml'"),
    ({"forecast": "yes", "players": "9"}, "players", "--players '9' is out of range"),
])  # fmt: skip
def test_what_is_wrong_stands_beside_its_field(fields: dict[str, str], field: str, reason: str) -> None:
    for lang in ("en", "it"):
        response = client().get(f"/evening?{urlencode(SETUP | fields | {'lang': lang})}")
        error = error_of(response.text, field)
        assert response.status_code == 400
        assert error
        assert "\n" not in error
        if lang == "en":
            assert reason in error
        else:
            assert not re.search(r"\b(valid:|unknown|did you mean)\b", error), error


@pytest.mark.parametrize(("fields", "reason"), [
    ({"first1": "28"}, "is not valid (valid: as 28-15"), ({"first1": "28", "second1": "x"}, "is not valid"),
    ({"first1": "501", "second1": "0"}, "points up to 500"),
    ({"decided1": "cappotto 99"}, "pair 99 is not at the table"),
    ({"first1": "2", "second1": "2", "decided1": "tie-break 1"}, "tie-break"),
])  # fmt: skip
def test_a_result_that_is_wrong_is_refused_in_its_row(fields: dict[str, str], reason: str) -> None:
    night = ClubNight.of(**SETUP).drawn()
    valid = {"first2": "9", "second2": "7", "round": "1"}
    query = urlencode(night.arguments() | {"pairs": SETUP["pairs"]} | valid | fields, doseq=True)
    response = client().get(f"/evening/results?{query}")
    assert response.status_code == 400
    assert reason in error_of(response.text, "table-1-1")
    for name, value in (valid | fields).items():  # nothing that was typed is lost
        if name.startswith(("first", "second")):
            assert f'name="{name}" value="{value}"' in response.text


def test_files_and_rounds_of_strangers_are_refused_in_one_line() -> None:
    page = client()
    for text in ("", "{", "[]", json.dumps({"file": "cirulla-night/1", "x": 1}), "x" * 60_000):
        response = page.post("/evening/open", content=urlencode({"text": text}))
        assert response.status_code == 400
        assert error_of(response.text, "text").startswith("--file: no file of a night")
    for played in ("1-1", "../../x", "1-2 3-4; 1-2", "1-2 1-1;" * 500):
        response = page.get(f"/evening?{urlencode(SETUP | {'played': played})}")
        assert response.status_code == 400
        assert re.search(r'<p class="error" role="alert">--played: round 1: [^\n]*</p>', response.text)
    for path in ("draw", "undo", "results", "sheets", "evening.json"):
        assert page.get(f"/evening/{path}").status_code in (400, 404)


def test_every_way_to_decide_a_match_has_a_name() -> None:
    assert tuple(WAYS) == DECIDED
    assert {*WAYS.values(), *FORMATS} - set(language("it").texts) == set()


# ------------------------------------------------------------------------------------------------ the forecast


@pytest.mark.parametrize(("fields", "labels"), [
    ({"format": "swiss"}, ["any one of the pairs wins alone", "the first place is shared"]),
    ({"pairs": "Anna = greedy\nBruno: = random\nCarla = greedy\n???", "format": "knock-out", "rules": "cirulla-online"},
     ["Anna wins alone, the same for Carla", "Bruno wins alone", "4 wins alone"]),
    ({"pairs": "A\nB\nC\nD = greedy", "players": "2", "minutes": ""},
     ["A wins alone, the same for 2 others as strong"]),
])  # fmt: skip
def test_the_forecast_is_that_of_the_command(fields: dict[str, str], labels: list[str]) -> None:
    page, setup = client(), SETUP | {"hands": "1", "rounds": "2"} | fields
    html = page.get(f"/evening?{urlencode(setup | {'forecast': 'yes', 'nights': '200'})}").text
    run = re.search(r'data-run="([^"]+)"', html)
    assert run is not None
    while not page.get(f"/runs/{run[1]}").json()["ended"]:
        pass
    found = pl.read_parquet(page.get(f"/runs/{run[1]}/result.parquet").content)
    assert [name for name in found["quantity"] if "wins" in name or "shared" in name][: len(labels)] == labels
    night = ClubNight.of(**{name: setup[name] for name in SETUP}).night
    questions = {"wins_night(pair 1)": labels[0], "mean(hands_played)": "hands played at all tables"}
    expected = cs.odds(
        list(questions), at=f"night: {night}", rules=setup.get("rules", "cirulla"), players=setup.get("players"),
        hands=200, progress=False,
    ).frame  # fmt: skip
    numbers = ["estimate", "ci_low", "ci_high", "n"]
    for question, label in questions.items():
        assert found.filter(quantity=label)[numbers].equals(expected.filter(quantity=question)[numbers])


def test_a_forecast_in_italian_has_no_english() -> None:
    """Its night, its remarks and its labels."""
    setup = SETUP | {"hands": "8", "rounds": "2", "forecast": "yes", "nights": "100", "lang": "it"}
    page = client()
    run = re.search(r'data-run="([^"]+)"', page.get(f"/evening?{urlencode(setup)}").text)
    assert run is not None
    while not page.get(f"/runs/{run[1]}").json()["ended"]:
        pass
    table = page.get(f"/runs/{run[1]}/table.txt?lang=it").text
    answer = page.get(f"/runs/{run[1]}?version=&lang=it").json()["answer"].replace("\u00a0", " ")
    assert "Una serata, 5 coppie, 2 turni di 8 smazzate, svizzero, 5 minuti a smazzata." in table.replace("\u00a0", " ")
    assert "Un riposo vale 10 punti vittoria" in answer
    assert "I punti vittoria di 8 smazzate a turno" in answer
    words = re.sub(r"<pre.*?</pre>|<span class=\"hidden\">.*?</span>|<[^>]*>", " ", answer)
    assert not re.search(r"\b(pairs?|nights?|rounds?|hands?|wins|the)\b", words), words


# ------------------------------------------------------------------------------------------------ in a browser


@pytest.mark.parametrize(("width", "scheme", "lang"), LOOKS)
def test_a_night_in_a_browser(width: int, scheme: str, lang: str) -> None:
    """From the names to the file of the evening, by keyboard, and back from the file."""
    with served() as (address, _), browser_page(address, width, scheme, lang) as page:
        page.goto("/evening")
        assert faults(page) == []
        page.locator("#pairs").fill("Anna\nBruno = greedy\nCarla")
        page.locator("#rounds").fill("2")
        page.locator("#hands").fill("1")
        page.locator("#hands").press("Enter")
        page.wait_for_selector("#forecast")
        page.locator('button[name="forecast"]').press("Enter")
        page.wait_for_selector("[data-ended] .answer", timeout=60_000)
        assert faults(page) == []
        for number in (1, 2):
            page.wait_for_load_state()  # the page's script may move the focus before
            page.locator('form[action="/evening/draw"] button').press("Enter")
            page.wait_for_selector(f"#round-{number}")
            form = page.locator(f'form[action="/evening/results"]:has(input[name="round"][value="{number}"])')
            form.locator('input[name="first1"]').fill("9")
            form.locator('input[name="second1"]').fill("x" if number == 1 else "4")
            form.locator('input[name="second1"]').press("Enter")
            if number == 1:
                page.wait_for_selector("#table-1-1[role=alert]")
                assert faults(page) == []
                form.locator('input[name="second1"]').fill("4")
                form.locator('input[name="second1"]').press("Enter")
            page.wait_for_selector(f'form:has(input[name="round"][value="{number}"]) .round td:last-child:not(:empty)')
        assert faults(page) == []
        with page.expect_download() as download:
            page.locator('a[download="evening.json"]').click()
        night = ClubNight.from_text(download.value.path().read_text("utf-8"))
        assert night.over
        assert {str(match)[4:] for matches in night.rounds for match in matches} == {"9-4"}
        last_address = page.url
        page.goto("/evening/sheets" + last_address[last_address.index("?") : last_address.index("#")])
        assert faults(page) == []
        assert page.locator(".to-fill").count() == 1
        page.goto("/evening")
        page.locator("[data-last] a").click()
        page.wait_for_selector("#standings")
        page.goto("/evening")
        page.locator("details details summary").click()
        page.locator("#file").set_input_files(download.value.path())
        page.wait_for_selector("#standings")
        assert page.locator("#standings ~ .scroll tbody tr").count() == 3
