"""Inputs that have to be refused, by the door through which they come, and what every refusal has to be."""
