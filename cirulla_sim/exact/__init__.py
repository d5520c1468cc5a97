"""Probabilities counted exactly: first deals, holdings, whole deals, piles, positions."""
