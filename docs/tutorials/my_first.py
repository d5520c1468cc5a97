"""The policies of the tutorial: docs/tutorials/first_policy.md."""

from cirulla_sim.engine.policy_api import captured, card_of, helper, is_sweep, popcount, unseen


def sweeper(view, plays):
    """Sweep if you can, otherwise take as many cards as you can."""
    best, choice = -1, 0
    for i in range(len(plays)):
        value = popcount(captured(plays[i])) + 10 * is_sweep(plays[i])
        if value > best:
            best, choice = value, i
    return choice


DIAMONDS = 0b1111111111 << 10
SETTEBELLO = 1 << 16


@helper
def risk(table, hidden):
    """The share of the hidden cards that sweep a table: its total, what is missing to fifteen, or an ace."""
    total = 0
    for card in range(40):
        if table >> card & 1:
            total += card % 10 + 1
    sweeping = 0
    for card in range(40):
        value = card % 10 + 1
        if hidden >> card & 1 and (value == total or value == 15 - total or value == 1):
            sweeping += 1
    return sweeping / (popcount(hidden) + 1)


def watchful(view, plays):
    """Take what is worth points, and leave no table that the next player can sweep."""
    best, choice = -1000.0, 0
    for i in range(len(plays)):
        own, taken = 1 << card_of(plays[i]), captured(plays[i])
        left = view.table & ~taken if taken else view.table | own
        mine = own | taken if taken else 0
        value = 0.1 * popcount(mine) + 0.6 * popcount(mine & DIAMONDS) + 1.0 * popcount(mine & SETTEBELLO)
        value += is_sweep(plays[i]) - 0.4 * popcount(left & DIAMONDS)
        if left:
            value -= 2.0 * risk(left, unseen(view))
        if value > best:
            best, choice = value, i
    return choice
