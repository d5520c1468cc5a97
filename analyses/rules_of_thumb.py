"""Rules of thumb of Scopone as policies, in the tradition of Chitarrella; a yardstick for ``careful``.

    cirulla-sim tournament --rules scopone-scientifico --policy analyses/rules_of_thumb.py:simple \\
        --policy analyses/rules_of_thumb.py:chitarrella --policy careful

``simple`` follows the first rules that players learn: take the settebello, sevens, diamonds and many cards, and leave
no table that one card sweeps. ``chitarrella`` also knows the ranks, as the tradition has it that begins with the rules
of Chitarrella (about 1750, https://www.pagat.com/fishing/scopone/chita.html): leave a card of which you hold another,
so that you may take it back; do not be the first to show a rank; the dealer's side keeps ranks in pairs, and the other
side breaks them (*spariglio*), since the dealer plays last. ``masters`` adds two rules of later teachers:

- *Mulinello*: one side takes at each turn and the other can only lay, so leave little to take (advice of the Italian
  federation, https://giochistars.it/news/10-trucchi-per-vincere-a-scopone).
- Sevens: the dealer's side wants the sevens in pairs, the other wants them broken, and so does a dealer who has none
  (Chitarrella's rule 35, as http://scoponescientifico.tripod.com/sud.htm explains it).

Di Palma and Lanzi (2018) took their rule players from the books of Saracino (1963) and of Cicuti and Guardamagna
(1976); these were not at hand, and what they add beyond this is not here. What each rule counts for is a guess, not
fitted.
"""

from cirulla_sim.engine.policy_api import captured, card_of, helper, is_sweep, popcount, unseen

ACES, DIAMONDS, SETTEBELLO = 0x40100401, 0b1111111111 << 10, 1 << 16
SEVENS = ACES << 6
FEAR, DOUBLE, SHOWN_FIRST, PAIRS, SEVENS_ODD, MILL = 0.9, 0.2, 0.1, 0.08, 0.1, 0.1
"""What is lost by leaving a table that is surely swept, and what each rule counts for, in points."""


@helper
def worth(cards):
    """The approximate value of cards in points."""
    return (
        0.1 * popcount(cards) + 0.15 * popcount(cards & DIAMONDS) + 0.25 * popcount(cards & SEVENS)
        + 1.0 * popcount(cards & SETTEBELLO)
    )  # fmt: skip


@helper
def danger(table, rest):
    """The approximate probability that one of six unseen cards sweeps a table by its sum."""
    total, sweeping = 0, 0
    for card in range(40):
        if table >> card & 1:
            total += card % 10 + 1
    for card in range(40):
        if rest >> card & 1 and card % 10 + 1 == total:
            sweeping += 1
    return 1.0 - (1.0 - sweeping / (popcount(rest) + 1)) ** 6


@helper
def odd_ranks(cards):
    """How many ranks have an odd number of cards in a set."""
    folded = cards ^ cards >> 10 ^ cards >> 20 ^ cards >> 30
    return popcount(folded & 0b1111111111)


@helper
def by_rank(view, card, got):
    """What the rules on ranks say of a play, in points."""
    own, same = 1 << card, ACES << card % 10
    out, value = own | got, 0.0
    for side in range(view.sides):
        out |= view.pile[side]
    if not got:
        out ^= own
        if (view.holding ^ own) & same:
            value += DOUBLE
        elif popcount(unseen(view) & same) == 3:
            value -= SHOWN_FIRST
    dealer_side = (view.players - 1) % view.sides
    pairs = PAIRS * odd_ranks(out)
    return value - pairs if view.side == dealer_side else value + pairs


@helper
def exposed(table, rest):
    """The share of the unseen cards that take a card of their rank, or two cards by their sum."""
    ranks = 0
    for card in range(40):
        if table >> card & 1:
            ranks |= 1 << card % 10
            for other in range(card):
                total = card % 10 + other % 10 + 2
                if table >> other & 1 and total <= 10:
                    ranks |= 1 << total - 1
    return popcount(rest & ACES * ranks) / (popcount(rest) + 1)


@helper
def by_masters(view, card, got):
    """What the rules on sevens and on the mulinello say of a play, in points."""
    own, out = 1 << card, got
    for side in range(view.sides):
        out |= view.pile[side]
    if got:
        out |= own
    left = view.table & ~got if got else view.table | own
    is_dealer, dealer_side = view.seat == view.players - 1, (view.players - 1) % view.sides
    breaks = view.side != dealer_side or (is_dealer and not (view.holding & ~own) & SEVENS)
    odd = SEVENS_ODD * (popcount(out & SEVENS) & 1)
    return (odd if breaks else -odd) - MILL * exposed(left, unseen(view))


@helper
def best(view, plays, level):
    """The place of the play that is worth most: by simple rules, from 1 on by ranks too, from 2 on by the masters."""
    most, chosen, rest = -1000.0, 0, unseen(view)
    for i in range(len(plays)):
        card, got = card_of(plays[i]), captured(plays[i])
        left = view.table & ~got if got else view.table | 1 << card
        value = 1.0 * is_sweep(plays[i])
        value += worth(got | 1 << card) if got else -0.5 * worth(1 << card)
        if left:
            value -= FEAR * danger(left, rest)
        if level > 0:
            value += by_rank(view, card, got)
        if level > 1:
            value += by_masters(view, card, got)
        if value > most:
            most, chosen = value, i
    return chosen


def simple(view, plays):
    """Takes what counts and fears a sweep."""
    return best(view, plays, 0)


def chitarrella(view, plays):
    """Knows doubles, pairs and who plays last as well."""
    return best(view, plays, 1)


def masters(view, plays):
    """And the sevens and the mulinello."""
    return best(view, plays, 2)
