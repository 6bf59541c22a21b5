"""Several sources at once: the work on each, its progress, and its line of JSON."""
