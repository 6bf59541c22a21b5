"""Ops as sequences of simpler ops, so that the same lowering serves them on every type."""
