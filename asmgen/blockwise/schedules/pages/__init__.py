"""The tile program of each schedule, a page for each."""
