"""The rules of a game: one frozen value, built from presets, house rules and single fields in `rules.toml`."""
