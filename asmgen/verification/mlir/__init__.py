"""Verification of MLIR kernels: their arguments, and an interpreter as the reference."""
