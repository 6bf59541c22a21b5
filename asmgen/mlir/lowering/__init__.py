"""Lowers kernels of MLIR's gpu dialect to programs of a lane."""
