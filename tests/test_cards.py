"""Cards: every spelling is parsed to the index of its card, and masks are sets."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cirulla_sim.core import cards
from cirulla_sim.core.errors import InputError
from cirulla_sim.ruleset.catalogue import catalogue

# Written down here from the sources, not from the module: rank by rank and suit by suit, all the words for it.
RANKS = ["A 1 ace asso", "2 two due", "3 three tre", "4 four quattro", "5 five cinque", "6 six sei", "7 seven sette",
         "J 8 jack fante", "Q 9 queen donna cavallo", "K 10 king re"]  # fmt: skip
SUITS = ["h ♥ hearts cuori coppe", "d ♦ diamonds denari quadri", "c ♣ clubs fiori bastoni", "s ♠ spades picche"]
NICKNAMES = {6: ["matta"], 16: ["settebello", "sette bello"]}


def spellings(suit: int, rank: int) -> list[str]:
    """All spellings of a card."""
    words, (short, symbol, *names) = RANKS[rank].split(), SUITS[suit].split()
    brief = [rank + blank + of for rank in words if len(rank) == 1 or rank == "10" for blank in ("", " ")
             for of in (short, symbol)]  # fmt: skip
    long = [f"{word} {of} {name}" for word in words for of in ("of", "di") for name in names]
    return brief + long + NICKNAMES.get(10 * suit + rank, [])


ALL = [(10 * s + r, written) for s, r in itertools.product(range(4), range(10)) for written in spellings(s, r)]


@given(st.sampled_from(ALL), st.randoms(use_true_random=False), st.sampled_from(["", " ", "\t", "  "]))
def test_every_spelling_is_parsed_in_any_case_and_with_blanks(card_and_spelling, random, blanks):
    index, written = card_and_spelling
    cased = "".join(random.choice((letter.lower(), letter.upper())) for letter in written)
    assert cards.parse(blanks + cased.replace(" ", blanks or " ") + blanks) == index
    assert cards.parse(cards.text(index)) == cards.parse(cards.card_symbol(index)) == index


def test_order_and_values_of_the_pack_are_those_of_the_source():
    assert list(cards.PACK) == [rank[0] + suit[0] for suit in SUITS for rank in RANKS]
    assert list(cards.VALUES) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 4
    assert catalogue()["primes"]["usual"] == [16, 12, 13, 14, 15, 18, 21, 10, 10, 10]
    assert cards.text(cards.SETTEBELLO) == "7d"


@given(st.lists(st.integers(0, 39), unique=True), st.sampled_from([",", " ", ", ", "  ", " , "]), st.booleans())
def test_lists_of_cards_keep_their_order_and_masks_are_sets(held, between, symbols):
    written = between.join((cards.card_symbol if symbols else cards.text)(card) for card in held)
    assert cards.parse_many(written) == held
    bits = cards.mask(held)
    assert bits == sum(1 << card for card in held)
    assert cards.members(bits) == sorted(held)
    assert cards.mask(cards.parse_many(" ".join(cards.texts(bits)))) == bits


@pytest.mark.parametrize(("twice", "card"), [("7h, matta", "7h"), ("Kd, re di denari", "Kd"), ("a♥ Ks Ah", "Ah")])
def test_a_card_given_twice_is_refused_by_name(twice, card):
    with pytest.raises(InputError, match=f"^card '{card}' is given twice"):
        cards.parse_many(twice)


@pytest.mark.parametrize("written", ["11h", "7x", "h7", "7hh", "", "7", "undici di cuori", "sette cuori", "7h\nKd"])
def test_other_texts_are_refused(written):
    with pytest.raises(InputError) as error:
        cards.parse(written)
    message = str(error.value)
    assert repr(written) in message
    assert "valid: a rank of A 2 3 4 5 6 7 J Q K and a suit of h d c s" in message
    assert ("did you mean '7h'" in message) == (written == "7hh")
    assert "\n" not in message
