"""What quantities, trials and kinds of numbers are called in a table for readers."""

from __future__ import annotations

NAMES = {
    "misdeal": "Misdeal",
    "table_15": "Table totals 15",
    "table_30": "Table totals 30",
    "table_low": "Table totals 9 or less",
    "table_wins": "Table wins the game",
    "misdeals_in_a_row": "Misdeals lose the game",
    "knock": "Any bonus (knock)",
    "hand_low": "Barsega, 9 or less",
    "hand_low_no_ace": "Boña di misci, no ace",
    "hand_triple": "Barsegon, three equal",
    "points_cards": "Most cards",
    "points_diamonds": "Most diamonds",
    "points_settebello": "Settebello",
    "points_primiera": "Primiera",
    "points_grande": "Grande",
    "points_piccola": "Piccola",
    "points_scope": "Scope",
    "points_table_bonus": "Table bonuses",
    "points_hand_bonus": "Holding bonuses",
}
"""What categories of points, bonuses and misdeals are called; charts and questions know them by these names."""

DEALT = {
    "holding": "Of holdings dealt",
    "hand": "Of hands",
    "table": "Of tables dealt",
    "first-deal": "Of first deals",
    "game": "Of games",
    "piles": "Of piles",
    "position": "Of ways of dealing the cards not seen",
}
"""Out of what a chance is, by what one trial is."""

QUANTITIES = {
    **NAMES,
    "sweeps": "Sweeps",
    "captures": "Captures",
    "points": "Points",
    "margin": "Points more than the others",
    "margin_spread": "How far the margin swings",
    "points_distribution": "Points, each number",
    "wins_hand": "Hands won",
    "ties_hand": "Hands tied",
    "misdeals": "Misdeals",
    "changed": "Hands that go another way",
    "winner_changed": "Another winner",
    "wins_gained": "Hands won only with the rule",
    "wins_lost": "Hands won only without the rule",
    "points_moved": "Change of the points, up or down",
    "margin_moved": "Change of the margin, up or down",
    "grande": "Grande made",
    "piccola": "Piccola made",
    "cappotto": "Cappotto",
    "primiera_won": "Primiera won",
    "primiera_tied": "Primiera tied",
    "primiera_lost": "Primiera lost",
    "wins_game": "Games won",
    "ties_game": "Games tied",
    "hands": "Hands in a game",
    "game_winner_changed": "Games with another winner",
    "games_gained": "Games won only with the rule",
    "games_lost": "Games won only without the rule",
    "hands_moved": "Change of hands in a game, up or down",
    "hands_distribution": "Hands in a game, each number",
    "lead_changes": "Lead changes in a game",
    "lead_changes_distribution": "Lead changes in a game, each number",
    "comeback": "Points the winner was behind",
    "comeback_distribution": "Points the winner was behind, each number",
    "winning_margin": "Points ahead at the end",
    "winning_margin_distribution": "Points ahead at the end, each number",
    "match_points": "Match points",
    "victory_points": "Victory points",
    "victory_points_distribution": "Victory points, each number",
    "wins_night": "Nights won",
    "ties_night": "Nights tied",
    "undefeated": "Nights undefeated",
    "misdeal_run_3": "Three misdeals in a row, in some hand",
    "hands_played": "Hands in a night",
    "minutes": "Minutes that a night takes",
    "cappotti": "Cappotti in a night",
    "dealer_advantage": "What dealing is worth",
    "margin_less_luck": "Points ahead less luck",
    "strength": "Strength",
    "strength_gap": "Gap in strength",
    "behind": "Points less than the best",
    "sweep_next": "A sweep by the next player",
    "sweep_next_read": "A sweep by the next player, as the plays tell",
}
"""Quantities of result files; a question of ``odds`` is quoted as it was asked."""

PER = {
    "holding": "holding",
    "table": "table dealt",
    "stage": "stage",
    "hand": "hand",
    "side": "hand, by side",
    "game": "whole game",
    "match": "whole match",
    "first-deal": "first deal",
    "piles": "piles",
    "position": "position",
    "deal": "deal",
    "night": "night",
    "play": "play",
}
"""One trial."""

KINDS = {
    "probability": "chance",
    "share": "share",
    "mean": "mean",
    "ratio": "ratio",
    "difference": "difference",
    "interaction": "more than for the first",
    "maximum": "most seen",
    "minimum": "least seen",
    "quantile": "value",
}
"""What kind of number it is."""

IN_PERCENT = frozenset({
    "wins_hand", "wins_game", "ties_hand", "ties_game", "cappotto", "table_wins", "misdeals_in_a_row", "changed",
    "wins_night", "ties_night", "undefeated", "misdeal_run_3",
})  # fmt: skip
"""Quantities that are shares, so that their differences are in percentage points."""

EFFECTS = (
    ("points", "all", "the points of a hand"),
    ("margin", "dealer", "the margin of the dealer’s side"),
    ("wins_game", "dealer", "how often the first dealer wins the game"),
    ("hands", "all", "the length of a game in hands"),
    ("wins_hand", "dealer", "how often the dealer wins the hand"),
)
"""Quantities whose changes are put in a sentence, what matters most first: quantity, side, and what it is called."""
