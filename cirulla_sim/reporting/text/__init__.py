"""Labels, numbers, tables and sentences in English and Italian."""
