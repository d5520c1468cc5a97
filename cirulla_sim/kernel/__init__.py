"""Compiled code only: no Python objects, no files, no printing, no validation; whoever calls it has checked everything.

Cards are indices 0..39, sets of cards 40-bit masks in ``uint64`` (see ``cirulla_sim.cards``); all integers in here are
``uint64`` unless a comment says otherwise, because numba turns ``uint64`` mixed with ``int64`` into a float.
"""
