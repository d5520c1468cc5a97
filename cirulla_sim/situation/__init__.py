"""What is known before the next card is played: deal constraints, positions, information sets, who plays."""
