"""Sizes that the launch knows, from the text to the launch."""
