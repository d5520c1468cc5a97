"""Chunks of hands and games played by named policies: serially, on threads, on a Dask cluster."""
