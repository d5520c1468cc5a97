"""The information of a seat, and the policies that choose its plays."""
