"""Arithmetic: elementwise ops, conversions, vectors and elements of 64 bits."""
