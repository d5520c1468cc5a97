"""The state before the next card is played: deal constraints, positions, information sets, who plays."""
