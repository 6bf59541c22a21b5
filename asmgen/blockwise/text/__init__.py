"""Tile programs as text: printed, and read again."""
