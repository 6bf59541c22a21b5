"""Operands of instructions: how their registers are read and written, and what modifiers do to them."""
