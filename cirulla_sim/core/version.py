"""The version of the package, and those whose results go together with its own."""

VERSION = "3.0.0"

SAME_HANDS = (VERSION, "2.0.0")
"""Versions that play every hand alike and store the same tallies: a file of one can be resumed and merged by another.

A change of what any hand comes to, or of what a tally counts, empties this to the new version. The fingerprint in every
file is a second check, of the first trials only.
"""
