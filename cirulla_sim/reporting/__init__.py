"""Everything people look at: text in two languages, tables in every format, charts, the page."""
