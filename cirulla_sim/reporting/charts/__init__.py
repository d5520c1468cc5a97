"""Charts of result tables. They read the table and its metadata only."""
