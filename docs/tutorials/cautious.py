def cautious(turn):
    """Sweep if you can, otherwise capture most cards."""
    return max(turn.choices, key=lambda choice: (choice.is_scopa, len(choice.takes)))
