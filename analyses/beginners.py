"""Habits of beginners as policies, and ``sound``, which has none of them. See docs/policies.md.

``sound`` plays by a rule of thumb that a person could follow: it estimates the value of what it takes and of what it
leaves, and avoids tables that an unseen card can sweep. Every other policy is ``sound`` with one habit:

    cirulla-sim tournament --policy analyses/beginners.py:sound --policy analyses/beginners.py:forgets
"""

from cirulla_sim.engine.policy_api import captured, card_of, helper, is_sweep, popcount, unseen

ALL = (1 << 40) - 1
DIAMONDS, HIGH_DIAMONDS = 0b1111111111 << 10, 0b1111000111 << 10  # all; A 2 3 and 7 J Q K: settebello, piccola, grande
SEVENS = 0x40100401 << 6
SWEEP, LEFT, FEAR = 1.0, 0.4, 1.0
"""The value of a sweep, the share of the value of the cards left that is lost, and the cost of a certain sweep."""


@helper
def worth(cards, diamonds, sevens):
    """The approximate value of cards in points; diamonds and sevens count only if asked for."""
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
    """The approximate probability that one of three unseen cards sweeps the table, by its sum or by fifteen."""
    total, sweeping = total_of(left), 0
    for card in range(40):
        if rest >> card & 1 and (card % 10 + 1 == total or (fifteen and card % 10 + 1 == 15 - total)):
            sweeping += 1
    return 1.0 - (1.0 - sweeping / (popcount(rest) + 1)) ** 3


@helper
def best(view, plays, diamonds, sevens, looks_ahead, fifteen, remembers):
    """The best play by the rule of thumb, with each of its parts on or off."""
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
    """Values all cards, considers what it leaves, and remembers the cards played."""
    return best(view, plays, True, True, True, True, True)


def never_looks_ahead(view, plays):
    """Considers what it takes, never what it leaves."""
    return best(view, plays, True, True, False, True, True)


def fears_no_fifteen(view, plays):
    """Avoids sweeps by the table's sum, as in Scopa, but forgets those by fifteen."""
    return best(view, plays, True, True, True, False, True)


def forgets(view, plays):
    """Does not remember the cards played."""
    return best(view, plays, True, True, True, True, False)


def sees_no_diamonds(view, plays):
    """Values diamonds, with the settebello, like any other cards."""
    return best(view, plays, False, True, True, True, True)


def sees_no_sevens(view, plays):
    """Forgets the primiera: values sevens like any other cards."""
    return best(view, plays, True, False, True, True, True)


def most_cards(view, plays):
    """Takes as many cards as it can, whichever they are; plays its highest card if it cannot capture."""
    most, chosen = -1, 0
    for i in range(len(plays)):
        number = 100 * popcount(captured(plays[i])) + card_of(plays[i]) % 10
        if number > most:
            most, chosen = number, i
    return chosen
