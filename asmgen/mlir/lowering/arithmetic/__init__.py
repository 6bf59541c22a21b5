"""Arithmetic of indices and of lanes."""
