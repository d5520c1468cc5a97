"""Entry points: what Python may call, each compiled once for one signature."""
