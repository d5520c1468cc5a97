"""The tab in which a game is played: the same game as ``cs.Game``, and nothing that the player must not know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from browsing import LOOKS, browser_page, client, faults
from page_server import served

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core import cards
from cirulla_sim.server import games_in_play, play_tab

SEED = 7_340_033_190_417


@pytest.fixture(autouse=True)
def _seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_tab, "drawn_seed", lambda: SEED)


def send(page: Any, path: str, **fields: str) -> Any:
    content = urlencode(fields)
    return page.post(path, content=content, headers={"Content-Type": "application/x-www-form-urlencoded"})


def begun(page: Any, **fields: str) -> str:
    """The address of a new game."""
    response = send(page, "/play", policy="greedy", **fields)
    assert response.status_code == 303, response.text
    return str(response.headers["location"])


def turn_of(html: str) -> str:
    found = re.search(r'name="turn" value="(\d+)"', html)
    return found[1] if found else ""


def step(page: Any, at: str, number: str = "1") -> str:
    """The page after the first choice, or the next hand; empty at the end of the game."""
    html = page.get(at).text
    action = "choose" if f"{at}/choose" in html else "next"
    if f"{at}/{action}" not in html:
        return ""
    assert send(page, f"{at}/{action}", turn=turn_of(html), number=number).status_code == 303
    return str(page.get(at).text)


def cards_in(html: str) -> set[str]:
    return {rank + "hdcs"["♥♦♣♠".index(suit)] for rank, suit in re.findall(r"\b([A2-7JQK])([♥♦♣♠])", html)}


@pytest.mark.parametrize("fields", [{}, {"rules": "scopa", "players": "4", "me": "dealer"}])
def test_a_whole_game_is_that_of_the_same_choices_and_shows_only_what_its_player_knows(
    fields: dict[str, str], tmp_path: Path
) -> None:
    page = client()
    at = begun(page, **fields)
    game = cs.Game(
        fields.get("rules", "cirulla"), players=fields.get("players", 2), policy="greedy", me=fields.get("me"),
        seed=SEED,
    )  # fmt: skip
    html = page.get(at).text
    while not game.over:
        assert str(SEED) not in html
        if f"{at}/choose" in html:
            assert html.count('name="number"') == len(game.choices())
            assert not set(cards.texts(game.information().unseen)) & cards_in(html)
            game.play(1)
        html = step(page, at)
    while f"{at}/next" in html:
        html = step(page, at)
    path = tmp_path / "game.jsonl"
    path.write_bytes(page.get(f"{at}/file").content)
    again = cs.Game.from_records(path)
    assert again == game
    assert again.records() == game.records()
    assert "wins the game" in html or "win the game" in html


def test_undo_takes_back_a_choice_and_a_page_that_is_not_the_latest_changes_nothing() -> None:
    page = client()
    at = begun(page)
    first = page.get(at).text
    assert f"{at}/undo" not in first
    step(page, at)
    second = page.get(at).text
    send(page, f"{at}/choose", turn=turn_of(first), number="1")  # sent twice
    send(page, f"{at}/undo", turn="x")
    assert page.get(at).text == second != first
    send(page, f"{at}/undo", turn=turn_of(second))
    html = page.get(at).text
    assert int(turn_of(html)) == int(turn_of(second)) + 1
    assert re.sub(r'(turn"|hint") value="\d+"', "", html) == re.sub(r'(turn"|hint") value="\d+"', "", first)
    while f"{at}/choose" in html:
        html = step(page, at)
    assert "Hand 1 is over" in html
    send(page, f"{at}/choose", turn=turn_of(html), number="1")  # of the next hand, which is not shown yet
    assert "Hand 1 is over" in page.get(at).text
    send(page, f"{at}/undo", turn=turn_of(page.get(at).text))
    assert f"{at}/choose" in page.get(at).text
    while "Hand 2" not in html:
        html = step(page, at)
    html = step(page, at)
    send(page, f"{at}/undo", turn=turn_of(html))
    html = page.get(at).text
    assert ("Hand 2" in html, f"{at}/choose" in html) == (True, True)


def test_a_choice_leaves_the_game_alone_that_a_hint_is_about() -> None:
    page = client()
    at = begun(page)
    before = page.app.state.games.get(at.rpartition("/")[2])  # type: ignore[attr-defined]
    html = step(page, at)
    send(page, f"{at}/undo", turn=turn_of(html))
    step(page, at)
    assert before.game == cs.Game(players=2, policy="greedy", seed=SEED)


def test_what_is_not_there_or_not_valid_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    page = client()
    at = begun(page)
    assert page.get("/play/nothing").status_code == 404
    assert send(page, "/play/nothing/choose", turn="0", number="1").status_code == 404
    assert page.get(f"{at}/coach?hand=1").status_code == 404
    wrong = send(page, f"{at}/choose", turn="0", number="99")
    assert (wrong.status_code, "is no choice" in wrong.text) == (400, True)
    for fields in ({"policy": "search:99"}, {"policy": "mine.py:f"}, {"rules": "/etc/passwd"}, {"players": "9"}):
        assert send(page, "/play", **fields).status_code == 400
    refused = send(page, "/play", me="third")
    assert (refused.status_code, "me-error" in refused.text) == (400, True)
    monkeypatch.setattr(games_in_play, "MOST_GAMES", 3)
    others = [begun(page) for _ in range(3)]
    assert [page.get(x).status_code for x in (at, *others)] == [404, 200, 200, 200]
    monkeypatch.setattr(games_in_play, "MOST_SECONDS", -1.0)
    assert page.get(others[0]).status_code == 404


def test_hint_coach_and_file_of_a_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = client()
    at = begun(page)
    html = page.get(f"{at}?hint=0").text
    assert "data-run" not in html
    assert html.count("<tbody>") == 1
    assert str(SEED) not in html
    while f"{at}/choose" in html:
        html = step(page, at)
    coach = page.get(f"{at}/coach?hand=1&lang=it").text
    assert "Punti persi" in coach
    assert "fortuna" in coach
    assert str(SEED) not in coach
    path = tmp_path / "game.jsonl"
    path.write_bytes(page.get(f"{at}/file").content)
    with pytest.raises(SystemExit) as left:
        main(["show", "--record", str(path)])
    assert not left.value.code
    assert f"Hand 0 of seed {SEED}" in capsys.readouterr().out


@pytest.mark.parametrize(("width", "scheme", "lang"), LOOKS)
def test_a_game_in_a_browser_with_the_keyboard_alone(width: int, scheme: str, lang: str) -> None:
    with served() as (address, _), browser_page(address, width, scheme, lang) as page:
        page.goto("/play")
        assert faults(page) == []
        page.locator("button.go").press("Enter")
        page.wait_for_url("**/play/*")
        assert faults(page) == []
        while page.locator(".choices").count():
            page.locator(".choices button").first.press("Enter")
            page.wait_for_load_state()
        assert faults(page) == []
        page.locator("a[href*=coach]").press("Enter")
        page.wait_for_selector(".coach")
        assert faults(page) == []
