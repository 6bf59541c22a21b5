"""Fusion: a graph becomes kernels, and the values between them."""
