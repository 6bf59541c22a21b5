"""Blockwise: the program of one workgroup on tiles with layouts."""
