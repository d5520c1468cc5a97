"""A user policy that beats greedy: ``--policy analyses/my_policy.py:wary``. See docs/reference/policies.md."""

from cirulla_sim.engine.policy_api import captured, card_of, helper, is_sweep, popcount, unseen

DIAMONDS, HIGH_DIAMONDS = (
    0b1111111111 << 10,
    0b1111000111 << 10,
)  # A 2 3 and 7 J Q K of diamonds: settebello, piccola, grande
SEVENS = 0x40100401 << 6


@helper
def worth(cards):
    """Roughly what cards are worth in points."""
    diamonds = 0.3 * popcount(cards & DIAMONDS) + 0.9 * popcount(cards & HIGH_DIAMONDS)
    return 0.2 * popcount(cards) + diamonds + 0.3 * popcount(cards & SEVENS)


def wary(view, plays):
    """Take what is worth most, leave little behind, and no table that one card can sweep."""
    best, chosen = -1000.0, 0
    for i in range(len(plays)):
        own, got = 1 << card_of(plays[i]), captured(plays[i])
        left = view.table & ~got if got else view.table | own
        total = 0
        for card in range(40):
            if left >> card & 1:
                total += card % 10 + 1
        value = is_sweep(plays[i]) - 0.4 * worth(left)
        if got:
            value += worth(own | got)
        rest, sweeping = unseen(view), 0
        for card in range(40):
            if rest >> card & 1 and (card % 10 + 1 == total or card % 10 + 1 == 15 - total):
                sweeping += 1
        value -= 1.0 - (1.0 - sweeping / (popcount(rest) + 1)) ** 3
        if value > best:
            best, chosen = value, i
    return chosen
