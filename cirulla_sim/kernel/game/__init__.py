"""The game itself: deals, bonuses, captures, scoring, hands and whole games. It knows no players."""
