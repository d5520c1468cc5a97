"""Questions about what can happen: parsed, bound, then counted exactly or evaluated on simulated hands."""
