"""Bools as lane masks, reductions, and exchange between the lanes of a wave."""
