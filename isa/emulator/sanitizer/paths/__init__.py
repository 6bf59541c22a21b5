"""Faults that depend on the path of a wave alone: missing waits, hazards, and unwritten registers."""
