"""Compiled code only: no Python objects, no files, no validation, no allocation."""
