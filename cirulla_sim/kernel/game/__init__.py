"""The game: streams, captures, bonuses, scoring, a hand, whole games, tallies. It knows no player but by address."""
