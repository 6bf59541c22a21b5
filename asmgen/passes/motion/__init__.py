"""Moves instructions between blocks, and the operands of loads before the loads."""
