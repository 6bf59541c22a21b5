"""Waits and hazards of any assembly: missing, wasted, and the text with the missing ones inserted."""
