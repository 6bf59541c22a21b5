"""Spills values: to memory, to other registers, or to be made again."""
