"""The game itself: deals, bonuses, captures, scoring, hands and whole games. It does not depend on players."""
