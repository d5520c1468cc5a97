"""The report: a small site of static pages on many results, in every language."""
