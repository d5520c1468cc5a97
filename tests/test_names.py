"""The names that arguments take, as Python lists them: all of them, in a table at a prompt, in both languages."""

from __future__ import annotations

import pytest

import cirulla_sim as cs
from cirulla_sim.engine.policies import check_policy


def test_every_name_of_every_kind_is_listed_with_a_sentence() -> None:
    for name in cs.policies():
        check_policy(name)
    for name in cs.presets():
        cs.rules(name)
    for name in cs.house_rules():
        cs.rules(house=name)
    for names in (cs.presets, cs.house_rules, cs.policies, cs.vocabulary):
        assert all(names().values())
        assert len(names(lang="it")) == len(names())
        assert names(lang="it") != names()
    assert cs.vocabulary(lang="it")["prende"] != ""


def test_names_show_themselves_as_a_table() -> None:
    lines = repr(cs.house_rules()).splitlines()
    assert len({line.index(text) for line, text in zip(lines, cs.house_rules().values(), strict=True)}) == 1
    assert "<td><code>table-nine</code></td><td>A table of nine or less is the dealer&#x27;s" in (
        cs.house_rules()._repr_html_()
    )
    with pytest.raises(cs.InputError, match="--lang: unknown language 'fr'"):
        cs.presets(lang="fr")
