"""Branches and loops: EXEC masks, and values that merge at blocks."""
