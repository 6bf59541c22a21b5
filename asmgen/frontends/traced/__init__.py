"""Python functions over arrays, traced into graphs."""
