"""What every other package may use: errors, cards, text arguments, numbers as text, the version."""
