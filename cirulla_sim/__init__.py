"""Monte Carlo analysis of Cirulla and its family: deals, hands, house rules and strategies."""

__version__ = "0.1.0"
