"""Indices and conditions of accesses as values of a lane."""
