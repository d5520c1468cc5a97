"""Exact answers by enumeration: every deal counted once, every probability a fraction."""
