"""Addresses, and accesses of global memory, LDS, scratch and kernel arguments."""
