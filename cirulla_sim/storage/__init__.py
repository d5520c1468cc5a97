"""Result tables and hand records on disk, written atomically and validated when read."""
