"""What is simulated: hands, games, comparisons and tournaments, and the runner that carries them out."""
