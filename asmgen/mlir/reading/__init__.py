"""Reads MLIR: texts, operations, types and attributes."""
