"""Edits of what `--emit gridwise` and `--emit blockwise` print, and what becomes of each.

NAME.gen has a program of launches and NAME_tiles.gen the tile program of it, as they were printed once, so that an
edit is of words that stay. `edits` says what an edit is, `reference` what each program computes.
"""
