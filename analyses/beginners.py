"""Habits of beginners, each as a policy of its own beside ``sound``, which has none of them. See docs/policies.md.

``sound`` plays by a rule of thumb that a person could: it adds up roughly what it takes and what it leaves, and fears
tables that one card of those not seen yet can sweep. Every other policy of this file is ``sound`` but for its habit:

    cirulla-sim tournament --policy analyses/beginners.py:sound --policy analyses/beginners.py:forgets
"""

from cirulla_sim.engine.policy_api import captured, card_of, helper, is_sweep, popcount, unseen

ALL = (1 << 40) - 1
DIAMONDS, HIGH_DIAMONDS = 0b1111111111 << 10, 0b1111000111 << 10  # all; A 2 3 and 7 J Q K: settebello, piccola, grande
SEVENS = 0x40100401 << 6
SWEEP, LEFT, FEAR = 1.0, 0.4, 1.0
"""What a sweep is worth, what of the worth of cards left is lost, and what a table is that is surely swept."""


@helper
def worth(cards, diamonds, sevens):
    """Roughly what cards are worth in points, to one who knows of diamonds and of sevens."""
    value = 0.2 * popcount(cards)
    if diamonds:
        value += 0.3 * popcount(cards & DIAMONDS) + 0.9 * popcount(cards & HIGH_DIAMONDS)
    if sevens:
        value += 0.3 * popcount(cards & SEVENS)
    return value


@helper
def total_of(cards):
    """The sum of cards, jack to king counting 8 to 10."""
    total = 0
    for card in range(40):
        if cards >> card & 1:
            total += card % 10 + 1
    return total


@helper
def fear(left, rest, fifteen):
    """The chance, roughly, that one of three cards of the rest sweeps what is left, by its sum or to fifteen."""
    total, sweeping = total_of(left), 0
    for card in range(40):
        if rest >> card & 1 and (card % 10 + 1 == total or (fifteen and card % 10 + 1 == 15 - total)):
            sweeping += 1
    return 1.0 - (1.0 - sweeping / (popcount(rest) + 1)) ** 3


@helper
def best(view, plays, diamonds, sevens, looks_ahead, fifteen, remembers):
    """The play of one who knows all this, or not."""
    rest = unseen(view) if remembers else ALL & ~(view.holding | view.table)
    most, chosen = -1000.0, 0
    for i in range(len(plays)):
        own, got = 1 << card_of(plays[i]), captured(plays[i])
        left = view.table & ~got if got else view.table | own
        value = SWEEP * is_sweep(plays[i])
        if got:
            value += worth(own | got, diamonds, sevens)
        if looks_ahead:
            value -= LEFT * worth(left, diamonds, sevens) + FEAR * fear(left, rest, fifteen)
        if value > most:
            most, chosen = value, i
    return chosen


def sound(view, plays):
    """Knows what is worth what, looks at what it leaves, remembers what has gone."""
    return best(view, plays, True, True, True, True, True)


def never_looks_ahead(view, plays):
    """Looks at what it takes, never at what it leaves."""
    return best(view, plays, True, True, False, True, True)


def fears_no_fifteen(view, plays):
    """Fears the card that is the table's sum, as in Scopa, and forgets the one that makes fifteen with it."""
    return best(view, plays, True, True, True, False, True)


def forgets(view, plays):
    """Does not remember the cards that have gone."""
    return best(view, plays, True, True, True, True, False)


def sees_no_diamonds(view, plays):
    """Counts cards and sevens; diamonds, the settebello among them, are cards like others."""
    return best(view, plays, False, True, True, True, True)


def sees_no_sevens(view, plays):
    """Forgets the primiera: sevens are cards like others."""
    return best(view, plays, True, False, True, True, True)


def most_cards(view, plays):
    """Takes as many cards as it can, any; lays the highest card where it takes none."""
    most, chosen = -1, 0
    for i in range(len(plays)):
        number = 100 * popcount(captured(plays[i])) + card_of(plays[i]) % 10
        if number > most:
            most, chosen = number, i
    return chosen
