"""What quantities, trials and kinds of numbers are called in a table for readers."""

from __future__ import annotations

from .labels import NAMES

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
    "grande": "Grande made",
    "piccola": "Piccola made",
    "cappotto": "Cappotto",
    "primiera_won": "Primiera won",
    "primiera_tied": "Primiera tied",
    "primiera_lost": "Primiera lost",
    "wins_game": "Games won",
    "ties_game": "Games tied",
    "hands": "Hands in a game",
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
    "dealer_advantage": "What dealing is worth",
    "margin_less_luck": "Points ahead less luck",
    "strength": "Strength",
    "stays_ahead": "Stays ahead of the next",
    "order_holds": "The whole order holds",
    "variance_deal": "From the deal",
    "variance_response": "From how the deal suits who plays",
    "variance_dice": "From chance in the play",
    "variance_skill": "From who plays",
    "variance_play": "From all play",
    "margin_variance": "Variance of the margin",
    "games_until_ahead": "Games until the better is ahead",
    "hands_until_ahead": "Hands until the better is ahead",
    "behind": "Points less than the best",
    "sweep_next": "A sweep by the next player",
    "sweep_next_read": "A sweep by the next player, as the plays tell",
    "can_sweep": "The next player can sweep",
    "can_capture": "The next player can capture",
    "has_ace": "The next player holds an ace",
    "has_seven": "The next player holds a seven",
    "squared_error": "Mean squared error of the chance told",
    "within": "Within the best",
    "start": "Start",
    "luck_cards": "Luck of cards",
    "luck_knocks": "Luck of knocks",
    "own_errors": "Own errors",
    "others_errors": "Others’ errors",
    "cards_lay": "How cards lay",
    "dealt": "Start and luck",
    "lost": "Lost",
    "lost_a_choice": "Lost a choice",
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
    "resample": "resample",
    "play": "play",
    "choice": "play that was a choice",
}
"""One trial."""

KINDS = {
    "probability": "chance",
    "share": "share",
    "mean": "mean",
    "ratio": "mean",
    "difference": "difference",
    "interaction": "more than for the first",
    "maximum": "most seen",
    "quantile": "value",
    "part": "part",
}
"""What kind of number it is."""

IN_PERCENT = frozenset(
    {"wins_hand", "wins_game", "ties_hand", "ties_game", "cappotto", "table_wins", "misdeals_in_a_row", "changed"}
)
"""Quantities that are shares, so that differences of them are told in percent."""

DEALING = {"even": "all deals equally likely", "read": "as the plays tell"}
"""How the unseen cards were dealt to find a chance."""
