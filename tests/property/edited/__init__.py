"""Edits of the texts of `--emit gridwise` and `--emit blockwise`, and the outcome of each.

NAME.gen has a program of launches and NAME_tiles.gen the tile program of it, as they were printed once, so that an
edit is of words that stay. `edits` defines an edit, `reference` the results of each program.
"""
