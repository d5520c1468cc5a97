"""Judging plays: advice, coaching, and a game against the policies."""
