"""House rules of a user's own from files: played as their fields, refused in one line, never read from stored data."""

from __future__ import annotations

from pathlib import Path

import pytest

import cirulla_sim as cs

MINE = 'title = "Ours"\nfields = { piccola_max = 10, table_low = 3 }\n'


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.toml"
    path.write_text(MINE, "utf-8")
    return path


def test_a_file_is_its_fields(mine: Path) -> None:
    by_file, by_field = cs.rules(house=str(mine)), cs.rules(piccola_max=10, table_low=3)
    assert by_file.fields == by_field.fields
    assert "with mine (Ours [your own])" in str(by_file)
    assert by_file.sources["table_low"] == "your own"
    assert cs.odds("accuso", rules=by_file).frame.equals(cs.odds("accuso", rules=by_field).frame)
    one, other = (cs.simulate(rules, policy="greedy", hands=500, progress=False) for rules in (by_file, by_field))
    assert one.frame.equals(other.frame)
    with pytest.raises(cs.InputError, match="clash: they set piccola_max"):
        cs.rules(house=["piccola-seven", str(mine)])


def test_compared_by_the_name_of_its_file_and_read_without_it(mine: Path) -> None:
    file = mine.with_name("a.parquet")
    result = cs.compare(house=["no-matta", f"no-matta+{mine}"], policy="greedy", hands=500, output=file, progress=False)
    assert set(result.frame["rules"]) >= {"no-matta", "no-matta+mine"}
    assert "--house no-matta+mine.toml" in result.metadata["command"]
    assert result.metadata["compared"]["no-matta+mine"] == {"matta": None, "piccola_max": 10, "table_low": 3}
    more = mine.with_name("b.parquet")
    cs.compare(house=["no-matta", f"no-matta+{mine}"], policy="greedy", hands=500, first_hand=500, output=more)
    mine.write_text(MINE.replace("10", "7"), "utf-8")
    assert cs.read(file).metadata["compared"]["no-matta+mine"]["piccola_max"] == 10
    mine.unlink()
    assert cs.read(file).frame.equals(result.frame)
    assert set(cs.combine([file, more]).frame["rules"]) == set(result.frame["rules"])


def test_a_title_is_printed_whole(mine: Path) -> None:
    mine.write_text('title = "Five for three equal"\nfields = { hand_triple = 5 }\n', "utf-8")
    file = mine.with_name("a.parquet")
    result = cs.compare(house=f"no-matta+{mine}", policy="greedy", hands=500, output=file, progress=False)
    mine.unlink()
    for shown in (result, cs.read(file)):
        assert "By the rule “No matta + Five for three equal” a hand brings" in shown.describe()
        assert "\nNo matta + Five for three equal " in str(shown)
    assert "Senza matta + Five for three equal" in result.text(lang="it")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fields = { piccola_max = 7 }", ": title is not valid"),
        ('title = "a\\u001b[2J"\nfields = { piccola_max = 7 }', ", line 1: title is not valid"),
        ('title = "x"\nfields = 3', ": has no fields"),
        ('title = "x"\nfields = { picola_max = 7 }', ", line 2: unknown field 'picola_max': did you mean 'picc"),
        ('title = "x"\n[fields]\n\npiccola_max = 70', ", line 4: piccola_max '70' is not valid"),
        ('title = "x"\nfeilds = { piccola_max = 7 }', ", line 2: unknown key 'feilds': did you mean 'fields'"),
        ("title = ", ", line 1: is not valid TOML"),
    ],
)
def test_a_file_that_is_not_valid_is_refused_in_one_line(mine: Path, text: str, reason: str) -> None:
    mine.write_text(text, "utf-8")
    for ask in (lambda: cs.rules(house="mine.toml"), lambda: cs.compare(house="mine.toml", hands=10)):
        with pytest.raises(cs.InputError) as refused:
            ask()
        assert str(refused.value).startswith(f"mine.toml{reason}")
        assert "\n" not in str(refused.value)
