"""One self-contained HTML page of many results."""
