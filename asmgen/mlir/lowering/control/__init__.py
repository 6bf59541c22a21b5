"""Branches and loops of MLIR as the regions of a lane."""
