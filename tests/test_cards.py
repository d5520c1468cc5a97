"""Cards: every spelling is parsed to the index of its card, and masks are sets."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cirulla_sim.core import cards
from cirulla_sim.core.errors import InputError

# Written down here from the sources, not from the module: rank by rank and suit by suit, all the words for it.
RANKS = [
    ["A", "1", "ace", "asso"],
    ["2", "two", "due"],
    ["3", "three", "tre"],
    ["4", "four", "quattro"],
    ["5", "five", "cinque"],
    ["6", "six", "sei"],
    ["7", "seven", "sette"],
    ["J", "8", "jack", "fante"],
    ["Q", "9", "queen", "donna", "cavallo"],
    ["K", "10", "king", "re"],
]
SUITS = [
    ["h", "♥", "hearts", "cuori", "coppe"],
    ["d", "♦", "diamonds", "denari", "quadri"],
    ["c", "♣", "clubs", "fiori", "bastoni"],
    ["s", "♠", "spades", "picche"],
]


def spellings(suit: int, rank: int) -> list[str]:
    """All spellings of a card."""
    short, words = [w for w in RANKS[rank] if len(w) == 1 or w == "10"], RANKS[rank]
    results = [r + blank + s for r in short for blank in ("", " ") for s in SUITS[suit][:2]]
    results += [f"{r} {of} {s}" for r in words for of in ("of", "di") for s in SUITS[suit][2:]]
    nicknames = {(0, 6): ["matta"], (1, 6): ["settebello", "sette bello"]}
    return results + nicknames.get((suit, rank), [])


ALL = [(10 * s + r, written) for s, r in itertools.product(range(4), range(10)) for written in spellings(s, r)]


@given(st.sampled_from(ALL), st.randoms(use_true_random=False), st.sampled_from(["", " ", "\t", "  "]))
def test_every_spelling_is_parsed_in_any_case_and_with_blanks(card_and_spelling, random, blanks):
    index, written = card_and_spelling
    cased = "".join(random.choice((letter.lower(), letter.upper())) for letter in written)
    spaced = blanks + cased.replace(" ", blanks or " ") + blanks
    assert cards.parse(spaced) == index
    assert cards.parse(cards.text(index)) == index
    assert cards.parse(cards.symbol(index)) == index
    assert cards.text(cards.parse(spaced)) == cards.PACK[index]


def test_pack_is_forty_cards_in_the_order_of_the_contract():
    pack = [rank[0] + suit[0] for suit in SUITS for rank in RANKS]
    assert list(cards.PACK) == pack


def test_values_agree_with_source_000():
    value, prime = (
        dict(zip(cards.PACK, cards.VALUES, strict=True)),
        dict(zip(cards.PACK, cards.PRIME_VALUES, strict=True)),
    )
    for suit in "hdcs":
        assert [value[r + suit] for r in "A234567JQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        assert [prime[r + suit] for r in "76A5432JQK"] == [21, 18, 16, 15, 14, 13, 12, 10, 10, 10]
    assert cards.text(cards.SETTEBELLO) == "7d"


@given(st.lists(st.integers(0, 39), unique=True), st.sampled_from([",", " ", ", ", "  ", " , "]), st.booleans())
def test_lists_of_cards_keep_their_order_and_masks_are_sets(held, between, symbols):
    written = between.join((cards.symbol if symbols else cards.text)(card) for card in held)
    assert cards.parse_many(written) == held
    bits = cards.mask(held)
    assert bits.bit_count() == len(held)
    assert 0 <= bits < 1 << 40
    assert cards.members(bits) == sorted(held)
    assert cards.mask(cards.parse_many(" ".join(cards.texts(bits)))) == bits


@pytest.mark.parametrize(
    ("given_twice", "card"),
    [("7h 7h", "7h"), ("7h, matta", "7h"), ("7d,Kc,settebello", "7d"), ("Kd, re di denari", "Kd"), ("a♥ Ks Ah", "Ah")],
)
def test_a_card_given_twice_is_refused_by_name(given_twice, card):
    with pytest.raises(InputError, match=f"^card '{card}' is given twice"):
        cards.parse_many(given_twice)


@pytest.mark.parametrize(
    ("written", "hint"),
    [("11h", ""), ("0h", ""), ("7x", ""), ("h7", ""), ("7hh", "7h"), ("100h", ""), ("", ""), ("7", ""),
     ("undici di cuori", ""), ("7 di", ""), ("sette cuori", ""), ("7h\nKd", ""), ("joker", "")],
)  # fmt: skip
def test_other_texts_are_refused(written, hint):
    with pytest.raises(InputError) as error:
        cards.parse(written)
    message = str(error.value)
    assert repr(written) in message
    assert "valid: a rank of A 2 3 4 5 6 7 J Q K and a suit of h d c s" in message
    assert (f"did you mean {hint!r}" in message) or not hint
    assert "\n" not in message


@given(st.text(max_size=12))
def test_any_text_is_parsed_or_an_input_error(written):
    try:
        index = cards.parse(written)
    except InputError:
        return
    assert 0 <= index < 40
