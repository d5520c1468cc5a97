"""The players: what a seat knows, asking a policy, and the policies that are called by address."""
