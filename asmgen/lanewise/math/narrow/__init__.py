"""Expansions of elements of 8 and 16 bits."""
