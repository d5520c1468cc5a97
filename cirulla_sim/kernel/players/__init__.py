"""What a seat knows, and the policies that choose its plays."""
