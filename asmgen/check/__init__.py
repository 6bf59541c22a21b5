"""Waits and hazards of anyone's assembly: what is missing, what is wasted, and the text with what was missing
put in."""
