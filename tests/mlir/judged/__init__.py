"""Kernels written from MLIR's dialect documents, each next to what numpy says of it."""
